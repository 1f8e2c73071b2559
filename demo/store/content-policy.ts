/** Whether the page's CSP allows models from other origins. */

import { computed } from "@preact/signals";
import { Resource } from "./loadable.ts";

/** A page that waits for it is shown without it after this time. */
const MAX_WAIT_MS = 2000;

/** The sources of the policy's `connect-src`, from the page's response headers; null if unknown or without one. */
export const policy = new Resource(async (): Promise<string | null> => {
  const request = { method: "HEAD", signal: AbortSignal.timeout(MAX_WAIT_MS) };
  const response = await fetch(location.href, request).catch(() => undefined);
  const text = response?.headers.get("content-security-policy") ?? "";
  const [, sources] = /(?:^|;)\s*connect-src\s+([^;]*)/.exec(text) ?? [];
  return sources?.trim() ?? null;
});

export const isBoundToOrigin = computed(() => policy.value === "'self'");
