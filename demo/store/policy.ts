/** Whether the policy of this page lets models come from other origins. */

import { type Signal, signal } from "@preact/signals";

/** Undefined while it is not known, and where the page came without a policy that says. */
export const isBoundToOrigin: Signal<boolean | undefined> = signal(undefined);

/** Asks the server for the policy that it sends with this page. */
export async function readPolicy(): Promise<void> {
  const response = await fetch(location.href, { method: "HEAD" }).catch(() => undefined);
  const policy = response?.headers.get("content-security-policy") ?? "";
  const [, sources] = /(?:^|;)\s*connect-src\s+([^;]*)/.exec(policy) ?? [];
  isBoundToOrigin.value = sources === undefined ? undefined : sources.trim() === "'self'";
}
