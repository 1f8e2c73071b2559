/** What a model's publisher recommends for sampling. */

import type { SamplingDefaults } from "../../engine-api/chat-engine.ts";

/** Beyond these limits logits overflow, also those that mask forbidden tokens: no token could be sampled. */
export const MIN_REPETITION_PENALTY = 1e-6;
export const MAX_REPETITION_PENALTY = 1e6;

/** By parameter: its name in `generation_config.json` and MLC's configuration, and the values that the API takes. */
const FIELDS: Record<keyof SamplingDefaults, [name: string, min: number, max: number]> = {
  temperature: ["temperature", 0, 2],
  topP: ["top_p", 0, 1],
  topK: ["top_k", 0, 2 ** 31 - 1],
  minP: ["min_p", 0, 1],
  frequencyPenalty: ["frequency_penalty", -2, 2],
  presencePenalty: ["presence_penalty", -2, 2],
  repetitionPenalty: ["repetition_penalty", MIN_REPETITION_PENALTY, MAX_REPETITION_PENALTY],
};

/**
 * Reads the fields of `generation_config.json` or `mlc-chat-config.json`. Values that the API would refuse are left out.
 *
 * @returns undefined if there are none
 */
export function readSamplingDefaults(
  config: Readonly<Record<string, unknown>>,
): SamplingDefaults | undefined {
  const read = Object.entries(FIELDS).flatMap(([field, [name, min, max]]) => {
    const value = config[name];
    if (typeof value !== "number" || !(value >= min && value <= max)) return [];
    return [[field, field === "topK" ? Math.trunc(value) : value] as const];
  });
  return read.length > 0 ? Object.fromEntries(read) : undefined;
}
