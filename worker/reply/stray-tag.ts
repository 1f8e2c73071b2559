/** Longest name that is looked for: text that may be a tag is read again with each piece. */
const TAG = /^<\/[A-Za-z][\w:.-]{0,40}>/;
const BEGUN = /^<(?:\/(?:[A-Za-z][\w:.-]{0,40})?)?$/;

/**
 * Length of a closing tag, such as a second `</function>` or `</think>`, that a text begins with; 0: none; undefined if
 * more text is needed. After a call, models write such tags (Qwen3.6: Ollama's issue 16383), which close nothing.
 *
 * @param markers that are read as such. @default none
 */
export function strayTagLength(text: string, markers: readonly string[] = []): number | undefined {
  if (markers.some((marker) => text.startsWith(marker) || marker.startsWith(text))) return 0;
  const [tag] = TAG.exec(text) ?? [];
  return tag?.length ?? (BEGUN.test(text) ? undefined : 0);
}
