import { expect, test } from "vitest";
import { pool } from "../../../../worker/engines/transformers/pooling.ts";

// Two texts of two and three tokens, two dimensions; the 9s are padding.
const states = {
  data: Float32Array.of(1, 0, 3, 4, 9, 9, 2, 2, 4, 4, 6, 12),
  longest: 3,
  dimensions: 2,
};
const plain = (vectors: Float32Array[]): number[][] => vectors.map((vector) => Array.from(vector));

test("padding never counts, whatever the pooling", () => {
  expect(plain(pool(states, [2, 3], "mean", false))).toEqual([
    [2, 2],
    [4, 6],
  ]);
  expect(plain(pool(states, [2, 3], "cls", false))).toEqual([
    [1, 0],
    [2, 2],
  ]);
  expect(plain(pool(states, [2, 3], "last_token", false))).toEqual([
    [3, 4],
    [6, 12],
  ]);
});

test("unit length where the model wants it, and a zero vector stays one", () => {
  const [first] = pool(states, [2, 3], "last_token", true);
  expect(first![0]).toBeCloseTo(0.6);
  expect(first![1]).toBeCloseTo(0.8);
  const zero = { data: new Float32Array(2), longest: 1, dimensions: 2 };
  expect(plain(pool(zero, [1], "mean", true))).toEqual([[0, 0]]);
});
