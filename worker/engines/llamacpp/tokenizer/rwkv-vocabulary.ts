/** The vocabulary of RWKV in GGUF files: bytes, written as Python writes them, of which the longest token is taken. */

import { byteCharacters } from "../../chat/token-bytes.ts";

/** The tokens with a character for each byte, as in GPT-2's vocabularies. */
export function rwkvTokens(escaped: readonly string[]): string[] {
  return escaped.map((token) => byteCharacters(bytesOf(token)));
}

const NAMED: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r" };

/** `\t`, `\n`, `\r` and `\xff`; any other character after a backslash is itself. */
function bytesOf(token: string): Uint8Array {
  const encoder = new TextEncoder();
  const bytes: number[] = [];
  for (const [part, hex, other] of token.matchAll(/\\x([0-9a-f]{2})|\\(.)|[^\\]+/gs)) {
    if (hex) bytes.push(Number.parseInt(hex, 16));
    else bytes.push(...encoder.encode(other ? (NAMED[other] ?? other) : part));
  }
  return Uint8Array.from(bytes);
}
