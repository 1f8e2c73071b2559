import { EngineError, type EngineErrorCode } from "../../engine-api/engine-error.ts";
import type { EngineFailure } from "../../engine-api/engine-wire.ts";

/** Error codes by name, because web-llm does not export its error classes. */
const CODES: Record<string, EngineErrorCode> = {
  WebGPUNotAvailableError: "engine_unavailable",
  WebGPUNotFoundError: "engine_unavailable",
  ShaderF16SupportError: "engine_unavailable",
  FeatureSupportError: "engine_unavailable",
  DeviceLostError: "out_of_memory",
  ContextWindowSizeExceededError: "context_length_exceeded",
  RangeError: "invalid_request",
  MinValueError: "invalid_request",
  NonNegativeError: "invalid_request",
  InvalidNumberStringError: "invalid_request",
  DependencyError: "invalid_request",
  SeedTypeError: "invalid_request",
};

/** Serializes an error. `otherwise` is the code for unknown error names. */
export function toFailure(error: unknown, otherwise: EngineErrorCode): EngineFailure {
  if (error instanceof EngineError) {
    const { code, message, param } = error;
    return { code, message, param };
  }
  const { name, message } = (error ?? {}) as { name?: string; message?: string };
  const code = CODES[name ?? ""] ?? otherwise;
  return { code, message: `web-llm: ${message || String(error)}` };
}
