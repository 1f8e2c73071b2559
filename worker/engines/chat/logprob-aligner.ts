import type { Span } from "../../reply/visible-text.ts";
import type { TokenLogprob } from "../api/types.ts";

/**
 * Pairs log probabilities with delivered text: a token's entry is delivered with the text that contains its end, and
 * dropped if that is never delivered, as reasoning, calls and the white space around them.
 */
export class LogprobAligner {
  #waiting: { entry: TokenLogprob; end: number }[] = [];
  #generated = 0;

  /** Records one step: its sampled tokens, the text added, and whether that text may be content (`visible`). */
  record(sampled: readonly TokenLogprob[], text: string, visible: boolean): void {
    this.#generated += text.length;
    if (!visible) return;
    // A token without text (control token, first part of a character) is delivered with the text after it.
    const end = text === "" ? this.#generated + 1 : this.#generated;
    for (const entry of sampled) this.#waiting.push({ entry, end });
  }

  /** Returns the entries of tokens that end within the delivered parts of the reply, which come in order. */
  deliver(spans: readonly Span[]): TokenLogprob[] {
    const last = spans.at(-1)?.end ?? 0;
    const decided = this.#waiting.filter(({ end }) => end <= last);
    this.#waiting = this.#waiting.filter(({ end }) => end > last);
    const isDelivered = (end: number): boolean => spans.some((span) => end > span.start && end <= span.end);
    return decided.filter(({ end }) => isDelivered(end)).map(({ entry }) => entry);
  }
}

/** Clamps to OpenAI's minimum of -9999, because JSON has no infinity. */
export function finiteLogprob(logprob: number): number {
  return Math.max(logprob, -9999);
}
