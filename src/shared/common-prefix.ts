/** The longest text that all begin with. */
export function commonPrefix(texts: readonly string[]): string {
  const [first = ""] = texts;
  let length = first.length;
  for (const text of texts) {
    let same = 0;
    while (same < length && first[same] === text[same]) same++;
    length = same;
  }
  return first.slice(0, length);
}
