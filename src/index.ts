/**
 * infetch: open models in the browser, called through an OpenAI-style `fetch`. The types of single properties of the runtime
 * are in `infetch/billing`, `infetch/keys` and `infetch/models`.
 *
 * @module
 */
export {
  BillingError,
  InfetchError,
  isInfetchError,
  KeyError,
  ModelLoadError,
  ProtocolVersionError,
  RuntimeClosedError,
  RuntimeOptionsConflictError,
  WorkerLostError,
} from "./errors.ts";
export type { TestingOptions } from "./options/option-groups.ts";
export type { RuntimeOptions } from "./options/runtime-options.ts";
export type {
  BatchEvent,
  BatchStatus,
  CachePages,
  EngineEvent,
  LedgerEvent,
  ModelProgressEvent,
  RequestEngine,
  RequestEvent,
  RuntimeEvent,
  StatsEvent,
} from "./protocol/events.ts";
export { createRuntime, type Runtime, type RuntimeEventOf } from "./runtime.ts";
