/** Estimates the memory budget and the memory of models that do not state it. */

import { totalBytes } from "../../engine-api/byte-sizes.ts";
import type { EmbeddingModel } from "../../engine-api/embedding-model.ts";
import type { ChatBuilds, ModelFile } from "../../engine-api/model-files.ts";
import type { MemoryLimit } from "./memory-entry.ts";

const GIBIBYTE = 2 ** 30;

/** Loaded size relative to file size: weights plus activations, KV cache and engine code. */
const OVERHEAD = 1.3;

/** @param fileBytes total size of the model's files */
export function estimateMemory(fileBytes: number): number {
  return Math.ceil(fileBytes * OVERHEAD);
}

/** What is known of a model's memory before it is loaded. */
export interface MemoryEstimate {
  /** 0 if unknown. */
  bytes: number;
  /** What it takes at least, with the smallest context window; infinite if its size is fixed. */
  leastBytes: number;
}

/** From the file sizes known before the download: of the larger build, and of the smaller one's files alone. */
export function chatMemory({ builds }: { builds: ChatBuilds }): MemoryEstimate {
  const sizes = [builds.webllm?.known, builds.llamacpp?.parts]
    .map((files) => totalBytes(files ?? []))
    .filter((bytes) => bytes > 0);
  return {
    bytes: estimateMemory(Math.max(0, ...sizes)),
    leastBytes: sizes.length > 0 ? Math.min(...sizes) : 0,
  };
}

/** Estimate for the largest dtype, because the one that runs is only known after the load; of GGUF as of chat models. */
export function embeddingMemory({ known, gguf }: Pick<EmbeddingModel, "known" | "gguf">): MemoryEstimate {
  if (gguf) return chatMemory({ builds: { llamacpp: gguf } });
  const isWeights = ({ name }: ModelFile): boolean => name.startsWith("onnx/") || name.includes(".onnx");
  const weights = known.filter(isWeights).map(({ bytes }) => bytes);
  return { bytes: estimateMemory(Math.max(0, ...weights)), leastBytes: Number.POSITIVE_INFINITY };
}

/**
 * The memory budget. Browsers report main memory coarsely and GPU memory not at all. Without the option, the budget
 * is half of the reported memory and only controls the eviction of idle models.
 *
 * @param wantedBytes the option; undefined to estimate
 * @param deviceGibibytes `navigator.deviceMemory`, capped at 8 in most browsers
 */
export function memoryLimit(
  wantedBytes: number | undefined,
  deviceGibibytes: number | undefined,
): MemoryLimit {
  if (wantedBytes !== undefined) return { limitBytes: wantedBytes, isStrict: true };
  return { limitBytes: ((deviceGibibytes ?? 8) / 2) * GIBIBYTE, isStrict: false };
}
