/**
 * Seeded randomness of the tests. The seed is the UTC date, such as `20261122`, so that it changes daily. A
 * run prints it, and `TEST_SEED` overrides it. All tests import fast-check from here.
 */

import fc from "fast-check";

/** Set by `vitest.config.ts`, in Node and in pages. */
export const seed = Number(import.meta.env!.TEST_SEED);
if (!Number.isSafeInteger(seed)) throw new Error("TEST_SEED must be a whole number: see vitest.config.ts.");

fc.configureGlobal({ seed });

/** Every second one, by the seed's parity: an odd and an even day together run all. For tests that repeat one behaviour for minutes. */
export function ofTheDay<T>(all: readonly T[]): T[] {
  if (all.length < 2) throw new Error("On half of the days no test would run.");
  return all.filter((_, index) => (seed + index) % 2 === 0);
}

export { fc };
