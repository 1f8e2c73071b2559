/** Trusted Types in the package's workers. https://w3c.github.io/trusted-types/dist/spec/ */

/** The used part, which TypeScript's library lacks. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string | null }): unknown;
}

/**
 * Lets this worker start others of its origin. Hosts send a page's `require-trusted-types-for 'script'` with every
 * file, and a worker does not see the page's policy. Only for workers that run the package's code alone.
 */
export function allowOwnWorkers(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const isOwn = (url: string): boolean => new URL(url, location.href).origin === location.origin;
  try {
    trustedTypes?.createPolicy("default", { createScriptURL: (url) => (isOwn(url) ? url : null) });
  } catch {
    // `trusted-types` forbids the name: a worker that does not start is explained.
  }
}
