/** The chat models of the catalogue. `test/unit/catalog/web-llm-list.test.ts` compares them with web-llm's list. */

import type { SamplingDefaults } from "../../engine-api/chat-engine.ts";
import type { ReasoningStyle } from "../model-record.ts";

export interface ChatModelRow {
  /** Name of the MLC builds at `mlc-ai`, without quantization and `-MLC`. */
  mlc: string;
  /** Licence tag of the authors' repository; absent if uncertain. */
  licence?: string;
  /** Whether the model's own template has a known tool format. */
  tools?: true;
  /** Whether the template thinks; a style is for builds without a template. */
  reasoning?: true | ReasoningStyle;
  /** `generation_config.json` of the authors, or their model card. */
  sampling?: SamplingDefaults;
  /** `<org>/<repository>/<file>` of the same weights for llama.cpp. */
  gguf?: string;
}

/** Qwen3 thinks unless disabled (its model card, "Advanced usage"). */
const QWEN3_REASONING: ReasoningStyle = {
  type: "system-line",
  line: "/think",
  offLine: "/no_think",
  open: "<think>",
  close: "</think>",
};

const QWEN2_5: SamplingDefaults = { temperature: 0.7, topP: 0.8, topK: 20 };
const QWEN3 = {
  licence: "apache-2.0",
  tools: true,
  reasoning: QWEN3_REASONING,
  sampling: { temperature: 0.6, topP: 0.95, topK: 20 },
} as const;
const QWEN3_5 = { licence: "apache-2.0", tools: true, reasoning: true } as const;
const LLAMA: SamplingDefaults = { temperature: 0.6, topP: 0.9 };
const R1 = { licence: "mit", reasoning: true, sampling: { temperature: 0.6, topP: 0.95 } } as const;
const APACHE = { licence: "apache-2.0" } as const;
const APACHE_TOOLS = { ...APACHE, tools: true } as const;
const GEMMA = { licence: "gemma" } as const;

/**
 * By id without `infetch-`. GGUF files are K-quants, in which llama.cpp reads long prompts fastest
 * (`docs/llamacpp.md`), of at most 2 GiB: larger models are too slow on a CPU.
 */
