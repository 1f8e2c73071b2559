/** Changes logits on the GPU, in web-llm's order, each call for the rows that need it. */

import type { Pipeline, Tensor } from "../tvm/pipeline.ts";
import { withScope } from "../tvm/scope.ts";

/** What changes one row of logits. */
export interface RowChanges {
  /** Added to the logits of these ids. */
  bias?: Readonly<Record<string, number>>;
  /** Subtracted from the logits of tokens that the reply has, by how often it has them. */
  penalties?: { presence: number; frequency: number; counts: ReadonlyMap<number, number> };
}

/** One bit per token for each row that has a mask: 0 forbids it. */
export function applyMasks(
  { tvm, device, fullVocabSize, bitmaskSize, fapplyBitmask }: Pipeline,
  logits: Tensor,
  masks: readonly (Int32Array | undefined)[],
): void {
  const rows = masks.flatMap((mask, row) => (mask ? [row] : []));
  if (rows.length === 0) return;
  const bits = new Int32Array(masks.length * bitmaskSize);
  for (const row of rows) bits.set(masks[row]!, row * bitmaskSize);
  withScope(tvm, () => {
    const mask = tvm.empty([masks.length, bitmaskSize], "int32", device).copyFrom(bits);
    const ids = tvm.empty([rows.length], "int32", device).copyFrom(rows);
    fapplyBitmask(logits.view([masks.length, fullVocabSize]), ids, mask);
  });
}

/** A mask that forbids these tokens alone. */
export function maskWithout({ bitmaskSize, fullVocabSize }: Pipeline, ids: readonly number[]): Int32Array {
  const mask = new Int32Array(bitmaskSize).fill(-1);
  for (const id of ids) if (id < fullVocabSize) mask[id >> 5]! &= ~(1 << (id & 31));
  return mask;
}

export function applyBias(
  { tvm, device, fullVocabSize, fapplyLogitBias }: Pipeline,
  logits: Tensor,
  changes: readonly RowChanges[],
): void {
  const entries = changes.flatMap(({ bias = {} }, row) =>
    Object.entries(bias).map(([id, value]) => ({ row, id: Number(id), value })),
  );
  if (entries.length === 0) return;
  const shape = [entries.length];
  withScope(tvm, () => {
    const rows = tvm.empty(shape, "int32", device).copyFrom(entries.map(({ row }) => row));
    const ids = tvm.empty(shape, "int32", device).copyFrom(entries.map(({ id }) => id));
    const values = tvm.empty(shape, "float32", device).copyFrom(entries.map(({ value }) => value));
    fapplyLogitBias(logits.view([changes.length, fullVocabSize]), rows, ids, values);
  });
}

export function applyPenalties(
  { tvm, device, fullVocabSize, fapplyPenalty }: Pipeline,
  logits: Tensor,
  changes: readonly RowChanges[],
): void {
  const penalized = changes.flatMap(({ penalties }, row) =>
    penalties && penalties.counts.size > 0 ? [{ row, ...penalties }] : [],
  );
  if (penalized.length === 0) return;
  const entries = penalized.flatMap(({ counts }, at) =>
    Array.from(counts, ([id, count]) => ({ at, id, count })),
  );
  // The last is the repetition penalty, which is applied on the CPU because it includes the prompt.
  const values = penalized.flatMap(({ presence, frequency }) => [presence, frequency, 1]);
  withScope(tvm, () => {
    const int32 = (numbers: readonly number[]): Tensor =>
      tvm.empty([numbers.length], "int32", device).copyFrom(numbers);
    const rows = int32(penalized.map(({ row }) => row));
    const at = int32(entries.map((entry) => entry.at));
    const ids = int32(entries.map(({ id }) => id));
    const counts = int32(entries.map(({ count }) => count));
    const penalties = tvm.empty([penalized.length, 3], "float32", device).copyFrom(values);
    fapplyPenalty(logits.view([changes.length, fullVocabSize]), rows, at, ids, counts, penalties);
  });
}
