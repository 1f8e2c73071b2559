/** Trusted Types for the scripts of workers. https://w3c.github.io/trusted-types/dist/spec/ */

/** The used parts, which TypeScript's library lacks. */
interface Policy {
  createScriptURL(url: string): string;
}

interface TrustedTypes {
  readonly defaultPolicy: Policy | null;
  createPolicy(name: string, rules: { createScriptURL(url: string): string | null }): Policy;
}

let own: Policy | undefined;

/**
 * A script's URL as a page that requires Trusted Types must give it to a worker: allowed by the policy `infetch` if it
 * is of this origin, and unchanged where the app's policy `default` decides, or `trusted-types` forbids this one.
 */
export function allowedScriptURL(url: string | URL): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  if (!trustedTypes || !isOwn(url) || hasRule(trustedTypes.defaultPolicy, `${url}`)) return `${url}`;
  own ??= createPolicy("infetch");
  return own?.createScriptURL(`${url}`) ?? `${url}`;
}

/** Whether a policy has a rule for scripts, not for markup alone. */
function hasRule(policy: Policy | null, url: string): boolean {
  try {
    return Boolean(policy?.createScriptURL(url));
  } catch {
    return false;
  }
}

/**
 * Lets libraries in this worker start others of its origin. Hosts send a page's `require-trusted-types-for 'script'`
 * with every file, and a worker does not see the page's policy. Only for workers that run the package's code alone.
 */
export function allowOwnWorkers(): void {
  createPolicy("default");
}

/** Undefined without Trusted Types, or where `trusted-types` forbids the name: a worker that does not start is explained. */
function createPolicy(name: string): Policy | undefined {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  try {
    return trustedTypes?.createPolicy(name, { createScriptURL: (url) => (isOwn(url) ? url : null) });
  } catch {
    return undefined;
  }
}

const isOwn = (url: string | URL): boolean => new URL(url, location.href).origin === globalThis.origin;
