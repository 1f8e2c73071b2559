import { type SampledToken, score } from "../token-processor.ts";

export interface RankedToken extends SampledToken {
  /** 1 for the most likely token. */
  rank: number;
}

/** The log probabilities of a prompt's tokens, each given those before it. */
export class PromptScores {
  readonly #prompt: readonly number[];
  readonly #top: number;
  /** The first token follows nothing. */
  #scores: (RankedToken | undefined)[] = [undefined];

  /** @param top alternatives to report with each */
  constructor(prompt: readonly number[], top: number) {
    this.#prompt = prompt;
    this.#top = top;
  }

  /** One for each token, once {@link isWhole}. */
  get scores(): readonly (RankedToken | undefined)[] {
    return this.#scores;
  }

  get isWhole(): boolean {
    return this.#scores.length === this.#prompt.length;
  }

  /** Forgets what follows the first `length` tokens, which are fed again. */
  cut(length: number): void {
    this.#scores = this.#scores.slice(0, length + 1);
  }

  /** @param logits after each of the next tokens */
  add(logits: Float32Array, vocabularySize: number): void {
    for (let start = 0; start < logits.length; start += vocabularySize) {
      const row = logits.subarray(start, start + vocabularySize);
      const id = this.#prompt[this.#scores.length]!;
      this.#scores.push({ ...score(row, id, this.#top), rank: rankOf(row, id) });
    }
  }
}

function rankOf(logits: Float32Array, id: number): number {
  const own = logits[id]!;
  let rank = 1;
  for (const logit of logits) if (logit > own) rank++;
  return rank;
}
