/** Numbers of things in a model's files, which nothing has checked: integers of 1 or more. */

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

/** Undefined for any other value. */
export function countOf(value: unknown): number | undefined {
  return isCount(value) ? value : undefined;
}
