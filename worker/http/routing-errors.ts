/** Errors for requests that no endpoint serves. */

import { nearestName } from "../../src/shared/nearest-name.ts";
import { ApiError } from "./api-error.ts";

/** Typos per letter. Endpoints of OpenAI differ by more. */
const MAX_TYPOS = 1 / 4;

const STORES_NOTHING =
  "This runtime stores no responses, completions or conversations: send the full history in every request.";

/** OpenAI's endpoints of stored objects. */
const STORED = /^\/v1\/(chat\/completions|responses(?!\/compact)|conversations)(\/|$)/;

/** Ids of stored objects, which are no typos of a path. */
const STORED_ID = /\/(resp_|chatcmpl-|conv_)/;

/**
 * A 404 that explains why the path is unknown: a typo, or an endpoint of OpenAI that this runtime does not have.
 *
 * @param served the paths of all endpoints; those with parameters are not named
 */
export function unknownURL(method: string, path: string, served: readonly string[]): ApiError {
  const message = `Unknown request URL: ${method} ${path}. ${adviceFor(path, served)}`;
  return new ApiError(404, "unknown_url", message);
}

/** A 405; for a list of stored objects, also why there is none. */
export function methodNotAllowed(method: string, path: string, allowed: string[]): ApiError {
  const allow = allowed.flatMap((one) => (one === "GET" ? ["GET", "HEAD"] : [one])).join(", ");
  const isList = method === "GET" && STORED.test(path);
  const message = `Not allowed to ${method} on ${path}. Use ${allow}.${isList ? ` ${STORES_NOTHING}` : ""}`;
  return new ApiError(405, "method_not_allowed", message, { headers: { allow } });
}

/** A 415 (RFC 9110, section 15.5.16). */
export function unsupportedEncoding(encoding: string): ApiError {
  const message = `Unsupported Content-Encoding: '${encoding.slice(0, 64)}'. Send the body as it is, without compression.`;
  return new ApiError(415, "unsupported_content_encoding", message, {
    headers: { "accept-encoding": "identity" },
  });
}

function adviceFor(path: string, served: readonly string[]): string {
  if (STORED_ID.test(path)) return STORES_NOTHING;
  const named = served.filter((one) => !one.includes(":"));
  const meant = nearestName(path, named, MAX_TYPOS);
  if (meant) return `Did you mean ${meant}?`;
  if (STORED.test(path)) return STORES_NOTHING;
  return `This runtime serves ${named.join(", ")}.`;
}
