import { splitAtTokenBoundaries } from "../../../engine-api/token-boundary.ts";
import { RecentPrompts } from "../../chat/recent-prompts.ts";
import type { Tokenizer } from "../tvm/pipeline.ts";

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
  readonly #recent: RecentPrompts;
  #tokens: Int32Array | undefined;

  constructor(tokenizer: Tokenizer) {
    const encode = tokenizer.encode.bind(tokenizer);
    this.#recent = new RecentPrompts(splitAtTokenBoundaries, encode);
    tokenizer.encode = (text) => this.encode(text);
  }

  /** Returns the text to pass to web-llm for `prompt`; valid until the next call. */
  asText(prompt: string | readonly number[]): string {
    this.#tokens = typeof prompt === "string" ? undefined : Int32Array.from(prompt);
    return typeof prompt === "string" ? prompt : MARKER;
  }

  /** @param scope whose prompt it is: its tokens are kept */
  encode(text: string, scope?: string): Int32Array {
    if (text === MARKER && this.#tokens) return this.#tokens;
    return Int32Array.from(this.#recent.encode(text, scope));
  }

  count(prompt: string | readonly number[], scope?: string): number {
    return typeof prompt === "string" ? this.#recent.encode(prompt, scope).length : prompt.length;
  }
}
