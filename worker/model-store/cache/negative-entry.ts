/** Negative cache entries: that a model has no file of some name. */

const END = "?absent";

/**
 * The address of the entry.
 *
 * @param file the address of the file, in which a `?` is encoded
 */
export function negativeEntryOf(file: string): string {
  return file + END;
}

export function isNegativeEntry(address: string): boolean {
  return address.endsWith(END);
}
