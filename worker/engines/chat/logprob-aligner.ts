import type { TokenLogprob } from "../../engine-api/chat-engine.ts";
import type { Span } from "../../reply/visible-text.ts";

/**
 * Pairs log probabilities with delivered text: a token's entry is delivered with the first of its text, so that each
 * character of the content has its token, and dropped if none is delivered, as reasoning, calls and the white space
 * around them.
 */
export class LogprobAligner {
  #waiting: { entry: TokenLogprob; start: number; end: number }[] = [];
  #generated = 0;

  /** Records one step: its sampled tokens, the text added, and whether that text may be content (`visible`). */
  record(sampled: readonly TokenLogprob[], text: string, visible: boolean): void {
    const start = this.#generated;
    this.#generated += text.length;
    if (!visible) return;
    // A token without text (control token, first part of a character) is delivered with the text after it.
    const end = Math.max(this.#generated, start + 1);
    for (const entry of sampled) this.#waiting.push({ entry, start, end });
  }

  /** Returns the entries of tokens that have a part of the delivered parts of the reply, which come in order. */
  deliver(spans: readonly Span[]): TokenLogprob[] {
    const last = spans.at(-1)?.end ?? 0;
    const decided = this.#waiting.filter(({ start }) => start < last);
    this.#waiting = this.#waiting.filter(({ start }) => start >= last);
    return decided
      .filter((token) => spans.some((span) => token.end > span.start && token.start < span.end))
      .map(({ entry }) => entry);
  }

  /** Returns the entries that are left at the end. */
  rest(): TokenLogprob[] {
    return this.#waiting.splice(0).map(({ entry }) => entry);
  }
}

/** Clamps to OpenAI's minimum of -9999, because JSON has no infinity. */
export function finiteLogprob(logprob: number): number {
  return Math.max(logprob, -9999);
}
