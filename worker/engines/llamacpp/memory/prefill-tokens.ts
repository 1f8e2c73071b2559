/** Tokens per prefill batch. An abort waits for one batch; larger batches are not faster. */
const PREFILL_TOKENS = 32;

/** The same on WebGPU, which computes a larger batch in about the same time: llama.cpp's default. */
const PREFILL_TOKENS_ON_GPU = 512;

/** The same for a model with a projector: some models compute all tokens of an image at once, up to 256. */
const PREFILL_TOKENS_WITH_IMAGES = 512;

/** Tokens that llama.cpp computes at once. */
export function prefillTokens(onGPU: boolean, hasProjector: boolean): number {
  if (onGPU) return PREFILL_TOKENS_ON_GPU;
  return hasProjector ? PREFILL_TOKENS_WITH_IMAGES : PREFILL_TOKENS;
}
