import type { EngineUsage } from "../api/types.ts";

/** A conversation stays in the slot while the next prompt shares at least this part of it: 0.5, with a margin. */
const MIN_KEPT = 0.6;
/** And at least this part of the prompt: 0.1, with a margin. The margins cover token counts that are approximate. */
const MIN_SHARED = 0.2;

/** What llama.cpp holds after a reply. */
interface Held {
  scope: string;
  /** Tokens of its prompt, with one negative number for each image. */
  tokens: readonly number[];
  /** Tokens that its images have beyond those numbers. */
  imageTokens: number;
  /** Tokens of prompt and reply. */
  length: number;
}

/**
 * What llama.cpp's prompt cache holds. Its server saves a displaced conversation and restores it when a prompt begins
 * like it, from any account.
 */
export class SavedPrompts {
  readonly #bytesPerToken: number;
  readonly #limitBytes: number;
  readonly #scopes = new Set<string>();
  #savedBytes = 0;
  #held: Held | undefined;

  /** @param limitBytes the server would save 8 GB; wllama cannot lower that, and WebAssembly memory never shrinks */
  constructor(bytesPerToken: number, limitBytes = 256 * 2 ** 20) {
    this.#bytesPerToken = bytesPerToken;
    this.#limitBytes = limitBytes;
  }

  /** Whether the model must be reloaded, which frees what was saved. */
  get isFull(): boolean {
    return this.#savedBytes > this.#limitBytes;
  }

  /**
   * Whether all that llama.cpp may reuse for a prompt is of its own scope. So it is while there is one scope. Among
   * several, it is only if the prompt goes on from what the slot holds: for any other, llama.cpp searches all it saved.
   */
  mayReuse(scope: string, tokens: readonly number[]): boolean {
    if (this.#scopes.size === 0 || (this.#scopes.size === 1 && this.#scopes.has(scope))) return true;
    if (this.#held?.scope !== scope) return false;
    const differs = this.#held.tokens.findIndex((token, at) => token !== tokens[at]);
    const shared = differs < 0 ? this.#held.tokens.length : differs;
    // The number of a new image's tokens is unknown: the prompt could share too little of itself.
    if (tokens.slice(shared).some(isImage)) return false;
    // How many tokens each of several images has is unknown, too: all of them are shared, or they count as one each.
    const imageTokens = this.#held.tokens.slice(shared).some(isImage) ? 0 : this.#held.imageTokens;
    const sharedTokens = shared + imageTokens;
    return (
      sharedTokens >= MIN_KEPT * this.#held.length &&
      sharedTokens >= MIN_SHARED * (tokens.length + imageTokens)
    );
  }

  /** Records that a prompt is about to be fed, even if that fails. */
  begin(scope: string): void {
    this.#scopes.add(scope);
  }

  /** Records a finished reply. llama.cpp saves the previous conversation if the reply reused less than half of it. */
  note(
    { promptTokens, cachedTokens, completionTokens }: Omit<EngineUsage, "reasoningTokens">,
    scope: string,
    tokens: readonly number[],
  ): void {
    const heldTokens = this.#held?.length ?? 0;
    if (cachedTokens < heldTokens / 2) this.#savedBytes += heldTokens * this.#bytesPerToken;
    // If it ended before its first token, only a part of the prompt may be there.
    const known = completionTokens > 0 ? tokens : [];
    const imageTokens = known.some(isImage) ? promptTokens - known.length : 0;
    this.#held = { scope, tokens: known, imageTokens, length: promptTokens + completionTokens };
  }
}

function isImage(token: number): boolean {
  return token < 0;
}
