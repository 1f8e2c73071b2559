import { EngineError, type EngineErrorCode } from "../../engine-api/engine-error.ts";
import type { EngineFailure } from "../../engine-api/engine-wire.ts";

/** Serializes an error. `otherwise` is the code for unrecognized messages. */
export function toFailure(error: unknown, otherwise: EngineErrorCode): EngineFailure {
  if (error instanceof EngineError) {
    const { code, message, param } = error;
    return { code, message, param };
  }
  const message = error instanceof Error ? error.message : String(error);
  const code = /out of memory|bad_alloc|\bOOM\b|allocat/i.test(message) ? "out_of_memory" : otherwise;
  return { code, message: `llama.cpp: ${message}` };
}
