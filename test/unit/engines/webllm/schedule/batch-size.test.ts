import { expect, test } from "vitest";
import { BatchSize } from "../../../../../worker/engines/webllm/schedule/batch-size.ts";

/**
 * Runs steps of as many of the `waiting` replies as it may.
 *
 * @param times of a pass with 1, 2, 3, … rows
 * @param noise what all times are multiplied with, by step
 * @returns rows of each step, negative where they were drawn in several passes
 */
function run(
  batchSize: BatchSize,
  times: readonly number[],
  { waiting = 99, steps = 256, noise = (_step: number): number => 1 } = {},
): number[] {
  return Array.from({ length: steps }, (_, step) => {
    const rows = batchSize.rowsFor(waiting);
    const perPass = batchSize.perPass(rows);
    const passes = Array.from({ length: Math.ceil(rows / perPass) }, (_, i) =>
      Math.min(perPass, rows - i * perPass),
    );
    const ms = passes.reduce((sum, size) => sum + times[size - 1]!, 0);
    batchSize.record(rows, perPass, noise(step) * ms);
    return perPass < rows ? -rows : rows;
  });
}

test("all run side by side where that gains, and few steps are spent to know it", () => {
  const batchSize = new BatchSize(4, true);
  const steps = run(batchSize, [7, 12, 12.2, 12.4], { steps: 1_000 });
  expect(batchSize.rowsFor(99)).toBe(4);
  expect(steps.filter((rows) => rows < 0)).toHaveLength(16);
});

test("where the device loses by it, fewer run", () => {
  const slow = new BatchSize(4, true);
  run(slow, [10, 25, 37, 50]);
  expect(slow.rowsFor(99)).toBe(1);
  const pairs = new BatchSize(4, true);
  run(pairs, [10, 12, 33, 60]);
  expect(pairs.rowsFor(99)).toBe(2);
});

test("another load on the device in the meantime does not mislead it", () => {
  const batchSize = new BatchSize(4, true);
  run(batchSize, [7, 12, 12.2, 12.4], { waiting: 1, noise: () => 0.1 });
  run(batchSize, [7, 12, 12.2, 12.4], { noise: (step) => 1 + (step % 9) / 4 + (step >> 4) });
  expect(batchSize.rowsFor(99)).toBe(4);
});

test("a device that changes is noticed", () => {
  const batchSize = new BatchSize(4, true);
  run(batchSize, [10, 25, 37, 50]);
  expect(batchSize.rowsFor(99)).toBe(1);
  run(batchSize, [10, 12, 13, 14], { steps: 2_048 });
  expect(batchSize.rowsFor(99)).toBe(4);
});

test("no reader's pace falls below five tokens per second, if fewer keep it above", () => {
  const batchSize = new BatchSize(4, true);
  run(batchSize, [120, 150, 190, 250]);
  expect(batchSize.rowsFor(99)).toBe(3);
  // One alone is as slow.
  const slow = new BatchSize(4, true);
  run(slow, [300, 350, 400, 450]);
  expect(slow.rowsFor(99)).toBe(4);
});

test("more than four run where one pass of them takes clearly less time than several", () => {
  const eight = new BatchSize(8, true);
  run(eight, [7.6, 9.5, 12.2, 12.8, 17.1, 17.5, 18, 18.8]);
  expect(eight.rowsFor(99)).toBe(8);
  // The weights are read twice for five to eight rows.
  const four = new BatchSize(8, true);
  const steps = run(four, [30, 33, 36, 40, 68, 71, 74, 77], { steps: 1_000 });
  expect(four.rowsFor(99)).toBe(4);
  expect(steps.filter((rows) => rows < 0)).toHaveLength(5 * 16);
  const six = new BatchSize(8, true);
  run(six, [10, 12, 13, 14, 18, 20, 28, 30]);
  expect(six.rowsFor(99)).toBe(6);
});

test.each([5, 6, 7, 8, 20])("%i replies: a loss above four leads to four", (waiting) => {
  const batchSize = new BatchSize(8, true);
  expect(run(batchSize, [31, 32, 33, 34, 65, 66, 67, 68], { waiting, steps: 1_000 }).at(-1)).toBe(4);
});

test("a batch, which leaves one of four free, gets to more than four too", () => {
  const batchSize = new BatchSize(8, true);
  run(batchSize, [7.6, 9.5, 12.2, 12.8, 17.1, 17.5, 18, 18.8], { waiting: 3 });
  expect(batchSize.rowsFor(7)).toBe(7);
});

test("more than four do not run where four are too slow or lose against one by one", () => {
  const slow = new BatchSize(8, true);
  run(slow, [100, 150, 200, 250, 270, 290, 310, 330], { steps: 1_000 });
  expect(slow.rowsFor(99)).toBe(3);
  const alone = new BatchSize(8, true);
  run(alone, [10, 100, 100, 100, 100, 100, 100, 100], { steps: 1_000 });
  expect(alone.rowsFor(99)).toBe(1);
});

test("a fixed batch size is never measured", () => {
  const batchSize = new BatchSize(3, false);
  expect(new Set(run(batchSize, [10, 90, 900]))).toEqual(new Set([3]));
});
