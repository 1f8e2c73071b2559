/** The option `parallel`: how many replies of a chat model run side by side. */

/** What the kernels of MLC's libraries are made for; more would be slower. */
export const MOST_PARALLEL = 8;

/** A fixed number, or as many as the device gains by. */
export type Parallel = number | "auto";

export const PARALLEL_VALUES = `"auto" or a whole number from 1 to ${MOST_PARALLEL}`;

export function isParallel(value: unknown): value is Parallel {
  return (
    value === "auto" || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MOST_PARALLEL)
  );
}

/** @throws {TypeError} */
export function requireParallel(value: unknown): Parallel {
  if (!isParallel(value)) throw new TypeError(`parallel must be ${PARALLEL_VALUES}.`);
  return value;
}
