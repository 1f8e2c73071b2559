const WHITE_SPACE = new Set([" ", "\n", "\r", "\t"]);

/** Length of `text` without trailing white space. */
export function endOfText(text: string): number {
  let end = text.length;
  while (end > 0 && WHITE_SPACE.has(text[end - 1]!)) end--;
  return end;
}
