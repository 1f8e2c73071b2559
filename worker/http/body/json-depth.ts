/** More than any real request has. Beyond some thousand, recursion over a value overflows the stack. */
export const MAX_JSON_DEPTH = 512;

/** Whether parsed JSON is nested more than {@link MAX_JSON_DEPTH} levels deep. Does not recurse. */
export function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isNested);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === MAX_JSON_DEPTH) return true;
    level = level.flatMap((one) => Object.values(one).filter(isNested));
  }
  return false;
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
