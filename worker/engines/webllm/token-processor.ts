/**
 * Adds what web-llm's sampler lacks: top_k, min_p, a repetition penalty that includes the prompt, and log
 * probabilities. Attached only for requests that need it, because it copies all logits to the CPU and back per token.
 */

import type { Sampling } from "../../engine-api/chat-engine.ts";
import { type EndTokens, endsByToken } from "./end-tokens.ts";

/** A token and its log probability under the model's own distribution. */
export interface ScoredToken {
  id: number;
  logprob: number;
}

export interface SampledToken extends ScoredToken {
  /** The most likely tokens of that step, most likely first. */
  top: ScoredToken[];
}

/** The logit that the grammar mask assigns to a forbidden token. */
const IMPOSSIBLE = -3.4028234e38;

/** Whether the GPU's own sampler is insufficient. */
export function needsProcessor(sampling: Sampling, topLogprobs: number | undefined): boolean {
  return topLogprobs !== undefined || choosesTokens(sampling) || endsByToken(sampling);
}

/** Whether bias and penalties must be applied here: before a cut, and in vLLM's order. */
export function choosesTokens({ topK, minP, repetitionPenalty }: Sampling): boolean {
  return topK > 0 || minP > 0 || repetitionPenalty !== 1;
}

/** web-llm's `LogitProcessor`, for one request. */
export class TokenProcessor {
  readonly #sampling: Sampling;
  readonly #topLogprobs: number | undefined;
  /** Occurrences of each token in the reply. */
  readonly #counts = new Map<number, number>();
  /** Tokens of prompt and reply. */
  readonly #appeared: Set<number>;
  readonly #ends: EndTokens | undefined;
  #raw: Float32Array | undefined;
  #sampled: SampledToken[] = [];

  constructor(
    sampling: Sampling,
    topLogprobs: number | undefined,
    promptTokens: Iterable<number> = [],
    ends?: EndTokens,
  ) {
    this.#appeared = new Set(promptTokens);
    this.#ends = ends;
    this.#sampling = sampling;
    this.#topLogprobs = topLogprobs;
  }

  processLogits(logits: Float32Array): Float32Array {
    this.observe(logits);
    this.#ends?.mask(logits, IMPOSSIBLE);
    if (choosesTokens(this.#sampling)) {
      this.#adjust(logits);
      cut(logits, this.#sampling);
    }
    return logits;
  }

  /** Keeps the logits that log probabilities are taken from. */
  observe(logits: Float32Array): void {
    if (this.#topLogprobs !== undefined) this.#raw = logits.slice();
  }

  processSampledToken(id: number): void {
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
    this.#appeared.add(id);
    this.#ends?.take(id);
    if (this.#raw && this.#topLogprobs !== undefined)
      this.#sampled.push(score(this.#raw, id, this.#topLogprobs));
  }

  resetState(): void {}

  /** Tokens sampled since the last call. Empty unless log probabilities were requested. */
  take(): SampledToken[] {
    const sampled = this.#sampled;
    this.#sampled = [];
    return sampled;
  }

  /** vLLM's order: bias, then the repetition penalty (includes the prompt), then the penalties on the reply alone. */
  #adjust(logits: Float32Array): void {
    const { logitBias, presencePenalty, frequencyPenalty, repetitionPenalty } = this.#sampling;
    for (const [id, bias] of Object.entries(logitBias)) logits[Number(id)]! += bias;
    if (repetitionPenalty !== 1) {
      for (const id of this.#appeared) {
        const logit = logits[id]!;
        // Keeps forbidden tokens' logits finite.
        logits[id] = Math.max(IMPOSSIBLE, logit < 0 ? logit * repetitionPenalty : logit / repetitionPenalty);
      }
    }
    for (const [id, count] of this.#counts) logits[id]! -= presencePenalty + count * frequencyPenalty;
  }
}

/** Masks every token that top_k or min_p excludes. min_p is measured after the temperature. */
function cut(logits: Float32Array, { topK, minP, temperature }: Sampling): void {
  if (topK === 0 && minP === 0) return;
  let floor = Number.NEGATIVE_INFINITY;
  if (topK > 0 && topK < logits.length) floor = nthLargest(logits, topK);
  if (minP > 0) {
    floor = Math.max(floor, largest(logits) + Math.log(minP) * Math.max(temperature, 1e-6));
  }
  let left = topK || logits.length;
  for (let id = 0; id < logits.length; id++) if (logits[id]! > floor) left--;
  for (let id = 0; id < logits.length; id++) {
    if (logits[id]! > floor) continue;
    // Break ties by lowest id, so that exactly top_k tokens remain.
    if (logits[id] === floor && left > 0) left--;
    else logits[id] = IMPOSSIBLE;
  }
}

/** Up to this rank, keeping a sorted list of the largest values is faster than sorting all of them. */
const MAX_LISTED = 1_024;

function nthLargest(values: Float32Array, rank: number): number {
  if (rank <= MAX_LISTED) return best(values, rank).at(-1)!.value;
  return values.slice().sort()[values.length - rank]!;
}

/** The log probability of a token, and the most likely ones. */
export function score(logits: Float32Array, id: number, top: number): SampledToken {
  const max = largest(logits);
  let sum = 0;
  // Loops over a vocabulary run for each token: an iterator or a callback takes several times as long.
  for (let at = 0; at < logits.length; at++) sum += Math.exp(logits[at]! - max);
  const normaliser = max + Math.log(sum);
  return {
    id,
    logprob: logits[id]! - normaliser,
    top: best(logits, top).map(({ id, value }) => ({ id, logprob: value - normaliser })),
  };
}

function largest(values: Float32Array): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < values.length; at++) if (values[at]! > most) most = values[at]!;
  return most;
}

/** The `count` largest values, largest first; ties go to the lower id. */
function best(values: Float32Array, count: number): { id: number; value: number }[] {
  const found: { id: number; value: number }[] = [];
  if (count === 0) return found;
  /** The least of them, once there are so many. */
  let least = Number.NEGATIVE_INFINITY;
  for (let id = 0; id < values.length; id++) {
    const value = values[id]!;
    if (found.length === count && value <= least) continue;
    let at = found.length;
    while (at > 0 && found[at - 1]!.value < value) at--;
    found.splice(at, 0, { id, value });
    if (found.length > count) found.pop();
    least = found.at(-1)!.value;
  }
  return found;
}
