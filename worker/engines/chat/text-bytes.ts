/** Byte lengths of texts, without encoding texts that are far above a limit. */

import { type TokenForm, tokenBytes } from "./token-bytes.ts";

/** UTF-8 length of the text; if above `limit`, possibly a lower bound that is also above it. */
export function bytesUpTo(text: string, limit: number): number {
  // Each UTF-16 unit takes at least one UTF-8 byte.
  return text.length > limit ? text.length : new TextEncoder().encode(text).length;
}

/** Byte length of a vocabulary's longest token. */
export function longestToken(tokens: Iterable<string>, form: TokenForm): number {
  let longest = 0;
  for (const token of tokens) longest = Math.max(longest, tokenBytes(token, form).length);
  return longest;
}
