/** Parameters of the Responses API that this runtime does not support, mostly those that need a store. */

import { badRequest } from "../../http/api-error.ts";
import { isDefaultCaching, type Refusals } from "../refuse.ts";

export const REFUSALS: Refusals = {
  background: (value) => value === false,
  prompt: () => false,
  context_management: (value) => Array.isArray(value) && value.length === 0,
  moderation: () => false,
  n: (value) => value === 1,
  prompt_cache_options: isDefaultCaching,
  prompt_cache_retention: (value) => value === "in_memory",
  service_tier: (value) => value === "auto" || value === "default",
};

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
  if (store === true) {
    throw badRequest(
      "unsupported_parameter",
      "store",
      "Unsupported value: 'store' must be false. This runtime stores no responses.",
    );
  }
  for (const [param, value] of Object.entries({ previous_response_id: previous, conversation })) {
    if (value === undefined || value === null) continue;
    throw badRequest(
      "unsupported_parameter",
      param,
      `Unsupported parameter: '${param}'. This runtime stores no responses: send the full history in 'input' on every turn.`,
    );
  }
}
