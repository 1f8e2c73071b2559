/** Context window of chat models unless another is asked for: reading longer prompts takes minutes on a CPU. */
export const DEFAULT_CONTEXT = 8_192;
