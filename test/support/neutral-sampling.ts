/** Sampling parameters that change nothing. */

import type { Sampling } from "../../worker/engine-api/chat-engine.ts";

export const neutralSampling: Sampling = {
  temperature: 1,
  topP: 1,
  topK: 0,
  minP: 0,
  frequencyPenalty: 0,
  presencePenalty: 0,
  repetitionPenalty: 1,
  logitBias: {},
  seed: undefined,
  maxTokens: undefined,
};
