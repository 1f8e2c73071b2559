/** Real chat models under names of our own: those of web-llm's list that are small and follow a known convention. */

import type { ModelRecord, ReasoningStyle } from "./model-record.ts";
import { type PrebuiltManifest, prebuiltRecord } from "./prebuilt.ts";

/** Qwen3 thinks unless it is told not to (its model card, "Advanced usage"). */
const QWEN3: ReasoningStyle = {
  type: "system-line",
  line: "/think",
  offLine: "/no_think",
  open: "<think>",
  close: "</think>",
};

/** Name here, repository at `mlc-ai` without `-MLC`, and the licence that its authors gave it, where it is certain. */
const CATALOGUE: readonly [id: string, name: string, licence: string | null, reasoning?: ReasoningStyle][] = [
  ["infetch-smollm2-360m", "SmolLM2-360M-Instruct-q4f16_1", "apache-2.0"],
  ["infetch-smollm2-1.7b", "SmolLM2-1.7B-Instruct-q4f16_1", "apache-2.0"],
  ["infetch-qwen2.5-0.5b", "Qwen2.5-0.5B-Instruct-q4f16_1", "apache-2.0"],
  ["infetch-qwen2.5-1.5b", "Qwen2.5-1.5B-Instruct-q4f16_1", "apache-2.0"],
  ["infetch-qwen2.5-7b", "Qwen2.5-7B-Instruct-q4f16_1", "apache-2.0"],
  ["infetch-qwen2.5-coder-1.5b", "Qwen2.5-Coder-1.5B-Instruct-q4f16_1", "apache-2.0"],
  ["infetch-qwen3-0.6b", "Qwen3-0.6B-q4f16_1", "apache-2.0", QWEN3],
  ["infetch-qwen3-1.7b", "Qwen3-1.7B-q4f16_1", "apache-2.0", QWEN3],
  ["infetch-qwen3-4b", "Qwen3-4B-q4f16_1", "apache-2.0", QWEN3],
  ["infetch-qwen3-8b", "Qwen3-8B-q4f16_1", "apache-2.0", QWEN3],
  ["infetch-llama-3.2-1b", "Llama-3.2-1B-Instruct-q4f16_1", "llama3.2"],
  ["infetch-llama-3.2-3b", "Llama-3.2-3B-Instruct-q4f16_1", "llama3.2"],
  ["infetch-llama-3.1-8b", "Llama-3.1-8B-Instruct-q4f16_1", "llama3.1"],
  ["infetch-hermes-3-3b", "Hermes-3-Llama-3.2-3B-q4f16_1", null],
  ["infetch-phi-3.5-mini", "Phi-3.5-mini-instruct-q4f16_1", "mit"],
  ["infetch-phi-4-mini", "Phi-4-mini-instruct-q4f16_1", "mit"],
  ["infetch-gemma-2-2b", "gemma-2-2b-it-q4f16_1", "gemma"],
  ["infetch-mistral-7b", "Mistral-7B-Instruct-v0.3-q4f16_1", "apache-2.0"],
];

/** @param hubURL where the weights come from, with a slash at its end */
export function catalogueChatModels(hubURL: string, manifest?: PrebuiltManifest): ModelRecord[] {
  return CATALOGUE.map(([id, name, licence, reasoning]) => {
    const record = prebuiltRecord(`mlc-ai/${name}-MLC`, hubURL, manifest);
    if (!record) throw new Error(`web-llm has no library for ${name}.`);
    return { ...record, id, ...(licence ? { licence } : {}), ...(reasoning ? { reasoning } : {}) };
  });
}
