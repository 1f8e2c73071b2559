/** Chooses how long the inputs of a GGUF embedding model may be, and checks that they fit into memory. */

import type { ContextSettings, GgufFiles } from "../../../engine-api/model-files.ts";
import type { GgufValue, GgufValues } from "../../../model-store/gguf/metadata.ts";
import { architectureOf, isEncoder } from "../../../model-store/gguf/model-kind.ts";
import { type ChosenContext, chooseContext } from "../../memory/choose-context.ts";
import type { EmbeddingParameters } from "../load-parameters.ts";
import { kvLayout } from "../memory/kv-layout.ts";
import {
  availableBytes,
  defaultThreads,
  FULL_PRECISION_BYTES,
  requireParts,
  WORKING_BYTES,
} from "../memory/plan-memory.ts";
import { prefillTokens } from "../memory/prefill-tokens.ts";

export interface EmbeddingPlan extends ChosenContext {
  /** Tokens of the longest input. */
  maxTokens: number;
  /** Tokens that are computed at once. */
  batchTokens: number;
  threads: number;
  cacheType: "f32" | "f16";
}

/** Inputs are rarely longer, and memory grows with the square of the length where each token attends to all others. */
const USUAL_TOKENS = 2_048;
/** For a file that does not say its own. */
const DEFAULT_TOKENS = 512;

/**
 * @param parts the model's files
 * @param settings a `contextWindow` is refused if it does not fit; a `maxContextWindow` is what the model is usually run with
 * @throws {EngineError} `insufficient_memory` if the model does not fit, `model_load_failed` for a file that is too large
 */
export function planEmbeddings(
  metadata: GgufValues,
  parts: readonly Pick<Blob, "size">[],
  {
    contextWindow,
    maxContextWindow = USUAL_TOKENS,
    room,
    threads,
  }: ContextSettings & Pick<GgufFiles, "threads">,
  pooling: EmbeddingParameters["pooling"],
): EmbeddingPlan {
  const fileBytes = parts.map(({ size }) => size);
  requireParts(fileBytes);
  const { reservedTokens, batchTokensAt } = batching(metadata, pooling);
  const { cacheAt, bytesAt } = memoryNeeds(metadata, fileBytes, batchTokensAt);
  const ownTokens = count(metadata, "context_length", DEFAULT_TOKENS) - reservedTokens;
  const chosen = chooseContext(
    {
      ...(contextWindow === undefined
        ? { maxContextWindow: Math.min(maxContextWindow, USUAL_TOKENS) }
        : { contextWindow }),
      ...(room ? { room } : {}),
    },
    { ownContext: ownTokens, bytesAt, deviceBytes: availableBytes() },
  );
  const maxTokens = chosen.contextWindow;
  return {
    ...chosen,
    maxTokens,
    contextWindow: maxTokens + reservedTokens,
    maxContextWindow: ownTokens,
    batchTokens: batchTokensAt(maxTokens),
    cacheType: cacheAt(maxTokens).type,
    threads: threads ?? defaultThreads(count(metadata, "embedding_length", 0)),
  };
}

interface Batching {
  /** Tokens of the context that no input may use. */
  reservedTokens: number;
  /** Tokens that are computed at once, at a context window. */
  batchTokensAt(window: number): number;
}

function batching(metadata: GgufValues, pooling: EmbeddingParameters["pooling"]): Batching {
  // llama.cpp may split an input whose last token is the vector, and then refuses one that fills the context.
  const maySplit = !isEncoder(metadata) && pooling === "last";
  // In parts, a token sees only those before it.
  const isSplit = maySplit && value(metadata, "attention.causal") !== false;
  return {
    reservedTokens: maySplit ? 1 : 0,
    batchTokensAt: (window) => (isSplit ? Math.min(window, prefillTokens(false, false)) : window),
  };
}

interface MemoryNeeds {
  /** Size and precision of the KV cache; encoders have none. */
  cacheAt(window: number): { bytes: number; type: "f32" | "f16" };
  /** Memory of model, KV cache and computation together. */
  bytesAt(window: number): number;
}

function memoryNeeds(
  metadata: GgufValues,
  fileBytes: readonly number[],
  batchTokensAt: Batching["batchTokensAt"],
): MemoryNeeds {
  const hasCache = !isEncoder(metadata);
  const { heads } = kvLayout(metadata, 0);
  const fixedBytes = fileBytes.reduce((sum, size) => sum + size, WORKING_BYTES);
  // llama.cpp keeps a row of logits for each token that is computed at once, though vectors need none.
  const perToken =
    12 * count(metadata, "embedding_length", 0) +
    3 * count(metadata, "feed_forward_length", 0) +
    vocabularySize(metadata);
  const cacheAt: MemoryNeeds["cacheAt"] = (window) => {
    const numbers = hasCache ? kvLayout(metadata, batchTokensAt(window)).numbersAt(window) : 0;
    const isSmall = numbers * 4 <= FULL_PRECISION_BYTES;
    return isSmall ? { bytes: numbers * 4, type: "f32" } : { bytes: numbers * 2, type: "f16" };
  };
  const bytesAt = (window: number): number =>
    fixedBytes + cacheAt(window).bytes + batchTokensAt(window) * (window * heads + perToken) * 4;
  return { cacheAt, bytesAt };
}

function value(metadata: GgufValues, key: string): GgufValue | undefined {
  return metadata.get(`${architectureOf(metadata)}.${key}`);
}

function count(metadata: GgufValues, key: string, otherwise: number): number {
  const found = value(metadata, key);
  return typeof found === "number" && found >= 1 ? Math.floor(found) : otherwise;
}

function vocabularySize(metadata: GgufValues): number {
  const tokens = metadata.get("tokenizer.ggml.tokens");
  return Array.isArray(tokens) ? tokens.length : 0;
}
