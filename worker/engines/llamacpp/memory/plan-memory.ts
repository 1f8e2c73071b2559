/** Chooses a model's context window and checks that it fits into memory, before it is loaded. */

import { DEFAULT_CONTEXT } from "../../../engine-api/default-context.ts";
import { EngineError } from "../../../engine-api/engine-error.ts";
import type { ContextSettings, GgufFiles, LlamaCppGPU } from "../../../engine-api/model-files.ts";
import { hasJSPI, hasMemory64 } from "../../../engine-api/wasm-features.ts";
import type { GgufValues } from "../../../model-store/gguf/metadata.ts";
import { type ChosenContext, chooseContext, gigabytes } from "../../memory/choose-context.ts";
import type { ConversationSize } from "../prompt-cache-tracker.ts";
import { kvLayout } from "./kv-layout.ts";
import { prefillTokens } from "./prefill-tokens.ts";

export interface MemoryPlan extends ChosenContext, ConversationSize {
  threads: number;
  cacheType: "f32" | "f16";
}

/** KV caches up to this size use f32, the precision of the WebGPU engine. */
export const FULL_PRECISION_BYTES = 64 * 2 ** 20;
/** WebAssembly's address space. */
const MAX_MEMORY_BYTES = 4 * 2 ** 30;
/** Memory of llama.cpp's code, graph and logits. */
export const WORKING_BYTES = 96 * 2 ** 20;
/** Larger files need 64-bit offsets, and JSPI to be read piece by piece (decision 163). */
const MAX_PART_BYTES = 2 * 2 ** 30;
/** Narrower layers do not benefit from a second thread. */
const WIDTH_FOR_THREADS = 256;

/**
 * @param encoding memory that encodes images; undefined without a projector, which is else one of the parts
 * @throws {EngineError} `insufficient_memory` if the model does not fit, `model_load_failed` for a file that is too
 * large, `engine_unavailable` if its context exceeds the graphics card's limits
 */
export function planMemory(
  metadata: GgufValues,
  parts: readonly Pick<Blob, "size">[],
  { threads, gpu, ...settings }: ContextSettings & Pick<GgufFiles, "threads" | "gpu">,
  encoding?: number,
): MemoryPlan {
  requireParts(
    parts.map(({ size }) => size),
    gpu,
  );
  const stepTokens = prefillTokens(gpu !== undefined, encoding !== undefined);
  const number = (key: string, otherwise: number): number => {
    const value = metadata.get(`${metadata.get("general.architecture")}.${key}`);
    return typeof value === "number" && value >= 1 ? Math.floor(value) : otherwise;
  };
  const { numbersAt, heads, stateBytes } = kvLayout(metadata, stepTokens);
  const fixedBytes =
    parts.reduce((sum, { size }) => sum + size, WORKING_BYTES) + stateBytes + (encoding ?? 0);
  // Without flash attention, the scores of a step have a row for each of its tokens and heads.
  const scoresAt = (window: number): number => window * heads * stepTokens * 4;
  const bytesAt = (window: number): number => fixedBytes + scoresAt(window) + numbersAt(window) * 2;
  const deviceBytes = availableBytes(gpu);
  const chosen = chooseContext(settings, {
    ownContext: number("context_length", DEFAULT_CONTEXT),
    bytesAt,
    deviceBytes,
  });
  const { contextWindow } = chosen;
  const numbers = numbersAt(contextWindow);
  const preciseBytes = chosen.memoryBytes + numbers * 2;
  const isPrecise =
    numbers * 4 <= FULL_PRECISION_BYTES &&
    preciseBytes <= Math.min(deviceBytes, settings.room?.mostBytes ?? Number.POSITIVE_INFINITY);
  requireTensor((numbers / number("block_count", 1)) * (isPrecise ? 4 : 2), gpu);
  return {
    ...chosen,
    memoryBytes: isPrecise ? preciseBytes : chosen.memoryBytes,
    cacheType: isPrecise ? "f32" : "f16",
    bytesPerToken: (numbers / contextWindow) * (isPrecise ? 4 : 2),
    stateBytes,
    // Threads would only wait for the graphics card.
    threads: gpu ? 1 : (threads ?? defaultThreads(number("embedding_length", 0))),
  };
}

/**
 * @param bytes of each file, 0 if unknown
 * @param gpu the graphics card that computes, if any
 * @throws {EngineError}
 */
export function requireParts(bytes: readonly number[], gpu?: LlamaCppGPU): void {
  const longest = Math.max(0, ...bytes);
  // Checked first: a model too large for any browser should not be blamed on this one.
  requireMemory(
    bytes.reduce((sum, one) => sum + one, 0),
    gpu,
  );
  if (longest <= MAX_PART_BYTES || readsLargeFiles()) return;
  throw new EngineError(
    "model_load_failed",
    `A file of the model has ${gigabytes(longest)}; llama.cpp reads up to 2 GB here, because this browser lacks ${hasMemory64() ? "JSPI (WebAssembly.Suspending)" : "64-bit WebAssembly memory"}. Use a split model (-00001-of-…), a smaller quantisation, or Chrome.`,
  );
}

/** Without JSPI the build with 64-bit memory keeps files in memory; the other one has 32-bit offsets. */
function readsLargeFiles(): boolean {
  return hasMemory64() && hasJSPI();
}

function requireMemory(bytes: number, gpu: LlamaCppGPU | undefined): void {
  const most = availableBytes(gpu);
  if (bytes + WORKING_BYTES <= most) return;
  throw new EngineError(
    "insufficient_memory",
    `The model needs about ${gigabytes(bytes + WORKING_BYTES)} of memory; only ${gigabytes(most)} are available. Use a smaller quantisation.`,
  );
}

/**
 * llama.cpp computes weights that exceed a binding in WebAssembly, but aborts for keys or values that do.
 *
 * @param bytes keys and values of an average layer
 * @throws {EngineError} `engine_unavailable`: the model can only run in WebAssembly
 */
function requireTensor(bytes: number, gpu: LlamaCppGPU | undefined): void {
  if (!gpu || bytes <= gpu.maxTensorBytes) return;
  throw new EngineError(
    "engine_unavailable",
    `The context of one layer needs ${gigabytes(bytes)}; the graphics card's WebGPU limit is ${gigabytes(gpu.maxTensorBytes)}. Use a shorter context.`,
  );
}

/** On WebGPU, tensors are copied to the graphics card one by one, so the address space does not limit them. */
export function availableBytes(gpu?: LlamaCppGPU): number {
  const { deviceMemory } = navigator as { deviceMemory?: number };
  // `deviceMemory` is capped at 8 and rounded down: 8 means "no known limit".
  const device = deviceMemory === undefined || deviceMemory >= 8 ? Infinity : deviceMemory * 2 ** 30;
  return gpu ? device : Math.min(MAX_MEMORY_BYTES, device);
}

export function defaultThreads(width: number): number {
  // Threads are only known to work with JSPI.
  const possible = globalThis.crossOriginIsolated && hasJSPI();
  if (!possible || width < WIDTH_FOR_THREADS) return 1;
  const cores = navigator.hardwareConcurrency;
  return Math.min(8, Math.max(Math.ceil(cores / 2), Math.min(cores, 2)));
}
