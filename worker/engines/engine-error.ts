/** Failures of engines, by what the caller can do about them. */
export type EngineErrorCode =
  /** This device cannot run the model: no WebGPU, or a feature of it is missing. */
  | "engine_unavailable"
  /** The engine's worker died or its GPU device was lost; the next request gets a new one. */
  | "engine_lost"
  | "engine_failed"
  | "model_load_failed"
  | "model_download_failed"
  /** The browser grants this origin less storage than the model's files need. */
  | "insufficient_storage"
  | "out_of_memory"
  | "context_length_exceeded"
  | "invalid_request"
  | "queue_full";

/** What engines, their supervisor and their queues throw. Knows nothing of HTTP. */
export class EngineError extends Error {
  override name = "EngineError" as const;
  readonly code: EngineErrorCode;
  /** The request's parameter that is to blame, where there is one. */
  readonly param: string | null;

  constructor(code: EngineErrorCode, message: string, options: ErrorOptions & { param?: string } = {}) {
    super(message, options);
    this.code = code;
    this.param = options.param ?? null;
  }
}
