/**
 * `infetch/install`: replaces the global `fetch`, for libraries that do not accept a custom one.
 *
 * @module
 */

import { isUnder, urlOf } from "./fetch/target-url.ts";
import type { Runtime } from "./runtime.ts";

interface Installed {
  original: typeof fetch;
  dispatch: typeof fetch;
  runtimes: Pick<Runtime, "fetch" | "baseURL">[];
}

let installed: Installed | undefined;

/**
 * Makes the global `fetch` serve the runtime's `baseURL`; other requests use the previous `fetch`. Requests still
 * need `runtime.apiKey`. With several runtimes, the latest one for a URL is used.
 *
 * @returns a function that uninstalls, callable in any order. The last one restores the previous `fetch`, unless the
 *   global has been wrapped since: then this `fetch` stays and forwards everything
 * @example
 * const uninstall = install(runtime);
 * await fetch("/v1/models", { headers: { authorization: `Bearer ${runtime.apiKey}` } });
 */
export function install(runtime: Pick<Runtime, "fetch" | "baseURL">): () => void {
  installed ??= replaceFetch(globalThis.fetch);
  const { runtimes, dispatch, original } = installed;
  const entry = { ...runtime };
  runtimes.unshift(entry);
  return () => {
    const at = runtimes.indexOf(entry);
    if (at < 0) return;
    runtimes.splice(at, 1);
    if (runtimes.length > 0) return;
    installed = undefined;
    if (globalThis.fetch === dispatch) globalThis.fetch = original;
  };
}

function replaceFetch(original: typeof fetch): Installed {
  const runtimes: Installed["runtimes"] = [];
  const dispatch = (...call: Parameters<typeof fetch>): Promise<Response> => {
    const url = urlOf(call[0]);
    const runtime = url && runtimes.find(({ baseURL }) => isUnder(new URL(baseURL), url));
    return runtime ? runtime.fetch(...call) : original.apply(globalThis, call);
  };
  globalThis.fetch = dispatch;
  return { original, dispatch, runtimes };
}
