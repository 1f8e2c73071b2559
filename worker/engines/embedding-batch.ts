/** Which inputs run together: texts of like length, taken from every waiting request, within a budget. */

/** One input on its way to a vector. */
export interface PendingInput {
  tokens: readonly number[];
  /** True after a run with it failed: it runs once more, with nobody else. */
  failedOnce: boolean;
}

/** Inputs of one request that wait, by length class. */
export interface InputSource<Input extends PendingInput> {
  waiting: Map<number, Input[]>;
}

export interface BatchLimits {
  /** Tokens of one run, padding included. A longer input runs alone. */
  maxTokens: number;
  /** One text at a time, for models whose numbers depend on their company. */
  alone: boolean;
}

/** Lengths of one class differ by half at most, so that little is spent on padding. */
export function lengthClass(tokens: number): number {
  let bound = 8;
  while (bound < tokens) bound += (bound & (bound - 1)) === 0 ? bound / 2 : bound / 3;
  return bound;
}

/** Puts inputs into the classes of a source. */
export function sourceOf<Input extends PendingInput>(inputs: readonly Input[]): InputSource<Input> {
  const waiting = new Map<number, Input[]>();
  for (const input of inputs) addTo(waiting, input);
  return { waiting };
}

export function addTo<Input extends PendingInput>(waiting: Map<number, Input[]>, input: Input): void {
  const length = lengthClass(input.tokens.length);
  const inputs = waiting.get(length);
  if (inputs) inputs.push(input);
  else waiting.set(length, [input]);
}

/**
 * Takes the next batch out of the sources. The first source decides the length class, so whoever rotates the
 * sources lets no request wait for a longer one.
 */
export function takeBatch<Input extends PendingInput>(
  sources: readonly InputSource<Input>[],
  limits: BatchLimits,
): Input[] {
  const first = sources[0];
  const length = first?.waiting.keys().next().value;
  if (first === undefined || length === undefined) return [];
  const seed = takeFrom(first, length)!;
  if (limits.alone || seed.failedOnce) return [seed];
  const room = Math.max(1, Math.floor(limits.maxTokens / length));
  const batch = [seed];
  for (const source of sources) {
    while (batch.length < room) {
      const next = source.waiting.get(length)?.at(-1);
      if (!next || next.failedOnce) break;
      batch.push(takeFrom(source, length)!);
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
