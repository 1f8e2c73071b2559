import { expect, test } from "vitest";
import { resolveMemory } from "../../../src/options/resolve-memory.ts";

test("without options the budget is a guess, and idle models leave after five minutes", () => {
  expect(resolveMemory({})).toEqual({ keepAliveMs: 300_000 });
});

test.each([
  [0, 0],
  [1000, 1000],
  [-1, -1],
  [Number.POSITIVE_INFINITY, -1],
  // Timers of more than 24 days overflow and fire at once.
  [2 ** 31, -1],
])("keepAliveMs %d is kept as %d", (given, keepAliveMs) => {
  expect(resolveMemory({ keepAliveMs: given, memoryBudgetBytes: 5 })).toEqual({
    keepAliveMs,
    memoryBudgetBytes: 5,
  });
});
