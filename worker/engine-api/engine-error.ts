/** Engine failures, grouped by what the caller can do about them. */
export type EngineErrorCode =
  /** This device cannot run the model: WebGPU or one of its features is missing. */
  | "engine_unavailable"
  /** A file of the package is missing, has unexpected content, or is blocked. */
  | "assets_not_found"
  /** The engine's script is of another release than the server. */
  | "assets_of_another_version"
  /** The engine's worker died or its GPU device was lost; the next request starts a new engine. */
  | "engine_lost"
  | "engine_failed"
  /** This reply alone failed; others go on. */
  | "reply_failed"
  | "model_load_failed"
  /** No engine here runs such a model. */
  | "unsupported_model"
  /** An embedding model, where a chat model is asked for. */
  | "model_not_found"
  /** A chat model, where an embedding model is asked for. */
  | "model_not_allowed"
  /** Neither the embedding model's files nor its options say how vectors are pooled. */
  | "unknown_pooling"
  | "model_download_failed"
  /** A server of the model's files limits the rate of requests for longer than a load waits. */
  | "rate_limited"
  /** The hub grants access to the model on conditions only. */
  | "model_gated"
  | "hub_token_invalid"
  /** Does not exist, or is private. */
  | "hub_model_not_found"
  | "hub_revision_not_found"
  | "hub_file_not_found"
  /** The model's files exceed this origin's storage quota. */
  | "insufficient_storage"
  | "out_of_memory"
  /** The model exceeds the memory budget or the device's memory. */
  | "insufficient_memory"
  /** The load was cancelled on request. */
  | "load_cancelled"
  | "context_length_exceeded"
  | "invalid_request"
  /** The model does not support the parameter. */
  | "unsupported_parameter"
  | "queue_full";

/** Thrown by engines, their supervisor and their queues; independent of HTTP. */
export class EngineError extends Error {
  override name = "EngineError" as const;
  readonly code: EngineErrorCode;
  /** The request parameter that caused the error, if any. */
  readonly param: string | null;

  constructor(code: EngineErrorCode, message: string, options: ErrorOptions & { param?: string } = {}) {
    super(message, options);
    this.code = code;
    this.param = options.param ?? null;
  }
}

/** Whether the engine was lost, so that a new one may succeed. */
export function isLoss(error: unknown): error is EngineError {
  return error instanceof EngineError && (error.code === "engine_lost" || error.code === "out_of_memory");
}

/** Whether the engine's state is undefined after this failure of a request, so that its worker ends. */
export function endsEngine({ code }: { code: EngineErrorCode }): boolean {
  return code === "engine_failed" || code === "engine_lost" || code === "out_of_memory";
}

/** The error for work whose engine was lost on every attempt. */
export function lostRepeatedly(error: EngineError, losses = 2): EngineError {
  const code = error.code === "out_of_memory" ? "insufficient_memory" : "engine_unavailable";
  const times = losses === 2 ? "twice" : `${losses} times`;
  return new EngineError(code, `The engine was lost ${times} in a row. ${error.message}`, { cause: error });
}

/** Concurrent work may see two losses: a request that crashes its engine is retried and crashes the next one. */
export const CONCURRENT_RETRIES = 2;

/**
 * Runs `work` and retries it on a new engine if the engine is lost.
 *
 * @param onLoss called before each retry
 * @throws {EngineError} {@link lostRepeatedly} if the last retry also loses its engine
 */
export async function retryOnLoss<T>(
  work: () => Promise<T>,
  { retries = 1, onLoss }: { retries?: number; onLoss?: () => void } = {},
): Promise<T> {
  for (let losses = 1; ; losses++) {
    try {
      return await work();
    } catch (error) {
      if (!isLoss(error)) throw error;
      if (losses > retries) throw lostRepeatedly(error, losses);
      onLoss?.();
    }
  }
}
