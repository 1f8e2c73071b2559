/** Results of RPC calls. Errors are serialized, because comlink keeps only `message`, `name` and `stack`. */

/** A serialized error. */
export interface WireError {
  /** Name of the error class, such as `BillingError`. */
  name: string;
  /** For humans. */
  message: string;
  /** Machine-readable and stable. */
  code: string;
}

/** Result of an RPC call, which never throws. */
export type Result<T> = { ok: true; value: T } | { ok: false; error: WireError };
