/** The `type` values that OpenAI uses in error bodies. */
export const ERROR_TYPES = [
  "invalid_request_error",
  "authentication_error",
  "permission_error",
  "rate_limit_error",
  // The per-minute limit that was exceeded, with the code `rate_limit_exceeded`.
  "requests",
  "tokens",
  "insufficient_quota",
  "server_error",
  "billing_provider_error",
] as const;

export type ErrorType = (typeof ERROR_TYPES)[number];

interface ErrorDetails {
  type?: ErrorType;
  param?: string | null;
  headers?: Record<string, string>;
  cause?: unknown;
}

/**
 * An error with its HTTP status and body: `{"error":{message,type,param,code}}` (OpenAI reference, Error codes).
 * The app converts it to a response.
 */
export class ApiError extends Error {
  override name = "ApiError" as const;
  readonly status: number;
  readonly code: string;
  readonly type: ErrorType;
  readonly param: string | null;
  readonly headers: Record<string, string>;

  constructor(status: number, code: string, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.status = status;
    this.code = code;
    this.type = details.type ?? (status >= 500 ? "server_error" : "invalid_request_error");
    this.param = details.param ?? null;
    this.headers = details.headers ?? {};
  }

  /** The response body, also sent as an event in streams that have started. */
  body(): { error: { message: string; type: ErrorType; param: string | null; code: string } } {
    return { error: { message: this.message, type: this.type, param: this.param, code: this.code } };
  }
}

/** A 400 that names the parameter. */
export function badRequest(code: string, param: string | null, message: string): ApiError {
  return new ApiError(400, code, message, { param });
}
