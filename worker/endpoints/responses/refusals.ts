/** Parameters of the Responses API that this runtime does not support, mostly those that need a store. */

import * as z from "zod/mini";
import { badRequest } from "../../http/api-error.ts";
import {
  choice,
  ONLY_FALSE,
  objectOf,
  type Refusals,
  SHARED_REFUSALS,
  UNSUPPORTED_OBJECT,
  unsupported,
  unsupportedValue,
} from "../params/refuse.ts";

export const REFUSALS: Refusals = {
  ...SHARED_REFUSALS,
  access_programs: objectOf({ cyber: choice(["standard", "daybreak_blue", "daybreak_red"], ["standard"]) }),
  background: ONLY_FALSE,
  background_options: objectOf({ completion_window: choice(["soonest", "2h", "8h"], ["soonest"]) }),
  image: objectOf({ context_compression: choice(["auto", "enabled", "disabled"], ["auto", "disabled"]) }),
  /** Of `/v1/responses/input_tokens`, which counts what a response would. */
  personality: unsupported(z.string().check(z.maxLength(64))),
  prompt: UNSUPPORTED_OBJECT,
  context_management: unsupported(
    z.array(z.record(z.string(), z.unknown())),
    (value) => (value as unknown[]).length === 0,
  ),
  n: unsupported(z.number(), (value) => value === 1),
};

/** Parameters of chat completions, with their names in the Responses API. */
const MOVED: Readonly<Record<string, string>> = {
  messages: "input",
  max_tokens: "max_output_tokens",
  max_completion_tokens: "max_output_tokens",
  response_format: "text.format",
  reasoning_effort: "reasoning.effort",
  verbosity: "text.verbosity",
  functions: "tools",
  function_call: "tool_choice",
};

/**
 * Refuses parameters of chat completions, which would otherwise be ignored silently. One is accepted next to its new
 * name, for clients that send the same body to both endpoints.
 *
 * @throws {ApiError} 400 `unsupported_parameter`, with OpenAI's message
 */
export function refuseMoved(body: Record<string, unknown>): void {
  const isSent = (path: string): boolean =>
    (path.split(".").reduce<unknown>((value, name) => Object(value)[name], body) ?? null) !== null;
  for (const [param, name] of Object.entries(MOVED)) {
    if (!isSent(param) || isSent(name)) continue;
    throw badRequest(
      "unsupported_parameter",
      param,
      `Unsupported parameter: '${param}'. In the Responses API, this parameter has moved to '${name}'. Try again with the new parameter.`,
    );
  }
}

/**
 * @param strict whether `store` is mandatory, as the spec says; SDKs omit it
 * @throws {ApiError} 400 for parameters that need stored responses
 */
export function refuseStored(body: Record<string, unknown>, strict: boolean): void {
  const { store, previous_response_id: previous, conversation } = body;
  if (strict && (store === undefined || store === null)) {
    throw badRequest(
      "missing_required_parameter",
      "store",
      "Missing required parameter: 'store'. It must be false: this runtime stores no responses.",
    );
  }
  if (store === true) throw unsupportedValue("store", store, [false]);
  for (const [param, value] of Object.entries({ previous_response_id: previous, conversation })) {
    if (value === undefined || value === null) continue;
    throw badRequest(
      "unsupported_parameter",
      param,
      `Unsupported parameter: '${param}'. This runtime stores no responses: send the full history in 'input' on every turn.`,
    );
  }
}
