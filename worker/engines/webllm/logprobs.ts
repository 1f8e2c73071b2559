import type { TokenLogprob } from "../types.ts";
import type { Tokenizer } from "./internals.ts";
import { type TokenForm, tokenBytes, tokenText } from "./token-bytes.ts";
import type { SampledToken } from "./token-processor.ts";

/**
 * Pairs the log probabilities of sampled tokens with the text that is delivered: a token's entry leaves with
 * the text that it ends in, and one that never reaches the client is dropped.
 */
export class LogprobLedger {
  readonly #describe: (id: number) => { token: string; bytes: number[] };
  #waiting: { entry: TokenLogprob; end: number }[] = [];
  #generated = 0;
  #delivered = 0;

  constructor(tokenizer: Tokenizer, form: TokenForm) {
    this.#describe = (id) => {
      const bytes = tokenBytes(tokenizer.idToToken(id), form);
      return { token: tokenText(bytes), bytes: Array.from(bytes) };
    };
  }

  /** Records what one step sampled. `text` is what it added to the reply, `visible` whether it is content. */
  record(sampled: readonly SampledToken[], text: string, visible: boolean): void {
    if (visible) this.#generated += text.length;
    for (const { id, logprob, top } of sampled) {
      if (!visible) continue;
      const entry = {
        ...this.#describe(id),
        logprob: finite(logprob),
        top: top.map((one) => ({ ...this.#describe(one.id), logprob: finite(one.logprob) })),
      };
      this.#waiting.push({ entry, end: this.#generated });
    }
  }

  /** The entries of the tokens that end within the next `length` characters of delivered text. */
  deliver(length: number): TokenLogprob[] {
    this.#delivered += length;
    const ready = this.#waiting.filter(({ end }) => end <= this.#delivered);
    this.#waiting = this.#waiting.filter(({ end }) => end > this.#delivered);
    return ready.map(({ entry }) => entry);
  }
}

/** OpenAI's number for "less likely than can be said": JSON has no infinity. */
function finite(logprob: number): number {
  return Math.max(logprob, -9999);
}
