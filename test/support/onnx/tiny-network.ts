/**
 * Random networks of one layer, and their forward pass: `h[t] = x[t] + mean(x)`, where `x` are the vectors of the tokens,
 * so that each vector of a token depends on the whole text.
 */

export const WIDTH = 6;
export const VOCABULARY = 109;

/** Reproducible numbers between -1 and 1, exact in 32 bits. */
export function numbers(count: number, seed: number): number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.fround(state / 2 ** 31 - 1);
  });
}

export interface NetworkOptions {
  seed?: number;
  /** Name of the output with a vector for each token. @default "last_hidden_state" */
  output?: string;
  /** Number of adapters: each adds a vector, and the network takes the number of one. @default none */
  tasks?: number;
  /** Positions of tokens, which begin after the first two, as in RoBERTa. @default tokens have none */
  positions?: number;
  /** Multiplies by a matrix of 8 bits, quantising the activations of the whole batch. @default false */
  isQuantized?: boolean;
  /** Number of texts in a run. @default any */
  batch?: number;
  /** Whether it fails for several texts, which its inputs do not say: exported with one. @default false */
  failsInBatch?: boolean;
  /** Whether it also has the mean of each text as `sentence_embedding`. @default false */
  hasOwnOutput?: boolean;
}

export const table = (seed: number) => numbers(VOCABULARY * WIDTH, seed);
export const taskTable = (tasks: number) => numbers(tasks * WIDTH, 77);
export const positionTable = (positions: number) => numbers(positions * WIDTH, 55);
export const matrix = () => numbers(WIDTH * WIDTH, 33).map((value) => Math.round(value * 127));

/** The vector of each token of a text, in 64 bits; that of a quantised network without its rounding. */
export function forward(
  ids: readonly number[],
  { seed = 1, tasks, positions, isQuantized }: NetworkOptions = {},
  task = 0,
): number[][] {
  const row = (values: readonly number[], at: number): number[] => values.slice(at * WIDTH, (at + 1) * WIDTH);
  const added = [
    ...(tasks === undefined ? [] : [(_: number) => row(taskTable(tasks), task)]),
    ...(positions === undefined ? [] : [(at: number) => row(positionTable(positions), at + 2)]),
  ];
  const x = ids.map((id, at) => sum([row(table(seed), id), ...added.map((one) => one(at))]));
  const mean = sum(x).map((value) => value / x.length);
  const h = x.map((vector) => sum([vector, mean]));
  if (!isQuantized) return h;
  const weights = matrix();
  return h.map((vector) =>
    Array.from({ length: WIDTH }, (_, column) =>
      vector.reduce((total, value, i) => total + (value * weights[i * WIDTH + column]!) / 127, 0),
    ),
  );
}

function sum(vectors: readonly (readonly number[])[]): number[] {
  return vectors[0]!.map((_, i) => vectors.reduce((total, vector) => total + vector[i]!, 0));
}
