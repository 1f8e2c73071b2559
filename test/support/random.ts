/**
 * Seeded randomness of the tests. The seed is the UTC date, such as `20261122`, so that it changes daily. A
 * run prints it, and `TEST_SEED` overrides it. All tests import fast-check from here.
 */

import fc from "fast-check";

/** Set by `vitest.config.ts`, in Node and in pages. */
export const seed = Number(import.meta.env!.TEST_SEED);
if (!Number.isSafeInteger(seed)) throw new Error("TEST_SEED must be a whole number: see vitest.config.ts.");

fc.configureGlobal({ seed });

/** Every second of these, by the seed: odd and even days have all. For tests that repeat one behaviour for minutes. */
export function ofTheDay<T>(all: readonly T[]): T[] {
  return all.filter((_, index) => (seed + index) % 2 === 0);
}

export { fc };
