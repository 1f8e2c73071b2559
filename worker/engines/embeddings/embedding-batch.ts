/** Forms batches of texts of similar length, taken from all waiting requests, within a token budget. */

import type { EmbeddingDevice } from "../../engine-api/embedding-model.ts";

/** One input to embed. */
export interface PendingInput {
  tokens: readonly number[];
  /** Number of the network's adapter, which a run has one of; undefined if it has none. */
  task?: number | undefined;
  /** True after a failed run; the input is then retried once, alone. */
  failedOnce: boolean;
}

/** The waiting inputs of one request, by length step. */
export interface InputSource<Input extends PendingInput> {
  waiting: Map<number, Input[]>;
}

interface BatchLimits {
  /** Maximum tokens per run, including padding. A longer input runs alone. */
  maxTokens: number;
  /** Run one text at a time, for models whose vectors depend on the other texts of a batch. */
  alone: boolean;
  /** Lengths of one class may run together. */
  classOf: LengthClass;
}

/** Maps a length to the upper bound of its class, a multiple of {@link LENGTH_STEP}. */
type LengthClass = (tokens: number) => number;

/** Lengths within one step always run together. */
const LENGTH_STEP = 8;

const stepOf = (tokens: number): number => Math.ceil(tokens / LENGTH_STEP) * LENGTH_STEP;

/**
 * GPU runs have a high fixed cost: lengths within a class differ by at most half. On a CPU, a run costs about as much
 * as 9 tokens of the built-in model and padding costs as much as tokens, so a step of 8 is about break-even (measured
 * in docs/benchmarks.md, d).
 */
export const LENGTH_CLASSES: Record<EmbeddingDevice, LengthClass> = {
  webgpu: (tokens) => {
    let bound = LENGTH_STEP;
    while (bound < tokens) bound = stepOf(bound * 1.5);
    return bound;
  },
  wasm: stepOf,
};

/** Groups inputs into a source by length step. */
export function sourceOf<Input extends PendingInput>(inputs: readonly Input[]): InputSource<Input> {
  const waiting = new Map<number, Input[]>();
  for (const input of inputs) addTo(waiting, input);
  return { waiting };
}

export function addTo<Input extends PendingInput>(waiting: Map<number, Input[]>, input: Input): void {
  const step = stepOf(input.tokens.length);
  const inputs = waiting.get(step);
  if (inputs) inputs.push(input);
  else waiting.set(step, [input]);
}

/**
 * Takes the next batch from the sources. The first source determines the length class, so callers rotate the sources
 * to prevent starvation.
 */
export function takeBatch<Input extends PendingInput>(
  sources: readonly InputSource<Input>[],
  limits: BatchLimits,
): Input[] {
  const first = sources[0];
  const step = first?.waiting.keys().next().value;
  if (first === undefined || step === undefined) return [];
  const seed = takeFrom(first, step)!;
  if (limits.alone || seed.failedOnce) return [seed];
  const bound = limits.classOf(step);
  const room = Math.max(1, Math.floor(limits.maxTokens / bound));
  const batch = [seed];
  for (const source of sources) {
    for (const other of [...source.waiting.keys()]) {
      if (limits.classOf(other) !== bound) continue;
      while (batch.length < room) {
        const next = source.waiting.get(other)?.at(-1);
        if (!next || next.failedOnce || next.task !== seed.task) break;
        batch.push(takeFrom(source, other)!);
      }
    }
  }
  return batch;
}

function takeFrom<Input extends PendingInput>(source: InputSource<Input>, length: number): Input | undefined {
  const inputs = source.waiting.get(length);
  const input = inputs?.pop();
  if (inputs?.length === 0) source.waiting.delete(length);
  return input;
}
