/** The engine worker for ONNX embeddings: one model on one backend, ended by its owner after the first failure. */

import { EngineError, type EngineErrorCode } from "../../engine-api/engine-error.ts";
import type { EngineFailure } from "../../engine-api/engine-wire.ts";
import { embeddingEndpoint } from "../embeddings/embedding-endpoint.ts";
import { serveEngine } from "../scheduling/serve-engine.ts";
import { TransformersEngine } from "./transformers-engine.ts";

/** The library throws strings, numbers (WASM memory addresses) and errors. */
function toFailure(error: unknown, otherwise: EngineErrorCode): EngineFailure {
  if (error instanceof EngineError) return { code: error.code, message: error.message, param: error.param };
  const message = error instanceof Error ? error.message : String(error);
  const code = /out of memory|bad_alloc|allocation failed/i.test(message) ? "out_of_memory" : otherwise;
  return { code, message: `transformers.js: ${message}` };
}

serveEngine(embeddingEndpoint(TransformersEngine.load, toFailure));
