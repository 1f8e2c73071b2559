import { comparableArguments } from "../tools/custom/custom-call.ts";
import { CharacterLimit, LimitedMap } from "./character-limit.ts";
import type { RepliedWith, VisibleReply } from "./seen-reply.ts";

/** Maximum number of cached replies. Each conversation only needs its last ones. */
const CAPACITY = 64;

/** Maximum number of characters in the caches of all accounts: prompts, replies and thoughts. */
const MAX_CHARACTERS = 2 ** 24;

/**
 * Caches what clients do not send back: the raw text of replies whose visible form differs, so that the next prompt
 * of the conversation matches the KV cache token by token, and the thoughts before tool calls, which templates keep
 * until the next user message.
 */
export class ReplyCache {
  readonly #replies: LimitedMap<{ visible: string; raw: string; hasThought: boolean }>;
  readonly #thoughts: LimitedMap<string>;

  constructor(limit = new CharacterLimit(MAX_CHARACTERS)) {
    this.#replies = new LimitedMap(CAPACITY, limit);
    this.#thoughts = new LimitedMap(CAPACITY, limit);
  }

  remember({ prompt, seen, raw }: RepliedWith): void {
    this.#replies.delete(prompt);
    const call = seen.callIds[0];
    if (call !== undefined && seen.reasoning !== "")
      this.#thoughts.set(call, seen.reasoning, call.length + seen.reasoning.length);
    if (seen.text === raw && seen.toolCalls.length === 0) return;
    const visible = keyOf(seen);
    const reply = { visible, raw, hasThought: seen.reasoning !== "" };
    this.#replies.set(prompt, reply, prompt.length + visible.length + raw.length);
  }

  /** Drops all: no request finds this cache any more. */
  clear(): void {
    this.#replies.clear();
    this.#thoughts.clear();
  }

  /** How many replies with this visible form and without a thought are cached, whatever their prompts. */
  countOf(visible: VisibleReply): number {
    const key = keyOf(visible);
    return [...this.#replies.entries()].filter(([, one]) => one.visible === key && !one.hasThought).length;
  }

  /** Whether one of these replies answered a prompt with this beginning. */
  follows(beginning: string, visible: VisibleReply): boolean {
    const key = keyOf(visible);
    return [...this.#replies.entries()].some(
      ([prompt, one]) => one.visible === key && !one.hasThought && prompt.startsWith(beginning),
    );
  }

  /**
   * The raw text of a reply to exactly this prompt, or undefined.
   *
   * @param withThought whether a reply that began with a thought is returned, thought included
   */
  find(prompt: string, visible: VisibleReply, withThought: boolean): string | undefined {
    const known = this.#replies.get(prompt);
    if (known?.visible !== keyOf(visible)) return undefined;
    return known.hasThought && !withThought ? undefined : known.raw;
  }

  /** The thought before a reply's calls, by the id of the first. */
  thoughtBefore(callId: string | undefined): string | undefined {
    return callId === undefined ? undefined : this.#thoughts.get(callId);
  }
}

/** Maximum number of accounts with cached replies. */
const ACCOUNTS = 64;

/** One cache for each account: the raw text of a reply is part of later prompts, whose tokens are reported. */
export class ReplyCaches {
  readonly #caches = new Map<string, ReplyCache>();
  readonly #limit: CharacterLimit;

  /** @param maxCharacters of all accounts together */
  constructor(maxCharacters = MAX_CHARACTERS) {
    this.#limit = new CharacterLimit(maxCharacters);
  }

  of(account: string): ReplyCache {
    const cache = this.#caches.get(account) ?? new ReplyCache(this.#limit);
    this.#caches.delete(account);
    this.#caches.set(account, cache);
    const [oldest] = this.#caches;
    if (this.#caches.size > ACCOUNTS && oldest) {
      this.#caches.delete(oldest[0]);
      oldest[1].clear();
    }
    return cache;
  }
}

function keyOf({ text, toolCalls }: VisibleReply): string {
  return JSON.stringify([text, toolCalls.map((call) => [call.name, comparableArguments(call.arguments)])]);
}
