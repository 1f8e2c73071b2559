import { badRequest } from "../http/api-error.ts";

/**
 * Parameters that OpenAI knows and this runtime cannot honour, with the values that ask for nothing and so may
 * stand. Everything else of them is named in a 400: never silently dropped.
 */
export type Refusals = Readonly<Record<string, (value: unknown) => boolean>>;

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

/** @throws {ApiError} 400 where stream options come without a stream */
export function requireStreamForOptions(params: { stream?: unknown; stream_options?: unknown }): void {
  if (!params.stream_options || params.stream) return;
  throw badRequest(
    "invalid_value",
    "stream_options",
    "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
  );
}
