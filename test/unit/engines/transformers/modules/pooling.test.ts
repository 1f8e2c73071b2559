import { expect, test } from "vitest";
import { pool, toUnitLength } from "../../../../../worker/engines/transformers/modules/pooling.ts";

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

// Computed by `Pooling` of sentence-transformers 6.0.
test.each([
  [
    "max",
    [
      [3, 4],
      [6, 12],
    ],
  ],
  [
    "mean_sqrt_len",
    [
      [2.828427, 2.828427],
      [6.928203, 10.392305],
    ],
  ],
  [
    "weighted_mean",
    [
      [2.333333, 2.666667],
      [4.666667, 7.666667],
    ],
  ],
] as const)("%s", (pooling, expected) => {
  const vectors = plain(pool(states, [2, 3], pooling));
  expect(vectors.flat().map((value) => Number(value.toFixed(6)))).toEqual(expected.flat());
});

test("unit length, and a zero vector stays one", () => {
  const first = toUnitLength(Float64Array.of(3, 4));
  expect(first[0]).toBeCloseTo(0.6);
  expect(first[1]).toBeCloseTo(0.8);
  expect(plain([toUnitLength(new Float64Array(2))])).toEqual([[0, 0]]);
});
