/** Errors for what a model cannot do, thrown once its files are known. */

import type { ChatModelRecord } from "../../catalog/model-record.ts";
import { EngineError } from "../../engine-api/engine-error.ts";
import type { ChatRequest } from "../chat-request.ts";

export function toolsNotSupported(
  { toolsParam: param = "tools" }: ChatRequest,
  { id }: ChatModelRecord,
): EngineError {
  return new EngineError(
    "unsupported_parameter",
    `Unsupported parameter: '${param}' is not supported with '${id}': its chat template has no known tool format. Use a model with tools (infetch.abilities in GET /v1/models), or set tools: 'generic' in its deployment or manifest.`,
    { param },
  );
}

/** @throws {EngineError} `unsupported_parameter` if reasoning is requested of a model without it */
export function requireReasoning(
  { reasoningParam: param }: ChatRequest,
  { id }: ChatModelRecord,
  reasoning: object | undefined,
): void {
  if (param === undefined || reasoning) return;
  throw new EngineError(
    "unsupported_parameter",
    `Unsupported parameter: '${param}' is not supported with '${id}'.`,
    { param },
  );
}
