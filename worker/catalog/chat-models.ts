/** Chat models under names of this package: small ones in web-llm's list that follow a known convention. */

import type { ChatBuilds } from "../engines/api/types.ts";
import { hubFolder } from "./hub-folder.ts";
import type { ModelRecord, ReasoningStyle } from "./model-record.ts";
import { type PrebuiltManifest, prebuiltRecord } from "./prebuilt.ts";

/** Qwen3 thinks unless disabled (its model card, "Advanced usage"). */
const QWEN3: ReasoningStyle = {
  type: "system-line",
  line: "/think",
  offLine: "/no_think",
  open: "<think>",
  close: "</think>",
};

/** Id, repository at `mlc-ai` without `-MLC`, and its authors' licence, null if uncertain. */
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

/**
 * The same weights for llama.cpp, if WebGPU is missing: repository and file. K-quants, because llama.cpp reads long
 * prompts fastest in them (`docs/llamacpp.md`); only models that a CPU runs at a readable speed.
 */
const GGUF: Readonly<Record<string, [repository: string, file: string]>> = {
  "infetch-smollm2-360m": ["bartowski/SmolLM2-360M-Instruct-GGUF", "SmolLM2-360M-Instruct-Q4_K_M.gguf"],
  "infetch-smollm2-1.7b": ["HuggingFaceTB/SmolLM2-1.7B-Instruct-GGUF", "smollm2-1.7b-instruct-q4_k_m.gguf"],
  "infetch-qwen2.5-0.5b": ["Qwen/Qwen2.5-0.5B-Instruct-GGUF", "qwen2.5-0.5b-instruct-q4_k_m.gguf"],
  "infetch-qwen2.5-1.5b": ["Qwen/Qwen2.5-1.5B-Instruct-GGUF", "qwen2.5-1.5b-instruct-q4_k_m.gguf"],
  "infetch-qwen3-0.6b": ["unsloth/Qwen3-0.6B-GGUF", "Qwen3-0.6B-Q4_K_M.gguf"],
  "infetch-llama-3.2-1b": ["bartowski/Llama-3.2-1B-Instruct-GGUF", "Llama-3.2-1B-Instruct-Q4_K_M.gguf"],
};

/** @param hubURL base URL of the weights, with a trailing slash */
export function catalogueChatModels(hubURL: string, manifest: PrebuiltManifest): ModelRecord[] {
  return CATALOGUE.map(([id, name, licence, reasoning]) => {
    const record = prebuiltRecord(`mlc-ai/${name}-MLC`, hubURL, manifest);
    if (!record) throw new Error(`web-llm has no library for ${name}.`);
    const gguf = GGUF[id];
    return {
      ...record,
      id,
      builds: { ...record.builds, ...(gguf ? ggufBuild(gguf, hubURL) : {}) },
      ...(licence ? { licence } : {}),
      ...(reasoning ? { reasoning } : {}),
    };
  });
}

function ggufBuild([repository, file]: [string, string], hubURL: string): Pick<ChatBuilds, "llamacpp"> {
  return { llamacpp: { ...hubFolder(hubURL, repository), parts: [{ name: file, bytes: 0 }] } };
}
