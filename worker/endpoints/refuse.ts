import { isObject } from "../../src/protocol/is-object.ts";
import { badRequest } from "../http/api-error.ts";

/**
 * OpenAI parameters that this runtime does not support, with a test for no-op values, which are accepted. Other
 * values are refused with a 400, never silently dropped.
 */
export type Refusals = Readonly<Record<string, (value: unknown) => boolean>>;

/** OpenAI's defaults. */
const CACHE_OPTIONS: Readonly<Record<string, unknown>> = { mode: "implicit", ttl: "30m" };

/** Whether `prompt_cache_options` asks for nothing but the defaults. */
export function isDefaultCaching(options: unknown): boolean {
  if (!isObject(options)) return false;
  return Object.entries(options).every(([name, value]) => value === null || value === CACHE_OPTIONS[name]);
}

/** @throws {ApiError} 400 `unsupported_parameter` */
export function refuseUnsupported(body: Record<string, unknown>, refusals: Refusals): void {
  for (const [name, asksForNothing] of Object.entries(refusals)) {
    const value = body[name];
    if (value === undefined || value === null || asksForNothing(value)) continue;
    throw badRequest(
      "unsupported_parameter",
      name,
      `Unsupported parameter: '${name}' with this value is not supported by this runtime.`,
    );
  }
}

/** @throws {ApiError} 400 for stream options without `stream` */
export function requireStreamForOptions(params: { stream?: unknown; stream_options?: unknown }): void {
  if (!params.stream_options || params.stream) return;
  throw badRequest(
    "invalid_value",
    "stream_options",
    "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
  );
}
