const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** A duration as OpenAI's `x-ratelimit-reset-*` have it (Go's format): `120ms`, `1s`, `8.64s`, `6m0s`, `2h0m5s`. */
export function formatDuration(durationMs: number): string {
  const ms = Math.ceil(durationMs);
  if (ms === 0) return "0s";
  if (ms < SECOND_MS) return `${ms}ms`;
  const hours = Math.floor(ms / HOUR_MS);
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
  const seconds = `${(ms % MINUTE_MS) / SECOND_MS}s`;
  if (hours > 0) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${minutes}m${seconds}` : seconds;
}
