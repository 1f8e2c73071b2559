/** Byte lengths of texts whose tokenizer collapses white space. */

import { bytesUpTo } from "./text-bytes.ts";

/** Maximum characters per byte of collapsed text; longer texts count as above the limit. */
const MAX_WHITE_SPACE = 16;

/** {@link bytesUpTo} with runs of white space collapsed; a text that is almost all white space exceeds the limit. */
export function collapsedBytesUpTo(text: string, limit: number): number {
  // The replacement takes a minute for tens of megabytes.
  if (text.length > MAX_WHITE_SPACE * limit) return text.length;
  return bytesUpTo(text.replace(/\s+/g, " "), limit);
}
