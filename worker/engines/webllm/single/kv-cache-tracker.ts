/**
 * Tracks the contents of web-llm's KV cache. The cache is reused only if its tokens are an exact prefix of the new
 * prompt's tokens, so reuse never changes a reply.
 */

/** How a prompt is passed to web-llm: alternating pieces of prompt text and earlier replies. */
export interface PromptPlan {
  /** Odd entries are replies; the last entry is prefilled. */
  pieces: string[];
  /** Tokens of the prompt, without the model's prefix. */
  tokens: readonly number[];
  /** Whether web-llm must be reset first. */
  reset: boolean;
  promptTokens: number;
  cachedTokens: number;
}

export class KvCacheTracker {
  #pieces: string[] = [];
  #tokens: number[] = [];
  /** Whose prompt and reply these are. */
  #scope: string | undefined;
  #plan: { pieces: string[]; tokens: number[]; scope: string } | undefined;

  /**
   * Plans one prompt. The cache counts as lost until {@link keep} is called.
   *
   * @param scope {@link GenerateRequest.cacheScope}: nothing is reused across scopes
   * @param encode the model's tokenizer
   * @param prefix number of tokens that the model prepends to a new prompt
   */
  plan(
    scope: string,
    prompt: string,
    encode: (text: string) => ArrayLike<number>,
    prefix: number,
  ): PromptPlan {
    const tokens = Array.from(encode(prompt));
    const cached = scope === this.#scope && this.#reusable(prompt, tokens, encode);
    const pieces = cached ? [...this.#pieces, prompt.slice(this.#pieces.join("").length)] : [prompt];
    const cachedTokens = cached ? this.#tokens.length + prefix : 0;
    this.#plan = { pieces, tokens, scope };
    this.drop();
    return { pieces, tokens, reset: !cached, promptTokens: tokens.length + prefix, cachedTokens };
  }

  /** Records that prompt and reply are in the cache, after a reply that ended with the model's own end token. */
  keep(reply: string, replyTokens: readonly number[]): void {
    if (!this.#plan) return;
    this.#scope = this.#plan.scope;
    this.#pieces = [...this.#plan.pieces, reply];
    this.#tokens = [...this.#plan.tokens, ...replyTokens];
  }

  /** Tokens that a later prompt can reuse. */
  get length(): number {
    return this.#tokens.length;
  }

  /** Forgets the cache contents. */
  drop(): void {
    this.#pieces = [];
    this.#tokens = [];
  }

  #reusable(prompt: string, tokens: readonly number[], encode: (text: string) => ArrayLike<number>): boolean {
    if (this.#pieces.length === 0 || tokens.length <= this.#tokens.length) return false;
    const text = this.#pieces.join("");
    if (!prompt.startsWith(text)) return false;
    if (this.#tokens.some((token, at) => token !== tokens[at])) return false;
    // web-llm encodes the rest separately: it must yield the same tokens as within the whole prompt.
    const rest = Array.from(encode(prompt.slice(text.length)));
    return (
      rest.length === tokens.length - this.#tokens.length &&
      rest.every((token, at) => token === tokens[this.#tokens.length + at])
    );
  }
}
