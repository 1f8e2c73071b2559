/** Retry policy for downloads. */

/** Consecutive attempts without new bytes before a download fails. */
export const MAX_FRUITLESS_ATTEMPTS = 5;

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
/** If a server demands a longer delay, the download fails instead. */
export const MAX_RETRY_AFTER_MS = 60_000;

/** A retryable failure: a network error or an overloaded server. */
export class TransientFailure extends Error {
  override name = "TransientFailure" as const;
  /** The delay that the server requested. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: ErrorOptions & { retryAfterMs?: number | undefined } = {}) {
    super(message, options);
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** A 429: its delay is a {@link RateLimits} pause, and no failed attempt. */
export class RateLimitedFailure extends TransientFailure {}

/** The failure that a transient status is; undefined for any other status. */
export function transientFailure(
  { status, headers }: Response,
  nowMs: number,
  who = "the server",
): TransientFailure | undefined {
  if (!isTransient(status)) return undefined;
  // Hubs state their window with every answer, but only a 429 means that it is used up.
  const window = status === 429 ? windowMs(headers) : undefined;
  const options = { retryAfterMs: retryAfterMs(headers.get("retry-after"), nowMs) ?? window };
  const message = `${who} responded with ${status}`;
  return status === 429 ? new RateLimitedFailure(message, options) : new TransientFailure(message, options);
}

/** When the window ends in which the hub counts requests: `"api";r=0;t=55`, in seconds. */
function windowMs(headers: Headers): number | undefined {
  const [, seconds] = /(?:^|;)\s*t=(\d{1,9})\b/.exec(headers.get("ratelimit") ?? "") ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

/** Request Timeout, Too Early, Too Many Requests, and all server errors. */
export function isTransient(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/**
 * Exponential backoff with jitter.
 *
 * @param failures so far, at least 1
 * @param random in [0, 1)
 */
export function backoffMs(failures: number, random: number): number {
  const longest = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1));
  return Math.round(longest * (0.5 + random / 2));
}

/** Parses a `retry-after` header, which is in seconds or a date. */
function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null || header.trim() === "") return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
