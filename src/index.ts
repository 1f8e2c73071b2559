/**
 * infetch: open models in the page behind an OpenAI-style `fetch`.
 *
 * @module
 */
export {
  InfetchError,
  isInfetchError,
  ModelLoadError,
  ProtocolVersionError,
  RuntimeClosedError,
  RuntimeOptionsConflictError,
  WorkerLostError,
} from "./errors.ts";
export type { EmbeddingOptions, RuntimeOptions } from "./options.ts";
export type {
  EmbeddingModelOption,
  EngineEvent,
  ProgressEvent,
  RequestEvent,
  RuntimeEvent,
} from "./protocol/wire.ts";
export { createRuntime, type Runtime } from "./runtime.ts";
