import { expect, test } from "vitest";
import { Width } from "../../../../../worker/engines/webllm/schedule/width.ts";

/**
 * Runs steps of as many replies as it may, at most `waiting`.
 *
 * @param times of a pass with 1, 2, 3, … rows
 * @param noise what all times are multiplied with, by step
 * @returns rows of each step, negative where they were drawn in several passes
 */
function run(
  width: Width,
  times: readonly number[],
  { waiting = 99, steps = 256, noise = (_step: number): number => 1 } = {},
): number[] {
  return Array.from({ length: steps }, (_, step) => {
    const rows = Math.min(width.rows, waiting);
    const perPass = width.perPass(rows);
    const passes = Array.from({ length: Math.ceil(rows / perPass) }, (_, i) =>
      Math.min(perPass, rows - i * perPass),
    );
    const ms = passes.reduce((sum, size) => sum + times[size - 1]!, 0);
    width.ran(rows, perPass, noise(step) * ms);
    return perPass < rows ? -rows : rows;
  });
}

test("all run side by side where that gains, and few steps are spent to know it", () => {
  const width = new Width(4, true);
  const steps = run(width, [7, 12, 12.2, 12.4], { steps: 1_000 });
  expect(width.rows).toBe(4);
  expect(steps.filter((rows) => rows < 0)).toHaveLength(16);
});

test("where the device loses by it, fewer run", () => {
  const slow = new Width(4, true);
  run(slow, [10, 25, 37, 50]);
  expect(slow.rows).toBe(1);
  const pairs = new Width(4, true);
  run(pairs, [10, 12, 33, 60]);
  expect(pairs.rows).toBe(2);
});

test("another load on the device in the meantime does not mislead it", () => {
  const width = new Width(4, true);
  run(width, [7, 12, 12.2, 12.4], { waiting: 1, noise: () => 0.1 });
  run(width, [7, 12, 12.2, 12.4], { noise: (step) => 1 + (step % 9) / 4 + (step >> 4) });
  expect(width.rows).toBe(4);
});

test("a device that changes is noticed", () => {
  const width = new Width(4, true);
  run(width, [10, 25, 37, 50]);
  expect(width.rows).toBe(1);
  run(width, [10, 12, 13, 14], { steps: 2_048 });
  expect(width.rows).toBe(4);
});

test("no reader's pace falls below five tokens per second, if fewer keep it above", () => {
  const width = new Width(4, true);
  run(width, [120, 150, 190, 250]);
  expect(width.rows).toBe(3);
  // One alone is as slow.
  const slow = new Width(4, true);
  run(slow, [300, 350, 400, 450]);
  expect(slow.rows).toBe(4);
});

test("more than four run where one pass of them takes clearly less time than several", () => {
  const eight = new Width(8, true);
  run(eight, [7.6, 9.5, 12.2, 12.8, 17.1, 17.5, 18, 18.8]);
  expect(eight.rows).toBe(8);
  // The weights are read twice for five to eight rows.
  const four = new Width(8, true);
  const steps = run(four, [30, 33, 36, 40, 68, 71, 74, 77], { steps: 1_000 });
  expect(four.rows).toBe(4);
  expect(steps.filter((rows) => rows < 0)).toHaveLength(5 * 16);
  const six = new Width(8, true);
  run(six, [10, 12, 13, 14, 18, 20, 28, 30]);
  expect(six.rows).toBe(6);
});

test("a fixed width is never measured", () => {
  const width = new Width(3, false);
  expect(new Set(run(width, [10, 90, 900]))).toEqual(new Set([3]));
});
