/** Tokens per prefill batch. An abort waits for one batch; larger batches are not faster. */
export const PREFILL_TOKENS = 32;
