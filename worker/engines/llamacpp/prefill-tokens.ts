/** Tokens per prefill batch. An abort waits for one batch; larger batches are not faster. */
export const PREFILL_TOKENS = 32;

/** The same on WebGPU, which computes a larger batch in about the same time: llama.cpp's default. */
export const PREFILL_TOKENS_ON_GPU = 512;
