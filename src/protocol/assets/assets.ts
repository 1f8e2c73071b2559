/** What is known of package files that do not load, until `asset-fault.ts` has diagnosed them. */

/** Error code for package files that do not load. */
export const ASSETS_NOT_FOUND = "assets_not_found";

/** For a file whose fault is unknown, as `asset-fault.ts` does not load either. */
export const unexplained = (url: string): string => `${url} did not load. See docs/packaging.md.`;

const MAX_VIOLATIONS = 200;

/** Violated Content-Security-Policy directives, by blocked URL. */
export const forbidden = new Map<string, string>();
globalThis.addEventListener?.("securitypolicyviolation", (event) => {
  const { blockedURI, effectiveDirective, disposition } = event as SecurityPolicyViolationEvent;
  if (disposition !== "enforce" || forbidden.size > MAX_VIOLATIONS) return;
  // Keep the first violation: later ones may come from the diagnostic fetch.
  if (!forbidden.has(blockedURI)) forbidden.set(blockedURI, effectiveDirective);
});
