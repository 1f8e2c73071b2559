/**
 * `infetch/install`: the global `fetch`, for libraries that take no other.
 *
 * @module
 */

import { isUnder, urlOf } from "./address.ts";
import type { Runtime } from "./runtime.ts";

interface Installed {
  original: typeof fetch;
  dispatch: typeof fetch;
  runtimes: Pick<Runtime, "fetch" | "baseURL">[];
}

let installed: Installed | undefined;

/**
 * Has the global `fetch` answer the runtime's `baseURL`; every other address goes where it went before. Requests
 * need a key as ever: `runtime.apiKey`. May be called for several runtimes; the latest one of an address answers.
 *
 * @returns its undo, in any order; the last one puts back the `fetch` that was found, unless somebody has wrapped
 *   ours meanwhile: then it stays and passes everything on
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
