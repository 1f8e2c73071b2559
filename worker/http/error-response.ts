import { EngineError } from "../engine-api/engine-error.ts";
import { PartError } from "../lazy/part.ts";
import { STORAGE_REMEDY } from "../storage/database.ts";
import { StorageError } from "../storage/storage-error.ts";
import { StorageCleared } from "../storage/storage-watch.ts";
import { KeyError } from "../usage/keys/key-error.ts";
import { ApiError } from "./api-error.ts";
import { unauthorized } from "./unauthorized.ts";

/** Converts any thrown value to the error that the client receives. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof EngineError) return fromEngine(error);
  if (error instanceof KeyError && error.code === "key_not_found") {
    return unauthorized("invalid_api_key", `${error.message} Create a new one with runtime.keys.create().`);
  }
  // Other key errors are converted by `authenticate`.
  if (error instanceof KeyError || error instanceof PartError || error instanceof StorageError)
    return new ApiError(503, error.code, error.message, { cause: error });
  if (error instanceof StorageCleared)
    return new ApiError(503, "storage_unavailable", `${error.message} ${STORAGE_REMEDY}`, { cause: error });
  const message =
    "The runtime had an internal error while processing your request. This is a bug in infetch: please report it.";
  return new ApiError(500, "internal_error", message, { cause: error });
}

/** The response for any thrown value. */
export function errorResponse(error: unknown): Response {
  const api = toApiError(error);
  return Response.json(api.body(), { status: api.status, headers: api.headers });
}

const ENGINE_STATUS: Record<EngineError["code"], number> = {
  engine_unavailable: 503,
  assets_not_found: 503,
  assets_of_another_version: 503,
  engine_lost: 500,
  engine_failed: 500,
  reply_failed: 500,
  model_load_failed: 503,
  unsupported_model: 400,
  model_not_found: 404,
  model_not_allowed: 403,
  unknown_pooling: 400,
  model_download_failed: 502,
  rate_limited: 503,
  model_gated: 403,
  hub_token_invalid: 403,
  hub_model_not_found: 404,
  hub_revision_not_found: 404,
  hub_file_not_found: 404,
  insufficient_storage: 507,
  out_of_memory: 503,
  insufficient_memory: 503,
  load_cancelled: 503,
  context_length_exceeded: 400,
  invalid_request: 400,
  unsupported_parameter: 400,
  queue_full: 429,
};

function fromEngine(error: EngineError): ApiError {
  const status = ENGINE_STATUS[error.code];
  return new ApiError(status, error.code, error.message, {
    type: status === 429 ? "rate_limit_error" : status < 500 ? "invalid_request_error" : "server_error",
    param: error.param,
    headers: HEADERS[error.code] ?? {},
    cause: error,
  });
}

/** SDKs retry 429 and 5xx by default; this header disables it. */
const NO_RETRY = { "x-should-retry": "false" };
const HEADERS: Partial<Record<EngineError["code"], Record<string, string>>> = {
  queue_full: { "retry-after": "1" },
  // Retries cannot succeed: the cause was intended, or persists.
  load_cancelled: NO_RETRY,
  assets_not_found: NO_RETRY,
  insufficient_memory: NO_RETRY,
  insufficient_storage: NO_RETRY,
  // The load has waited for minutes already.
  rate_limited: NO_RETRY,
};
