import { expect, test } from "vitest";
import { differInBatch } from "../../../../worker/engines/embeddings/batch-check.ts";

const vectors = (...numbers: number[]) => [Float32Array.of(1, 0), Float32Array.from(numbers)];
const alone = vectors(0.6, 0.8);

test.each([
  [vectors(0.6, 0.8), "wasm", false],
  [vectors(0.600005, 0.8), "wasm", false],
  [vectors(0.60005, 0.8), "wasm", true],
  [vectors(0.60005, 0.8), "webgpu", false],
  [vectors(0.602, 0.8), "webgpu", true],
  [vectors(Number.NaN, 0.8), "wasm", true],
] as const)("%j differ on %s: %s", (batch, device, expected) => {
  expect(differInBatch(alone, batch, device)).toBe(expected);
});

test("what counts is the difference in relation to the vector's length", () => {
  const long = vectors(600, 800);
  expect(differInBatch(long, vectors(600.005, 800), "wasm")).toBe(false);
  expect(differInBatch(long, vectors(600.05, 800), "wasm")).toBe(true);
});
