type FilledIn<T> = { [Name in keyof T]?: Exclude<T[Name], ""> };

/** The fields of a form that have a value: without empty texts, lists and records. */
export function filledIn<T extends object>(fields: T): FilledIn<T> {
  const filled = Object.entries(fields).filter(([, value]) => !isEmpty(value));
  return Object.fromEntries(filled) as FilledIn<T>;
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === "";
}
