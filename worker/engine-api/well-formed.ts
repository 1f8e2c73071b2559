/** The text with U+FFFD for each half of a character. Such a text has no encoding. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}
