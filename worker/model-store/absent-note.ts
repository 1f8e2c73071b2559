/** Notes in a cache that a model has no file of some name. */

const END = "?absent";

/**
 * The address of the note.
 *
 * @param file the address of the file, in which a `?` is encoded
 */
export function absentNoteOf(file: string): string {
  return file + END;
}

export function isAbsentNote(address: string): boolean {
  return address.endsWith(END);
}
