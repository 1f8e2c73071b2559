/** Chooses a model's context window and checks that it fits into memory, before it is loaded. */

import type { GgufValue } from "../../model-store/gguf/metadata.ts";
import { EngineError } from "../api/engine-error.ts";
import type { GgufFiles, LlamaCppGPU } from "../api/types.ts";
import { hasJSPI, hasMemory64 } from "../api/wasm-features.ts";

export interface MemoryPlan {
  contextWindow: number;
  threads: number;
  cacheType: "f32" | "f16";
  /** Size of keys and values. */
  bytesPerToken: number;
}

/** Default context window: longer prompts take minutes on a CPU. */
const DEFAULT_CONTEXT = 8_192;
/** KV caches up to this size use f32, the precision of the WebGPU engine. */
const FULL_PRECISION_BYTES = 64 * 2 ** 20;
/** WebAssembly's address space. */
const MAX_MEMORY_BYTES = 4 * 2 ** 30;
/** Memory of llama.cpp's code, graph and logits. */
const WORKING_BYTES = 96 * 2 ** 20;
/** Larger files need 64-bit offsets, and JSPI to be read piece by piece (decision 163). */
const MAX_PART_BYTES = 2 * 2 ** 30;
/** Narrower layers do not benefit from a second thread. */
const WIDTH_FOR_THREADS = 256;

/**
 * @throws {EngineError} `insufficient_memory` if the model does not fit, `model_load_failed` for a file that is too
 * large, `engine_unavailable` if its context exceeds the graphics card's limits
 */
export function planMemory(
  metadata: ReadonlyMap<string, GgufValue>,
  parts: readonly Pick<Blob, "size">[],
  { contextWindow: wanted, threads, gpu }: Pick<GgufFiles, "contextWindow" | "threads" | "gpu">,
): MemoryPlan {
  requireParts(
    parts.map(({ size }) => size),
    gpu,
  );
  const architectureValue = (key: string) => metadata.get(`${metadata.get("general.architecture")}.${key}`);
  const number = (key: string, otherwise = 0): number => {
    const value = architectureValue(key);
    return typeof value === "number" ? value : otherwise;
  };
  /** Some architectures (LFM2, Granite 4, Nemotron-H) list a value for each layer: 0 where it has no attention. */
  const perLayer = (key: string): number[] | undefined => {
    const value = architectureValue(key);
    return Array.isArray(value) ? value.map(Number) : undefined;
  };
  const trained = number("context_length", DEFAULT_CONTEXT);
  const contextWindow = Math.min(trained, wanted ?? DEFAULT_CONTEXT);
  const heads = Math.max(...(perLayer("attention.head_count") ?? [number("attention.head_count")]), 1);
  const width = number("embedding_length");
  const keyLength = number("attention.key_length", width / heads);
  const valueLength = number("attention.value_length", width / heads);
  const headsByLayer = perLayer("attention.head_count_kv");
  const keyValueHeads =
    headsByLayer?.reduce((sum, one) => sum + one, 0) ??
    number("block_count") * number("attention.head_count_kv", heads);
  const numbersPerToken = keyValueHeads * (keyLength + valueLength);
  const cacheType = contextWindow * numbersPerToken * 4 <= FULL_PRECISION_BYTES ? "f32" : "f16";
  const bytesPerToken = numbersPerToken * (cacheType === "f32" ? 4 : 2);
  const modelBytes = parts.reduce((sum, { size }) => sum + size, 0);
  requireMemory(modelBytes + contextWindow * bytesPerToken, gpu);
  const mostHeads = headsByLayer ? Math.max(...headsByLayer) : number("attention.head_count_kv", heads);
  const numbersPerTensor = contextWindow * mostHeads * Math.max(keyLength, valueLength);
  requireTensor(numbersPerTensor * (cacheType === "f32" ? 4 : 2), gpu);
  // Threads would only wait for the graphics card.
  return { contextWindow, cacheType, bytesPerToken, threads: gpu ? 1 : (threads ?? defaultThreads(width)) };
}

/**
 * @param bytes of each file, 0 if unknown
 * @param gpu the graphics card that computes, if any
 * @throws {EngineError}
 */
export function requireParts(bytes: readonly number[], gpu?: LlamaCppGPU): void {
  const longest = Math.max(0, ...bytes);
  // What fits on no browser is not a matter of this one.
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

/** On WebGPU, tensors are copied to the graphics card one by one, so the address space does not limit them. */
function requireMemory(bytes: number, gpu: LlamaCppGPU | undefined): void {
  const { deviceMemory } = navigator as { deviceMemory?: number };
  // `deviceMemory` is capped at 8 and rounded down: 8 means "no known limit".
  const device = deviceMemory === undefined || deviceMemory >= 8 ? Infinity : deviceMemory * 2 ** 30;
  const most = gpu ? device : Math.min(MAX_MEMORY_BYTES, device);
  if (bytes + WORKING_BYTES <= most) return;
  throw new EngineError(
    "insufficient_memory",
    `The model needs about ${gigabytes(bytes + WORKING_BYTES)} of memory; only ${gigabytes(most)} are available. Use a smaller quantisation or a shorter context.`,
  );
}

/**
 * llama.cpp computes weights that exceed a binding in WebAssembly, but aborts for keys or values that do.
 *
 * @throws {EngineError} `engine_unavailable`: the model can only run in WebAssembly
 */
function requireTensor(bytes: number, gpu: LlamaCppGPU | undefined): void {
  if (!gpu || bytes <= gpu.maxTensorBytes) return;
  throw new EngineError(
    "engine_unavailable",
    `The keys of one layer need ${gigabytes(bytes)}; the graphics card's WebGPU limit is ${gigabytes(gpu.maxTensorBytes)}. Use a shorter context.`,
  );
}

function gigabytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GB`;
}

function defaultThreads(width: number): number {
  // Threads are only known to work with JSPI.
  const possible = globalThis.crossOriginIsolated && "Suspending" in WebAssembly;
  if (!possible || width < WIDTH_FOR_THREADS) return 1;
  const cores = navigator.hardwareConcurrency;
  return Math.min(8, Math.max(Math.ceil(cores / 2), Math.min(cores, 2)));
}
