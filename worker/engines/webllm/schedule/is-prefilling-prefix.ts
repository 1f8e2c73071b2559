import { PAGE_SIZE } from "../kv/kv-state.ts";
import { MIN_SAVED } from "../kv/sequence-cache.ts";
import { sharedLength } from "../kv/token-tree.ts";
import type { Job } from "./job.ts";

/**
 * Whether a running reply is about to feed what another one's prompt begins with: this is then forked, not fed twice. So
 * the choices of a request, or requests with one system prompt, feed it once. An interactive reply never waits for a background one.
 */
export function isPrefillingPrefix(running: Job, job: Job): boolean {
  const left = running.waiting.length;
  if (
    left < 2 ||
    job.toScore.length > 0 ||
    running.scope !== job.scope ||
    (running.isBackground && !job.isBackground)
  )
    return false;
  const common = sharedLength(running.ids, job.ids, 0, job.ids.length);
  // What a fork has: whole pages, and not the last two tokens.
  const forked = Math.min(common, job.ids.length - 2);
  const whole = forked - (forked % PAGE_SIZE);
  return whole >= MIN_SAVED && running.ids.length - left < whole;
}
