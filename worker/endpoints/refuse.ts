import { isObject } from "../../src/protocol/is-object.ts";
import { badRequest } from "../http/api-error.ts";

/**
 * OpenAI parameters that this runtime does not support, with a test for no-op values, which are accepted. Other
 * values are refused with a 400, never silently dropped.
 */
export type Refusals = Readonly<Record<string, (value: unknown) => boolean>>;

/** A test for an object whose fields have no effect: each is null or one of the values in `idle`. */
export function asksOnlyFor(idle: Readonly<Record<string, readonly unknown[]>>): (value: unknown) => boolean {
  const isIdle = ([name, value]: [string, unknown]): boolean =>
    value === null || (Object.hasOwn(idle, name) && idle[name]!.includes(value));
  return (value) => isObject(value) && Object.entries(value).every(isIdle);
}

/** Whether `prompt_cache_options` asks for nothing but OpenAI's defaults. */
export const isDefaultCaching = asksOnlyFor({ mode: ["implicit"], ttl: ["30m"] });

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
