import type { LimitsRow } from "./schema.ts";

/** Whether there is a token quota. */
export function hasTokenQuota({ tokens_per_day, tokens_per_month }: LimitsRow): boolean {
  return tokens_per_day !== undefined || tokens_per_month !== undefined;
}

/** Whether there is any quota, of tokens or money. */
export function hasQuota(limits: LimitsRow): boolean {
  return hasTokenQuota(limits) || limits.pico_per_day !== undefined || limits.pico_per_month !== undefined;
}
