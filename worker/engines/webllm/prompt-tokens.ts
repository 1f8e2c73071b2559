import type { Tokenizer } from "./internals.ts";

/** No text that a client can send: it stands for a list of tokens on the way through web-llm. */
const MARKER = "\u0000infetch-tokens:";

/**
 * Lets a prompt be given as tokens. web-llm takes strings only, and to decode tokens and encode the text again
 * may give other ones; so a list travels as a marker, and the tokenizer of this one model gives it back.
 */
export class PromptTokens {
  readonly #encode: (text: string) => Int32Array;
  #tokens: Int32Array | undefined;

  constructor(tokenizer: Tokenizer) {
    this.#encode = tokenizer.encode.bind(tokenizer);
    tokenizer.encode = (text) => this.encode(text);
  }

  /** The text under which `prompt` may be handed to web-llm until the next call. */
  asText(prompt: string | readonly number[]): string {
    this.#tokens = typeof prompt === "string" ? undefined : Int32Array.from(prompt);
    return typeof prompt === "string" ? prompt : MARKER;
  }

  encode(text: string): Int32Array {
    if (text === MARKER && this.#tokens) return this.#tokens;
    return this.#encode(text);
  }

  count(prompt: string | readonly number[]): number {
    return typeof prompt === "string" ? this.#encode(prompt).length : prompt.length;
  }
}
