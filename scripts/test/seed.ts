/** Seed of randomized tests: `TEST_SEED`, else the UTC date as a number, for example 20261122. */
export function testSeed(): number {
  const wanted = process.env.TEST_SEED;
  if (wanted === undefined) return Number(new Date().toISOString().slice(0, 10).replaceAll("-", ""));
  const seed = Number(wanted);
  if (/^-?\d+$/.test(wanted) && Math.abs(seed) < 2 ** 31) return seed;
  throw new Error(`TEST_SEED must be a whole number of 32 bits, not "${wanted}".`);
}
