/** Refuses to start where no runtime can run. */

import { InfetchError } from "../errors.ts";
import { withinLimit } from "../protocol/liveness/awake-timeout.ts";

/** Why no runtime can run here, and how to fix it: `explainEnvironment`, which the page loads only then. */
type Explain = () => { code: string; message: string } | Promise<{ code: string; message: string }>;

/** A free lock is granted at once. A browser whose process for locks hangs grants none. */
const PROBE_LIMIT_MS = 30_000;

/**
 * @param caller name of the function that starts a server
 * @throws {InfetchError} `not_in_a_page`, and as {@link requireLocks}
 */
export async function requirePage(caller: string, explain: Explain): Promise<void> {
  // Servers such as Bun and Deno have workers, but no address.
  if (typeof Worker === "undefined" || typeof location === "undefined")
    throw new InfetchError("not_in_a_page", `${caller}() runs only in a browser page.`);
  await requireLocks(explain);
}

/**
 * Fails fast in old browsers and without Web Locks. Requests a lock, because the API may exist and still reject.
 *
 * @throws {InfetchError} `unsupported_browser`, `insecure_context`, `opaque_origin` or `web_locks_unavailable`
 */
export async function requireLocks(explain: Explain): Promise<void> {
  await activation();
  try {
    // The newest functions that the workers call; a result that is not used would let bundlers drop the call.
    AbortSignal.any([]);
    if (!URL.canParse(location.href)) throw new TypeError();
    const probe = navigator.locks.request(`infetch:probe:${crypto.randomUUID()}`, () => {});
    await withinLimit(probe, PROBE_LIMIT_MS, noLock);
  } catch (cause) {
    if (cause instanceof InfetchError) throw cause;
    const { code, message } = await explain();
    throw new InfetchError(code, message, { cause });
  }
}

/** No lock is granted to a prerendered page before it is shown. */
async function activation(): Promise<void> {
  const page = globalThis.document as (Document & { prerendering?: boolean }) | undefined;
  if (page?.prerendering) await new Promise((shown) => page.addEventListener("prerenderingchange", shown));
}

function noLock(): InfetchError {
  return new InfetchError("web_locks_unavailable", "The browser does not answer Web Locks. Restart it.");
}
