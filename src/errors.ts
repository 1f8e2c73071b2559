/** Error classes of the page side, each with a name and a code. */

/** Base class of all infetch errors. */
export class InfetchError extends Error {
  /** The class, also for copies of another realm. */
  override name = "InfetchError";
  /** Machine-readable and stable. */
  readonly code: string;

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** The server worker died or could not start. The next request starts a new one. */
export class WorkerLostError extends InfetchError {
  /** The class, also for copies of another realm. */
  override name = "WorkerLostError" as const;

  constructor(
    message = "The inference worker ended unexpectedly. Send the request again.",
    options?: { cause?: unknown },
  ) {
    super("worker_lost", message, options);
  }
}

/** `runtime.close()` was called; no further requests can be sent. */
export class RuntimeClosedError extends InfetchError {
  /** The class, also for copies of another realm. */
  override name = "RuntimeClosedError" as const;

  constructor() {
    super("runtime_closed", "The runtime is closed. Create a new one with createRuntime().");
  }
}

/** A model could not be loaded; see `code`, for example `model_not_found` or `engine_unavailable`. */
export class ModelLoadError extends InfetchError {
  /** The class, also for copies of another realm. */
  override name = "ModelLoadError" as const;
}

/** The page and the server worker speak different versions of the protocol. */
export class ProtocolVersionError extends InfetchError {
  /** The class, also for copies of another realm. */
  override name = "ProtocolVersionError" as const;

  constructor(message: string) {
    super("protocol_version", message);
  }
}

/** Another page of this origin runs the shared server with another `testing.clockOffsetMs`. */
export class RuntimeOptionsConflictError extends InfetchError {
  /** The class, also for copies of another realm. */
  override name = "RuntimeOptionsConflictError" as const;

  constructor(message: string) {
    super("runtime_options_conflict", message);
  }
}

/** A billing call failed; see `code`, for example `invalid_transition` or `ledger_unavailable`. */
export class BillingError extends InfetchError {
  /** The class, also for copies of another realm. */
  override name = "BillingError" as const;
}

/** A call of `runtime.keys` failed; see `code`, for example `invalid_argument` or `key_not_found`. */
export class KeyError extends InfetchError {
  /** The class, also for copies of another realm. */
  override name = "KeyError" as const;
}

/** True for infetch errors, including those of another realm or another copy of the package. */
export function isInfetchError(error: unknown): error is InfetchError {
  return error instanceof Error && "code" in error && INFETCH_NAMES.has(error.name);
}

const INFETCH_NAMES = new Set([
  "InfetchError",
  "WorkerLostError",
  "RuntimeClosedError",
  "ModelLoadError",
  "ProtocolVersionError",
  "RuntimeOptionsConflictError",
  "BillingError",
  "KeyError",
]);
