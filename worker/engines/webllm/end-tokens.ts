import type { GenerateRequest, Sampling } from "../../engine-api/chat-engine.ts";

/** Implements `stop_token_ids` and `min_tokens`: extra end tokens, and end tokens that may not be sampled yet. */
export class EndTokens {
  readonly #stops: ReadonlySet<number>;
  readonly #ends: readonly number[];
  readonly #onStop: () => void;
  #left: number;
  #stopped = false;

  /**
   * @param modelEnds the model's own end tokens
   * @param isConstrained disables `min_tokens`: masking the end token that a grammar requires leaves no valid token
   * @param onStop called when one of the request's stop tokens is sampled
   */
  constructor(
    sampling: Sampling,
    modelEnds: readonly number[],
    isConstrained: boolean,
    onStop: () => void = () => {},
  ) {
    this.#onStop = onStop;
    this.#stops = new Set(sampling.stopTokens);
    this.#ends = [...modelEnds, ...this.#stops];
    this.#left = isConstrained ? 0 : (sampling.minTokens ?? 0);
  }

  /** True once one of the request's stop tokens is sampled. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** End tokens that may not be sampled yet; undefined if all may. */
  get barred(): readonly number[] | undefined {
    return this.#left > 0 && this.#ends.length > 0 ? this.#ends : undefined;
  }

  /** Masks end tokens before `min_tokens` is reached. */
  mask(logits: Float32Array, impossible: number): void {
    if (this.#left <= 0) return;
    for (const id of this.#ends) if (id < logits.length) logits[id] = impossible;
  }

  take(id: number): void {
    this.#left--;
    if (!this.#stops.has(id)) return;
    this.#stopped = true;
    this.#onStop();
  }
}

/** Whether a request needs {@link EndTokens}. */
export function endsByToken({ stopTokens, minTokens }: Sampling): boolean {
  return stopTokens !== undefined || minTokens !== undefined;
}

/** Whether a reply continues after the model's own end tokens. Never past the end of a grammar: xgrammar aborts. */
export function ignoresEnds({
  sampling,
  constraint,
}: Pick<GenerateRequest, "sampling" | "constraint">): boolean {
  return sampling.ignoreEos === true && constraint === undefined;
}
