import type { TokenLogprob } from "../../engine-api/chat-engine.ts";

/** Where the tokens of a choice begin in its prompt and text (`text_offset`), in UTF-16 code units. */
export class TokenOffsets {
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #end: number;

  /** @param start the length of the prompt */
  constructor(start: number) {
    this.#end = start;
  }

  /** The offsets of the next tokens. */
  next(tokens: readonly TokenLogprob[]): number[] {
    return tokens.map(({ token, bytes }) => {
      // Part of a character is written as `bytes:…`, and adds text once the character is whole.
      const isPart = token.startsWith("bytes:");
      // An unfinished character is U+FFFD in the text.
      if (!isPart || !isContinuation(bytes[0])) this.#end += this.#decoder.decode().length;
      const offset = this.#end;
      this.#end += isPart
        ? this.#decoder.decode(Uint8Array.from(bytes), { stream: true }).length
        : token.length;
      return offset;
    });
  }
}

/** Whether the byte continues a character of UTF-8. */
function isContinuation(byte = 0): boolean {
  return (byte & 0xc0) === 0x80;
}
