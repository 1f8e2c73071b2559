import { expect, test } from "vitest";
import { pool, toUnitLength } from "../../../../worker/engines/transformers/pooling.ts";

// Two texts of two and three tokens, two dimensions; the 9s are padding.
const states = {
  data: Float32Array.of(1, 0, 3, 4, 9, 9, 2, 2, 4, 4, 6, 12),
  longest: 3,
  dimensions: 2,
};
const plain = (vectors: Float64Array[]): number[][] => vectors.map((vector) => Array.from(vector));

test("padding never counts, whatever the pooling", () => {
  expect(plain(pool(states, [2, 3], "mean"))).toEqual([
    [2, 2],
    [4, 6],
  ]);
  expect(plain(pool(states, [2, 3], "cls"))).toEqual([
    [1, 0],
    [2, 2],
  ]);
  expect(plain(pool(states, [2, 3], "last_token"))).toEqual([
    [3, 4],
    [6, 12],
  ]);
});

test("unit length, and a zero vector stays one", () => {
  const first = toUnitLength(Float64Array.of(3, 4));
  expect(first[0]).toBeCloseTo(0.6);
  expect(first[1]).toBeCloseTo(0.8);
  expect(plain([toUnitLength(new Float64Array(2))])).toEqual([[0, 0]]);
});
