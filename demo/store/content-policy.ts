/** Whether the page's CSP allows models from other origins. */

import { type Signal, signal } from "@preact/signals";

/** Undefined while unknown, or if the page has no such policy. */
export const isBoundToOrigin: Signal<boolean | undefined> = signal(undefined);

/** Reads the policy from the page's response headers. */
export async function readPolicy(): Promise<void> {
  const response = await fetch(location.href, { method: "HEAD" }).catch(() => undefined);
  const policy = response?.headers.get("content-security-policy") ?? "";
  const [, sources] = /(?:^|;)\s*connect-src\s+([^;]*)/.exec(policy) ?? [];
  isBoundToOrigin.value = sources === undefined ? undefined : sources.trim() === "'self'";
}