export const CHAT_MODELS: Readonly<Record<string, ChatModelRow>> = {
  "smollm2-135m": {
    mlc: "SmolLM2-135M-Instruct",
    ...APACHE,
    gguf: "bartowski/SmolLM2-135M-Instruct-GGUF/SmolLM2-135M-Instruct-Q4_K_M.gguf",
  },
  "smollm2-360m": {
    mlc: "SmolLM2-360M-Instruct",
    ...APACHE,
    gguf: "bartowski/SmolLM2-360M-Instruct-GGUF/SmolLM2-360M-Instruct-Q4_K_M.gguf",
  },
  "smollm2-1.7b": {
    mlc: "SmolLM2-1.7B-Instruct",
    ...APACHE,
    gguf: "HuggingFaceTB/SmolLM2-1.7B-Instruct-GGUF/smollm2-1.7b-instruct-q4_k_m.gguf",
  },
  "qwen2.5-0.5b": {
    mlc: "Qwen2.5-0.5B-Instruct",
    ...APACHE_TOOLS,
    sampling: { ...QWEN2_5, repetitionPenalty: 1.1 },
    gguf: "Qwen/Qwen2.5-0.5B-Instruct-GGUF/qwen2.5-0.5b-instruct-q4_k_m.gguf",
  },
  "qwen2.5-1.5b": {
    mlc: "Qwen2.5-1.5B-Instruct",
    ...APACHE_TOOLS,
    sampling: QWEN2_5,
    gguf: "Qwen/Qwen2.5-1.5B-Instruct-GGUF/qwen2.5-1.5b-instruct-q4_k_m.gguf",
  },
  "qwen2.5-3b": {
    mlc: "Qwen2.5-3B-Instruct",
    licence: "qwen-research",
    tools: true,
    sampling: QWEN2_5,
    gguf: "Qwen/Qwen2.5-3B-Instruct-GGUF/qwen2.5-3b-instruct-q4_k_m.gguf",
  },
  "qwen2.5-7b": {
    mlc: "Qwen2.5-7B-Instruct",
    ...APACHE_TOOLS,
    sampling: { ...QWEN2_5, repetitionPenalty: 1.05 },
  },
  "qwen2.5-coder-0.5b": {
    mlc: "Qwen2.5-Coder-0.5B-Instruct",
    ...APACHE_TOOLS,
    sampling: QWEN2_5,
    gguf: "Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF/qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
  },
  "qwen2.5-coder-1.5b": {
    mlc: "Qwen2.5-Coder-1.5B-Instruct",
    ...APACHE_TOOLS,
    sampling: QWEN2_5,
    gguf: "Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
  },
  "qwen2.5-coder-3b": {
    mlc: "Qwen2.5-Coder-3B-Instruct",
    licence: "qwen-research",
    tools: true,
    sampling: QWEN2_5,
    gguf: "Qwen/Qwen2.5-Coder-3B-Instruct-GGUF/qwen2.5-coder-3b-instruct-q4_k_m.gguf",
  },
  "qwen2.5-coder-7b": { mlc: "Qwen2.5-Coder-7B-Instruct", ...APACHE_TOOLS, sampling: QWEN2_5 },
  "qwen3-0.6b": { mlc: "Qwen3-0.6B", ...QWEN3, gguf: "unsloth/Qwen3-0.6B-GGUF/Qwen3-0.6B-Q4_K_M.gguf" },
  "qwen3-1.7b": { mlc: "Qwen3-1.7B", ...QWEN3, gguf: "unsloth/Qwen3-1.7B-GGUF/Qwen3-1.7B-Q4_K_M.gguf" },
  "qwen3-4b": { mlc: "Qwen3-4B", ...QWEN3 },
  "qwen3-8b": { mlc: "Qwen3-8B", ...QWEN3 },
  "qwen3.5-0.8b": {
    mlc: "Qwen3.5-0.8B",
    ...QWEN3_5,
    gguf: "unsloth/Qwen3.5-0.8B-GGUF/Qwen3.5-0.8B-Q4_K_M.gguf",
  },
  "qwen3.5-2b": { mlc: "Qwen3.5-2B", ...QWEN3_5, gguf: "unsloth/Qwen3.5-2B-GGUF/Qwen3.5-2B-Q4_K_M.gguf" },
  "qwen3.5-4b": { mlc: "Qwen3.5-4B", ...QWEN3_5 },
  "qwen3.5-9b": { mlc: "Qwen3.5-9B", ...QWEN3_5 },
  "llama-3.2-1b": {
    mlc: "Llama-3.2-1B-Instruct",
    licence: "llama3.2",
    tools: true,
    sampling: LLAMA,
    gguf: "bartowski/Llama-3.2-1B-Instruct-GGUF/Llama-3.2-1B-Instruct-Q4_K_M.gguf",
  },
  "llama-3.2-3b": {
    mlc: "Llama-3.2-3B-Instruct",
    licence: "llama3.2",
    tools: true,
    sampling: LLAMA,
    gguf: "bartowski/Llama-3.2-3B-Instruct-GGUF/Llama-3.2-3B-Instruct-Q4_K_M.gguf",
  },
  "llama-3.1-8b": { mlc: "Llama-3.1-8B-Instruct", licence: "llama3.1", tools: true, sampling: LLAMA },
  "llama-3-8b": { mlc: "Llama-3-8B-Instruct", licence: "llama3", sampling: LLAMA },
  "hermes-2-pro-8b": { mlc: "Hermes-2-Pro-Llama-3-8B", tools: true },
  "hermes-3-3b": {
    mlc: "Hermes-3-Llama-3.2-3B",
    tools: true,
    gguf: "NousResearch/Hermes-3-Llama-3.2-3B-GGUF/Hermes-3-Llama-3.2-3B.Q4_K_M.gguf",
  },
  "hermes-3-8b": { mlc: "Hermes-3-Llama-3.1-8B", licence: "llama3", tools: true },
  "deepseek-r1-qwen-7b": { mlc: "DeepSeek-R1-Distill-Qwen-7B", ...R1 },
  "deepseek-r1-llama-8b": { mlc: "DeepSeek-R1-Distill-Llama-8B", ...R1 },
  "phi-3.5-mini": { mlc: "Phi-3.5-mini-instruct", licence: "mit" },
  "phi-4-mini": { mlc: "Phi-4-mini-instruct", licence: "mit", tools: true },
  "gemma-2-2b": {
    mlc: "gemma-2-2b-it",
    ...GEMMA,
    gguf: "bartowski/gemma-2-2b-it-GGUF/gemma-2-2b-it-Q4_K_M.gguf",
  },
  "gemma-2-2b-jpn": { mlc: "gemma-2-2b-jpn-it", ...GEMMA },
  "gemma-2-9b": { mlc: "gemma-2-9b-it", ...GEMMA },
  "gemma-3-1b": {
    mlc: "gemma3-1b-it",
    ...GEMMA,
    sampling: { topP: 0.95, topK: 64 },
    gguf: "ggml-org/gemma-3-1b-it-GGUF/gemma-3-1b-it-Q4_K_M.gguf",
  },
  "gemma-4-e2b": {
    mlc: "gemma-4-E2B-it",
    ...APACHE_TOOLS,
    reasoning: true,
    sampling: { temperature: 1, topP: 0.95, topK: 64 },
  },
  "mistral-7b": { mlc: "Mistral-7B-Instruct-v0.3", ...APACHE_TOOLS },
  "ministral-3-3b": {
    mlc: "Ministral-3-3B-Instruct-2512-BF16",
    ...APACHE_TOOLS,
    gguf: "mistralai/Ministral-3-3B-Instruct-2512-GGUF/Ministral-3-3B-Instruct-2512-Q4_K_M.gguf",
  },
  "ministral-3-3b-reasoning": {
    mlc: "Ministral-3-3B-Reasoning-2512",
    ...APACHE_TOOLS,
    reasoning: true,
    sampling: { temperature: 0.7, topP: 0.95 },
    gguf: "mistralai/Ministral-3-3B-Reasoning-2512-GGUF/Ministral-3-3B-Reasoning-2512-Q4_K_M.gguf",
  },
  "olmo-2-1b": {
    mlc: "OLMo-2-0425-1B-Instruct",
    ...APACHE,
    gguf: "allenai/OLMo-2-0425-1B-Instruct-GGUF/OLMo-2-0425-1B-Instruct-Q4_K_M.gguf",
  },
  "olmo-2-7b": { mlc: "OLMo-2-1124-7B-Instruct", ...APACHE },
  "tinyllama-1.1b": {
    mlc: "TinyLlama-1.1B-Chat-v1.0",
    ...APACHE,
    gguf: "TheBloke/TinyLlama-1.1B-Chat-v1.0-GGUF/tinyllama-1.1b-chat-v1.0.Q4_K_M.gguf",
  },
  "stablelm-2-1.6b": { mlc: "stablelm-2-zephyr-1_6b", licence: "other" },
};
