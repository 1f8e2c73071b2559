/** Decodes vocabulary entries to the bytes that they stand for. */

/** How a vocabulary encodes bytes: MLC's `tokenizer_info.token_postproc_method`. */
export type TokenForm = "byte_level" | "byte_fallback" | "raw";

const encoder = new TextEncoder();

/** @param token the vocabulary entry */
export function tokenBytes(token: string, form: TokenForm): Uint8Array {
  if (form === "byte_level") return byteLevel(token);
  if (form === "byte_fallback") {
    const byte = /^<0x([0-9A-Fa-f]{2})>$/.exec(token);
    if (byte) return Uint8Array.of(Number.parseInt(byte[1]!, 16));
    return encoder.encode(token.replaceAll("\u2581", " "));
  }
  return encoder.encode(token);
}

/** The token in OpenAI's notation: its text, or for example `bytes:\xe2\x80` for part of a character. */
export function tokenText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return `bytes:${Array.from(bytes, (byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")}`;
  }
}

/** GPT-2's table: printable Latin-1 maps to itself, every other byte to a character from U+0100 on. */
const BYTE_OF = new Map<string, number>();
const CHARACTERS: string[] = [];
let next = 256;
for (let byte = 0; byte < 256; byte++) {
  const printable = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  CHARACTERS.push(String.fromCharCode(printable ? byte : next++));
  BYTE_OF.set(CHARACTERS[byte]!, byte);
}

/** Bytes as a vocabulary of the form `byte_level` has them. */
export function byteCharacters(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => CHARACTERS[byte]).join("");
}

function byteLevel(token: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of token) {
    const byte = BYTE_OF.get(character);
    // Added tokens such as <|im_end|> are plain text.
    if (byte === undefined) return encoder.encode(token);
    bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}
