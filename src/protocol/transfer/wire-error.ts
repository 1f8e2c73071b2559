/** Errors and reasons of bodies, as they cross a port. */

import type { WireError } from "../rpc/result.ts";

/** Text of a thrown value or abort reason, which may be an object that cannot become a string. */
export function textOf(reason: unknown): string {
  try {
    return String(reason);
  } catch {
    return "unknown reason";
  }
}

export function toWireError(error: unknown): WireError {
  const source = error as Partial<WireError> | null;
  return {
    name: typeof source?.name === "string" ? source.name : "Error",
    message: typeof source?.message === "string" ? source.message : textOf(error),
    code: typeof source?.code === "string" ? source.code : "body_failed",
  };
}

export function fromWireError(wire: WireError): Error & { code: string } {
  const error = new Error(wire.message) as Error & { code: string };
  error.name = wire.name;
  error.code = wire.code;
  return error;
}
