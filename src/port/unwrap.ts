import {
  BillingError,
  InfetchError,
  KeyError,
  ModelLoadError,
  ProtocolVersionError,
  RuntimeOptionsConflictError,
} from "../errors.ts";
import type { Result, WireError } from "../protocol/rpc/result.ts";

/** @throws the error of a failed result, as an instance of its class */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw toError(result.error);
}

/** Error classes whose code is set by the server, by name. */
const CODED_ERRORS: Record<string, typeof InfetchError> = { BillingError, KeyError, ModelLoadError };

function toError(wire: WireError): Error {
  if (wire.name === "ProtocolVersionError") return new ProtocolVersionError(wire.message);
  if (wire.name === "RuntimeOptionsConflictError") return new RuntimeOptionsConflictError(wire.message);
  if (wire.name === "TypeError") return new TypeError(wire.message);
  const Coded = CODED_ERRORS[wire.name] ?? InfetchError;
  return new Coded(wire.code, wire.message);
}
