import type { EngineUsage } from "../../engine-api/chat-engine.ts";
import { NO_TOKENS, type TokenCounts } from "../../usage/metering/meter.ts";

const NOTHING_USED: EngineUsage = {
  promptTokens: 0,
  cachedTokens: 0,
  completionTokens: 0,
  reasoningTokens: 0,
};

/** The usage of all choices, as far as it was reported. Each prompt counts once. */
export class Totals {
  counts = NO_TOKENS;
  readonly #replies: number;
  readonly #usages: EngineUsage[] = [];
  readonly #prompts: number[] = [];

  /** @param replies to each prompt */
  constructor(replies: number) {
    this.#replies = replies;
  }

  note(choice: number, usage: EngineUsage): TokenCounts {
    const prompt = Math.floor(choice / this.#replies);
    const before = this.#usages[choice] ?? NOTHING_USED;
    const cachedBefore = this.#cachedTokensOf(prompt);
    this.#usages[choice] = usage;
    const { inputTokens, cachedTokens, outputTokens, reasoningTokens } = this.counts;
    this.counts = {
      inputTokens: inputTokens + usage.promptTokens - (this.#prompts[prompt] ?? 0),
      cachedTokens: cachedTokens + this.#cachedTokensOf(prompt) - cachedBefore,
      outputTokens: outputTokens + usage.completionTokens - before.completionTokens,
      reasoningTokens: reasoningTokens + usage.reasoningTokens - before.reasoningTokens,
    };
    this.#prompts[prompt] = usage.promptTokens;
    return this.counts;
  }

  /**
   * As the reply that fed the prompt found it, which is the one that found the fewest: a later reply may begin before the
   * first. 0 until the first reports usage.
   */
  #cachedTokensOf(prompt: number): number {
    const from = prompt * this.#replies;
    const [first, ...others] = this.#usages.slice(from, from + this.#replies);
    if (!first) return 0;
    const begun = others.filter((usage) => usage !== undefined && usage.completionTokens > 0);
    return Math.min(first.cachedTokens, ...begun.map(({ cachedTokens }) => cachedTokens));
  }
}
