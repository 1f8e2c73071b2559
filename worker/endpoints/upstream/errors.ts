import { readText } from "../../../src/shared/read-text.ts";
import { ApiError, type ErrorType } from "../../http/api-error.ts";

/** An error body of any server: OpenAI's, or one with its fields outside of `error`. */
type ErrorBody = Record<"error" | "message" | "detail" | "type" | "param" | "code", unknown>;

const KEY_REJECTED = "The upstream server rejected the key in the option 'upstream.apiKey'.";

/** What tells SDKs whether and when to send a request again. */
const RETRY_HEADERS = ["x-should-retry", "retry-after-ms", "retry-after"];

/** Of a body that is read. */
const MAX_BYTES = 2 ** 20;

/** Characters of a `detail` that are shown: FastAPI repeats the request in it. */
const MAX_DETAIL = 1000;

/**
 * Converts an upstream's failure. Its 4xx are passed on, except those about the key, which is the runtime's.
 * Everything else is a 502, without the upstream's text. All keep its headers about retries.
 *
 * @param shown of the upstream's text, what may be shown
 */
export async function upstreamError(response: Response, shown: (text: string) => string): Promise<ApiError> {
  const { status } = response;
  const headers = retryHeaders(response.headers);
  const isAboutKey = status === 401 || status === 403 || status === 407;
  if (isAboutKey || status < 400 || status >= 500) {
    // The text is not shown, and may never end.
    response.body?.cancel().catch(() => {});
    return isAboutKey
      ? new ApiError(502, "upstream_authentication_failed", KEY_REJECTED, { headers })
      : new ApiError(502, "upstream_error", `The upstream server failed with status ${status}.`, { headers });
  }
  const body = await readError(response, shown);
  const { type, param, code } = Object(body.error) === body.error ? (body.error as ErrorBody) : body;
  const isLimit = status === 429;
  return new ApiError(
    status,
    text(code) ?? (isLimit ? "rate_limit_exceeded" : "upstream_refused"),
    messageOf(body) ?? `The upstream server refused the request with status ${status}.`,
    {
      // An upstream has types of its own.
      type:
        (string(type) as ErrorType | undefined) ?? (isLimit ? "rate_limit_error" : "invalid_request_error"),
      param: text(param) ?? null,
      headers,
    },
  );
}

function retryHeaders(headers: Headers): Record<string, string> {
  const given = RETRY_HEADERS.map((name) => [name, headers.get(name)]);
  return Object.fromEntries(given.filter(([, value]) => value !== null));
}

function messageOf({ error, message, detail }: ErrorBody): string | undefined {
  return text(Object(error).message) ?? string(error) ?? string(message) ?? detailOf(detail);
}

function detailOf(detail: unknown): string | undefined {
  if (Object(detail) !== detail) return string(detail)?.slice(0, MAX_DETAIL);
  try {
    return JSON.stringify(detail).slice(0, MAX_DETAIL);
  } catch {
    // Too deep for the stack.
    return undefined;
  }
}

/** The 502 for a successful response of another shape. */
export function invalidResponse(why = "does not follow this API"): ApiError {
  return new ApiError(502, "upstream_invalid_response", `The upstream server's response ${why}.`);
}

/** The 502 for a stream without an end. */
export function cutStream(): ApiError {
  return new ApiError(502, "upstream_stream_cut", "The upstream server's response ended early.");
}

/** The body as an object, empty for any other, or one that is too long. */
async function readError({ body }: Response, shown: (text: string) => string): Promise<ErrorBody> {
  try {
    return Object(JSON.parse(shown((await readText(body, MAX_BYTES))!.text))) as ErrorBody;
  } catch {
    return {} as ErrorBody;
  }
}

function string(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** FastAPI servers send numeric codes. */
function text(value: unknown): string | undefined {
  return typeof value === "number" ? String(value) : string(value);
}
