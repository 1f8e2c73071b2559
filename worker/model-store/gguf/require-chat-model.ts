import { EngineError } from "../../engines/api/engine-error.ts";
import type { GgufValues } from "./metadata.ts";

/** Encoder-only architectures, which cannot generate text. */
const ENCODERS = /bert|^t5encoder$|^gemma-embedding$/;
/** The value of `<architecture>.pooling_type` for models that do not pool vectors. */
const NO_POOLING = 0;

/**
 * Refuses an embedding model, as far as the available metadata shows.
 *
 * @throws {EngineError} `invalid_request`
 */
export function requireChatModel(metadata: GgufValues): void {
  const architecture = String(metadata.get("general.architecture") ?? "");
  const pooling = metadata.get(`${architecture}.pooling_type`) ?? NO_POOLING;
  if (!ENCODERS.test(architecture) && pooling === NO_POOLING) return;
  throw new EngineError(
    "invalid_request",
    `This GGUF file contains an embedding model (${architecture}), which generates no text. Embeddings need an ONNX model: deploy one from the hub by its name, without 'file', and call /v1/embeddings.`,
    { param: "model" },
  );
}
