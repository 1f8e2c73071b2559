/** Errors that the page side throws: small classes with a name and a code. */

/** Base of every error that infetch itself raises. */
export class InfetchError extends Error {
  override name = "InfetchError";
  /** Machine-readable and stable. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The server worker died, or could not start. The next request starts a new one. */
export class WorkerLostError extends InfetchError {
  override name = "WorkerLostError" as const;

  constructor(
    message = "The inference worker ended unexpectedly. Send the request again.",
    options?: ErrorOptions,
  ) {
    super("worker_lost", message, options);
  }
}

/** `runtime.close()` was called: nothing can be sent any more. */
export class RuntimeClosedError extends InfetchError {
  override name = "RuntimeClosedError" as const;

  constructor() {
    super("runtime_closed", "The runtime is closed. Create a new one with createRuntime().");
  }
}

/** A model could not be loaded; `code` says why, for example `model_not_found` or `engine_unavailable`. */
export class ModelLoadError extends InfetchError {
  override name = "ModelLoadError" as const;
}

/** Page and server worker are of different versions of infetch. */
export class ProtocolVersionError extends InfetchError {
  override name = "ProtocolVersionError" as const;

  constructor(message: string) {
    super("protocol_version", message);
  }
}

/** Another page of this origin runs the shared server with other options. */
export class RuntimeOptionsConflictError extends InfetchError {
  override name = "RuntimeOptionsConflictError" as const;

  constructor(message: string) {
    super("runtime_options_conflict", message);
  }
}

/** A billing call failed; `code` says why, for example `invalid_transition` or `ledger_unavailable`. */
export class BillingError extends InfetchError {
  override name = "BillingError" as const;
}

/** A call of `runtime.keys` failed; `code` says why, for example `invalid_argument` or `key_not_found`. */
export class KeyError extends InfetchError {
  override name = "KeyError" as const;
}

/** True for infetch's own errors, also for those of another realm or another copy of the package. */
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
