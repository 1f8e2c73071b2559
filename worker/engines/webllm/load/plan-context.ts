/** Chooses the context window of an MLC build, from its configuration and the adapter's limits. */

import { DEFAULT_CONTEXT } from "../../../engine-api/default-context.ts";
import { LARGE_BUFFER_BYTES, WEBLLM_LIMITS } from "../../../engine-api/gpu.ts";
import type { ModelFiles } from "../../../engine-api/model-files.ts";
import { type ChosenContext, chooseContext } from "../../memory/choose-context.ts";
import { estimateMemory } from "../../memory/estimate.ts";
import { PAGE_SIZE } from "../kv/kv-state.ts";
import { mostParallel } from "../schedule/parallel.ts";

type Config = Readonly<Record<string, unknown>>;

/** Page lists of its two depths, 256 × 256 numbers each, of one sequence of a pass (`attn_utils.h`). */
const PAGE_LIST_BYTES = 2 * 256 * 256 * 4;

/**
 * @param config `mlc-chat-config.json`
 * @param weightBytes size of all weights
 * @param limits of the adapter
 * @throws {EngineError} `insufficient_memory`
 */
export function planContext(
  config: Config,
  weightBytes: number,
  files: Pick<ModelFiles, "contextWindow" | "maxContextWindow" | "room" | "memoryAt" | "parallel">,
  limits: Pick<GPUSupportedLimits, "maxStorageBufferBindingSize">,
): ChosenContext {
  const { memoryAt, parallel } = files;
  const { layers, layerBytes } = kvSize(config);
  // Sequences that are kept for later prompts share these pages: they need no further memory.
  const listBytes = mostParallel(parallel) * PAGE_LIST_BYTES;
  const contextAt = (window: number): number => pages(window) * layers * layerBytes + listBytes;
  const fixedBytes = memoryAt
    ? Math.max(weightBytes, memoryAt.bytes - contextAt(memoryAt.contextWindow))
    : estimateMemory(weightBytes);
  const bindingBytes =
    limits.maxStorageBufferBindingSize >= LARGE_BUFFER_BYTES
      ? LARGE_BUFFER_BYTES
      : WEBLLM_LIMITS.maxStorageBufferBindingSize;
  const ownContext = ownContextOf(config) ?? memoryAt?.contextWindow ?? DEFAULT_CONTEXT;
  return chooseContext(files, {
    ownContext,
    bytesAt: (window) => fixedBytes + contextAt(window),
    // The keys and values of a layer are one buffer.
    ...(layerBytes > 0
      ? { deviceTokens: Math.floor(bindingBytes / layerBytes / PAGE_SIZE - 1) * PAGE_SIZE }
      : {}),
  });
}

/** web-llm serves models with sliding windows up to one window, with full attention. */
function ownContextOf({
  context_window_size: full,
  sliding_window_size: sliding,
  model_config,
}: Config): number | undefined {
  const { context_window_size: trained } = (model_config ?? {}) as Config;
  return [full, sliding, trained].find((one): one is number => typeof one === "number" && one > 0);
}

/** Layers with attention, and the bytes of one token's keys and values in each; 0 if the configuration has no sizes. */
function kvSize({ model_config: model, quantization }: Config): { layers: number; layerBytes: number } {
  const outer = (model ?? {}) as Config;
  // Multimodal models describe their text model in a part of its own.
  const sizes = { ...outer, ...(outer.text_config as Config | undefined) };
  const number = (key: string, otherwise = 0): number => {
    const value = sizes[key];
    return typeof value === "number" && value > 0 ? value : otherwise;
  };
  const heads = number("num_attention_heads");
  const width = number("head_dim", heads > 0 ? number("hidden_size") / heads : 0);
  const bytes = /f32/.test(String(quantization)) ? 4 : 2;
  return {
    layers: attentionLayers(sizes, number("num_hidden_layers"), number("full_attention_interval", 1)),
    layerBytes: 2 * number("num_key_value_heads", heads) * width * bytes,
  };
}

/** Hybrid models (Qwen3.5) list their layers, or how many there are for each that has attention. */
function attentionLayers({ layer_types: types }: Config, layers: number, interval: number): number {
  if (!Array.isArray(types)) return Math.floor(layers / interval);
  return types.filter((type) => String(type).includes("attention") && type !== "linear_attention").length;
}

/** Tokens in whole pages, and in the one page more that TVM adds. */
function pages(window: number): number {
  return (Math.ceil(window / PAGE_SIZE) + 1) * PAGE_SIZE;
}
