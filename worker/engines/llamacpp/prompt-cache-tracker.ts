import type { EngineUsage } from "../../engine-api/chat-engine.ts";

/** A conversation stays in the slot while the next prompt shares at least this part of it: 0.5, with a margin. */
const MIN_KEPT = 0.6;
/** And at least this part of the prompt: 0.1, with a margin. The margins cover token counts that are approximate. */
const MIN_SHARED = 0.2;

/** Memory of one conversation. */
export interface ConversationSize {
  /** Keys and values of one token. */
  bytesPerToken: number;
  /** State of recurrent layers, however long the conversation is. */
  stateBytes: number;
}

/** llama.cpp saves a state with a copy from before the prompt's end, to which the conversation can go back. */
const STATES_SAVED = 2;

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
export class PromptCacheTracker {
  readonly #size: ConversationSize;
  readonly #limitBytes: number;
  readonly #scopes = new Set<string>();
  #savedBytes = 0;
  #held: Held | undefined;
  /** Beginnings of the prompts that were fed, each up to its last image that directly follows another. */
  readonly #withNeighbours: (readonly number[])[] = [];

  /** @param limitBytes the server would save 8 GB; wllama cannot lower that, and WebAssembly memory never shrinks */
  constructor(size: ConversationSize, limitBytes = 256 * 2 ** 20) {
    this.#size = size;
    this.#limitBytes = limitBytes;
  }

  /** Whether the model must be reloaded, which frees what was saved. */
  get isFull(): boolean {
    return this.#savedBytes > this.#limitBytes;
  }

  /**
   * Whether all that llama.cpp may reuse for a prompt is of its own scope, and can be cut where the prompt differs. A
   * prompt that goes on from what the slot holds reuses that. For any other, llama.cpp searches all it saved: it may
   * while there is one scope.
   */
  mayReuse(scope: string, tokens: readonly number[]): boolean {
    const held = this.#heldBefore(tokens);
    if (held) return held.scope === scope && !partsImages(held.tokens, tokens);
    const isOnly = [...this.#scopes].every((one) => one === scope);
    return isOnly && !this.#withNeighbours.some((fed) => partsImages(fed, tokens));
  }

  /** What the slot holds, if the prompt surely goes on from it. */
  #heldBefore(tokens: readonly number[]): Held | undefined {
    const held = this.#held;
    if (!held) return undefined;
    const shared = sharedLength(held.tokens, tokens);
    // The number of a new image's tokens is unknown: the prompt could share too little of itself.
    if (tokens.slice(shared).some(isImage)) return undefined;
    // How many tokens each of several images has is unknown, too: all of them are shared, or they count as one each.
    const imageTokens = held.tokens.slice(shared).some(isImage) ? 0 : held.imageTokens;
    const sharedTokens = shared + imageTokens;
    const goesOn =
      sharedTokens >= MIN_KEPT * held.length && sharedTokens >= MIN_SHARED * (tokens.length + imageTokens);
    return goesOn ? held : undefined;
  }

  /** Records that a prompt is about to be fed, even if that fails. */
  begin(scope: string, tokens: readonly number[]): void {
    this.#scopes.add(scope);
    const last = tokens.findLastIndex((token, at) => isImage(token) && isImage(tokens[at - 1] ?? 0));
    if (last < 0 || this.#withNeighbours.some((fed) => sharedLength(fed, tokens) > last)) return;
    this.#withNeighbours.push(tokens.slice(0, last + 1));
  }

  /** Records a finished reply. llama.cpp saves the previous conversation if the reply reused less than half of it. */
  note(
    { promptTokens, cachedTokens, completionTokens }: Omit<EngineUsage, "reasoningTokens">,
    scope: string,
    tokens: readonly number[],
  ): void {
    const heldTokens = this.#held?.length ?? 0;
    const { bytesPerToken, stateBytes } = this.#size;
    if (cachedTokens < heldTokens / 2)
      this.#savedBytes += heldTokens * bytesPerToken + STATES_SAVED * stateBytes;
    // If it ended before its first token, only a part of the prompt may be there.
    const known = completionTokens > 0 ? tokens : [];
    const imageTokens = known.some(isImage) ? promptTokens - known.length : 0;
    this.#held = { scope, tokens: known, imageTokens, length: promptTokens + completionTokens };
  }
}

/** Whether `tokens` first differs between two adjacent images of `fed`, where llama.cpp cannot cut its cache. */
function partsImages(fed: readonly number[], tokens: readonly number[]): boolean {
  const shared = sharedLength(fed, tokens);
  return isImage(fed[shared - 1] ?? 0) && isImage(fed[shared] ?? 0);
}

function sharedLength(one: readonly number[], other: readonly number[]): number {
  const differs = one.findIndex((token, at) => token !== other[at]);
  return differs < 0 ? one.length : differs;
}

function isImage(token: number): boolean {
  return token < 0;
}
