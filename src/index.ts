/**
 * infetch: open models in the page behind an OpenAI-style `fetch`.
 *
 * @module
 */
export type { Billing, Usage } from "./billing.ts";
export {
  BillingError,
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
  Breakdown,
  Credit,
  CreditGrant,
  ExportFormat,
  ExportRequest,
  ImportReport,
  Invoice,
  LineItem,
  ModelPrices,
  PriceTable,
  Pricing,
  RateChange,
  TierPrices,
  UsageEvent,
  UsageRange,
  VerifyReport,
} from "./protocol/billing.ts";
export type {
  BatchEvent,
  EmbeddingModelOption,
  EngineEvent,
  LedgerEvent,
  ProgressEvent,
  RequestEvent,
  RuntimeEvent,
} from "./protocol/wire.ts";
export { createRuntime, type Runtime } from "./runtime.ts";
