/** Random requests to a sequence cache, and what must hold after each. */
import { expect } from "vitest";
import type { KvState } from "../../worker/engines/webllm/kv/kv-state.ts";
import { OutOfPages } from "../../worker/engines/webllm/kv/sequence.ts";
import { SequenceCache } from "../../worker/engines/webllm/kv/sequence-cache.ts";
import { fc } from "./random.ts";

/** A KV cache whose sequences can be fed. */
export interface FedState extends KvState {
  feed(id: number, tokens: readonly number[]): void | Promise<void>;
}

interface Running {
  scope: string;
  tokens: number[];
  /** Tokens of the prompt that are still to be fed. */
  rest: number[];
}

/** Prompts go on from a running conversation, or from one of so many that ended last. */
const RECENT = 5;

/** Numbers that pick an operation and its parameters, whatever the state is. */
const operation = fc.noBias(
  fc.record({
    kind: fc.constantFrom(
      "admit",
      "admit",
      "feed",
      "feed",
      "feed",
      "feed",
      "decode",
      "retain",
      "retain",
      "drop",
    ),
    which: fc.nat({ max: 1_000 }),
    scope: fc.constantFrom("a", "a", "b"),
    /** The percentage of an earlier conversation that a prompt begins with. */
    share: fc.nat({ max: 100 }),
    tail: fc.array(fc.nat({ max: 255 }), { minLength: 1, maxLength: 30, size: "max" }),
    count: fc.integer({ min: 1, max: 48 }),
  }),
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

export const requests = (count: number) =>
  fc.array(operation, { minLength: count, maxLength: count, size: "max" });

export class RandomRequests {
  readonly #state: FedState;
  readonly #cache: SequenceCache;
  readonly #longest: number;
  readonly #conversations: number[][] = [];
  readonly #pages: number;
  readonly running = new Map<number, Running>();
  /** The scope of every sequence there ever was. */
  readonly scopes = new Map<number, string>();
  /** How often something of interest happened. */
  readonly counts = { reused: 0, refused: 0, fed: 0 };

  /** @param longest tokens of one sequence */
  constructor(
    state: FedState,
    longest: number,
    config: { maxSequences?: number; forksFreely?: boolean } = {},
  ) {
    this.#pages = state.availablePages();
    this.#longest = longest;
    this.#state = state;
    this.#cache = new SequenceCache(state, { pages: this.#pages, pageSize: 16, ...config });
  }

  async apply(one: Operation): Promise<void> {
    const ids = [...this.running.keys()];
    const id = ids[one.which % ids.length];
    if (one.kind === "admit" || id === undefined) this.#admit(one);
    else await this.#continue(id, one);
    this.#cache.verify();
    const { free, retained, active } = this.#cache.pages;
    expect([free + retained + active, Math.min(free, retained, active) >= 0]).toEqual([this.#pages, true]);
    const length = [...this.running.values()].reduce((sum, { tokens }) => sum + tokens.length, 0);
    expect(this.#cache.tokens.active).toBe(length);
  }

  /** Ends everything: all pages are free again. */
  end(): void {
    for (const id of this.running.keys()) this.#cache.retain(id);
    expect(this.#cache.pages.active).toBe(0);
    this.#cache.clear();
    this.#cache.verify();
    expect(this.#cache.pages).toEqual({ free: this.#pages, retained: 0, active: 0 });
  }

  #admit({ which, scope, share, tail }: Operation): void {
    const running = [...this.running.values()].map(({ tokens }) => tokens);
    const known = [...this.#conversations.slice(-RECENT), ...running];
    const earlier = known[which % known.length] ?? [];
    const begin = earlier.slice(0, Math.round(Math.sqrt(share / 100) * earlier.length));
    const prompt = [...begin, ...tail].slice(0, this.#longest);
    try {
      const { id, matched } = this.#cache.admit(scope, prompt);
      expect(this.running.has(id)).toBe(false);
      expect(matched).toBeLessThanOrEqual(Math.max(0, prompt.length - 2));
      expect(this.scopes.get(id) ?? scope).toBe(scope);
      this.scopes.set(id, scope);
      this.running.set(id, { scope, tokens: prompt.slice(0, matched), rest: prompt.slice(matched) });
      if (matched > 0) this.counts.reused++;
    } catch (error) {
      expect(error).toBeInstanceOf(OutOfPages);
      this.counts.refused++;
    }
  }

  async #continue(id: number, { kind, tail, count }: Operation): Promise<void> {
    const running = this.running.get(id)!;
    if (kind === "feed" || kind === "decode") {
      const isPrompt = running.rest.length > 0;
      const tokens = isPrompt ? running.rest.splice(0, count) : tail.slice(0, kind === "feed" ? count : 1);
      if (running.tokens.length + tokens.length > this.#longest) return;
      if (!isPrompt && !this.#cache.reserve(id, tokens.length)) return void this.counts.refused++;
      await this.#state.feed(id, tokens);
      this.#cache.fed(id, tokens);
      running.tokens.push(...tokens);
      this.counts.fed++;
      return;
    }
    this.#conversations.push(running.tokens);
    this.running.delete(id);
    if (kind === "retain") this.#cache.retain(id);
    else this.#cache.drop(id);
  }
}
