import { splitAtTokenBoundaries } from "../api/token-boundary.ts";
import type { Tokenizer } from "./tvm/pipeline.ts";

/** Stands for a token list on its way through web-llm; clients cannot send this text. */
const MARKER = "\u0000infetch-tokens:";

/** A prompt without the tokens that the engine prepends: clients' tokenizers write them, too. */
export function withoutPrefix(
  prompt: string | readonly number[],
  prefix: readonly number[],
): string | readonly number[] {
  if (typeof prompt === "string" || prefix.some((id, at) => id !== prompt[at])) return prompt;
  return prompt.slice(prefix.length);
}

/**
 * Supports prompts given as tokens. web-llm accepts only strings, and decoding tokens and encoding the text again may
 * yield different ones, so a marker is passed and the patched tokenizer replaces it with the tokens.
 */
export class PromptTokens {
  readonly #encode: (text: string) => Int32Array;
  #tokens: Int32Array | undefined;

  constructor(tokenizer: Tokenizer) {
    const encode = tokenizer.encode.bind(tokenizer);
    this.#encode = (text) => {
      const pieces = splitAtTokenBoundaries(text);
      return pieces.length === 1
        ? encode(text)
        : Int32Array.from(pieces.flatMap((piece) => Array.from(encode(piece))));
    };
    tokenizer.encode = (text) => this.encode(text);
  }

  /** Returns the text to pass to web-llm for `prompt`; valid until the next call. */
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
