import { type KvState, PAGE_SIZE } from "../kv/kv-state.ts";
import type { StepRow, StepRunner } from "../step/step-runner.ts";

/** Two pages of TVM's KV cache, the second one begun. */
const LENGTH = 20;
/** By how much logits may differ that other functions of the same library computed. */
const MAX_LOGIT_DIFFERENCE = 0.05;

/**
 * Tests at load that a library's sequences fork and shorten as documented, and that its pages add up: a wrong cache
 * would give wrong replies without any error. Takes five short passes; leaves the cache empty.
 *
 * @returns whether two rows of one step are what each is alone: otherwise, replies must not run concurrently
 * @throws {Error} with what differs
 */
export async function testLibrary(
  { fullVocabSize }: { fullVocabSize: number },
  state: KvState,
  steps: Pick<StepRunner, "sample">,
): Promise<boolean> {
  const total = state.availablePages();
  const ids = Array.from({ length: LENGTH }, (_, at) => (7 + 13 * at) % fullVocabSize);
  const rest = ids.slice(PAGE_SIZE);
  const expectPages = (used: number, when: string): void => {
    const got = total - state.availablePages();
    if (got !== used) throw new Error(`its pages do not add up (${got} instead of ${used} ${when})`);
  };
  state.add(0);
  const whole = await read(steps, 0, ids);
  expectPages(2, "after a prompt");
  state.fork(0, 1, PAGE_SIZE);
  const forked = await read(steps, 1, rest);
  expectPages(3, "after a fork");
  state.popn(0, rest.length);
  const shortened = await read(steps, 0, rest);
  expectPages(3, "after tokens were removed");
  const isIndependent = await rowsAreIndependent(state, steps, ids[0]!);
  state.remove(0);
  state.remove(1);
  expectPages(0, "after all sequences were removed");
  if (!agree(whole, forked)) throw new Error("a forked sequence goes on differently");
  if (!agree(whole, shortened)) throw new Error("a shortened sequence goes on differently");
  return isIndependent;
}

/** Whether one token of each of the sequences 0 and 1, fed together, gives what it gives alone. */
async function rowsAreIndependent(
  state: KvState,
  steps: Pick<StepRunner, "sample">,
  id: number,
): Promise<boolean> {
  // Now they differ.
  state.popn(1, 1);
  const rows = [0, 1].map((sequence) => reading(sequence, [id]));
  const alone: Reading[] = [];
  for (const [sequence, { row, result }] of rows.entries()) {
    alone.push(result(await steps.sample([row])));
    state.popn(sequence, 1);
  }
  const drawn = await steps.sample(rows.map(({ row }) => row));
  return rows.every(({ result }, at) => agree(alone[at]!, result([drawn[at]!])));
}

interface Reading {
  logits: Float32Array;
  /** Drawn at temperature 0. */
  best: number;
}

async function read(
  steps: Pick<StepRunner, "sample">,
  sequence: number,
  ids: readonly number[],
): Promise<Reading> {
  const { row, result } = reading(sequence, ids);
  return result(await steps.sample([row]));
}

/** A row of a step, and what is read from it once the step has run. */
function reading(sequence: number, ids: readonly number[]) {
  let logits = new Float32Array();
  const row: StepRow = {
    sequence,
    ids,
    temperature: 1e-6,
    topP: 1e-5,
    uniform: 0.5,
    observe: (all) => {
      logits = all.slice();
    },
  };
  return { row, result: ([best = 0]: readonly number[]): Reading => ({ logits, best }) };
}

/** Whether both readings are of the same distribution, and their draws are its most likely token. */
function agree(one: Reading, other: Reading): boolean {
  return [one, other].every(({ logits, best }) => {
    const most = logits.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
    const at = [one.best, other.best].map((id) => logits[id] ?? Number.NaN);
    return (
      Number.isFinite(most) &&
      best < logits.length &&
      at.every((value) => most - value <= MAX_LOGIT_DIFFERENCE)
    );
  });
}
