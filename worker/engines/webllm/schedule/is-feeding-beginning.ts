import { PAGE } from "../kv/kv-state.ts";
import { LEAST_SAVED } from "../kv/sequence-cache.ts";
import type { Job } from "./job.ts";

/**
 * Whether a running reply is about to feed what another one's prompt begins with: this is then forked, not fed twice. So
 * the choices of a request, or requests with one system prompt, feed it once. Nobody waits for a background reply.
 */
export function isFeedingBeginning(running: Job, job: Job): boolean {
  const left = running.waiting.length;
  if (left < 2 || running.scope !== job.scope || (running.isBackground && !job.isBackground)) return false;
  const common = commonLength(running.ids, job.ids);
  // What a fork has: whole pages, and not the last two tokens.
  const forked = Math.min(common, job.ids.length - 2);
  const whole = forked - (forked % PAGE);
  return whole >= LEAST_SAVED && running.ids.length - left < whole;
}

function commonLength(one: readonly number[], other: readonly number[]): number {
  const most = Math.min(one.length, other.length);
  for (let at = 0; at < most; at++) if (one[at] !== other[at]) return at;
  return most;
}
