/** Whether a GGUF file generates text or makes vectors, as far as the available metadata shows. */

import { EngineError } from "../../engine-api/engine-error.ts";
import type { GgufValues } from "./metadata.ts";

/** Encoder-only architectures, which cannot generate text. */
const ENCODERS = /bert|^t5encoder$|^gemma-embedding2?$|^llama-embed$/;
/** Values of `<architecture>.pooling_type`. Files of models that pool nothing have none, or 0. */
const POOLING_TYPES = [undefined, "mean", "cls", "last", "rank"] as const;

/** The file's own pooling; `rank` makes a score of two texts. */
export function poolingTypeOf(metadata: GgufValues): (typeof POOLING_TYPES)[number] {
  return POOLING_TYPES[Number(metadata.get(`${architectureOf(metadata)}.pooling_type`) ?? 0)];
}

export function architectureOf(metadata: GgufValues): string {
  return String(metadata.get("general.architecture") ?? "");
}

export function isEncoder(metadata: GgufValues): boolean {
  return ENCODERS.test(architectureOf(metadata));
}

/** Whether it is an embedding model, as far as its metadata tells. */
export function makesVectors(metadata: GgufValues): boolean {
  const pooling = poolingTypeOf(metadata);
  return pooling !== "rank" && (pooling !== undefined || isEncoder(metadata));
}

/** What is in GGUF files that are no models, by `general.type`, and what to do. */
const PARTS = new Map<unknown, string>([
  [
    "adapter",
    "a LoRA adapter, which changes a model. Use a file of the model with the adapter merged into it",
  ],
  ["imatrix", "an importance matrix, with which a model was quantised. Use a file of the model"],
  [
    "mmproj",
    "a projector, which a model needs to take images. Name it with 'projector', and the model with 'file'",
  ],
]);

/** @throws {EngineError} `model_load_failed` for what belongs to a model and is none */
function requireModel(metadata: GgufValues): void {
  // Older projectors have no type.
  const type = architectureOf(metadata) === "clip" ? "mmproj" : metadata.get("general.type");
  const part = PARTS.get(type);
  if (part) throw new EngineError("model_load_failed", `The GGUF file contains ${part}.`);
}

/**
 * @throws {EngineError} `model_load_failed` for a part of a model, `model_not_found` for an embedding model, `unsupported_model` for a reranker, and for a network
 * whose decoder needs an encoder (T5)
 */
export function requireChatModel(metadata: GgufValues): void {
  requireModel(metadata);
  if (poolingTypeOf(metadata) === "rank") throw reranker(metadata);
  if (!makesVectors(metadata)) {
    requireDecoder(metadata);
    return;
  }
  throw new EngineError(
    "model_not_found",
    `The GGUF file contains an embedding model (${architectureOf(metadata)}), not a chat model, and is thus not supported here. Did you mean to use v1/embeddings?`,
    { param: "model" },
  );
}

/**
 * @param isStated whether the model's record says how its vectors are pooled, for files that do not
 * @throws {EngineError} `model_load_failed` for a part of a model, `model_not_allowed` for a chat model,
 * `unsupported_model` for a reranker
 */
export function requireEmbeddingModel(metadata: GgufValues, isStated: boolean): void {
  requireModel(metadata);
  if (poolingTypeOf(metadata) === "rank") throw reranker(metadata);
  const architecture = architectureOf(metadata);
  // The start of a file may end before its architecture.
  if (architecture === "" || isStated || makesVectors(metadata)) return;
  throw new EngineError(
    "model_not_allowed",
    `You are not allowed to generate embeddings from this model: its GGUF file (${architecture}) is not an embedding model.`,
    { param: "model" },
  );
}

/** No decoder alone has a vocabulary of encoders. */
function requireDecoder(metadata: GgufValues): void {
  const vocabulary = metadata.get("tokenizer.ggml.model");
  if (vocabulary !== "t5" && vocabulary !== "bert") return;
  throw new EngineError(
    "unsupported_model",
    `The GGUF file (${architectureOf(metadata)}) has the tokenizer type '${vocabulary}', of encoders. Chat models have a decoder alone: 'gpt2', 'gemma4', 'llama' or 'rwkv'.`,
    { param: "model" },
  );
}

function reranker(metadata: GgufValues): EngineError {
  return new EngineError(
    "unsupported_model",
    `The GGUF file contains a reranker (${architectureOf(metadata)}), which gives a score to two texts. No endpoint here runs one.`,
    { param: "model" },
  );
}
