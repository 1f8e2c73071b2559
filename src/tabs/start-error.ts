import { InfetchError, WorkerLostError } from "../errors.ts";
import { fileFault, startFault, versionFault } from "../protocol/assets/asset-diagnosis.ts";
import { ASSETS_NOT_FOUND, unexplained } from "../protocol/assets/assets.ts";
import { fetchScript } from "../protocol/assets/start-worker.ts";

/**
 * Error for a server worker that reported one: `assets_not_found` if its script did not load.
 *
 * @param reason the browser's error message, if any
 */
export async function startError(url: URL, reason: string | undefined): Promise<InfetchError> {
  const fault = await startFault(url.href, reason);
  if (fault) return new InfetchError(ASSETS_NOT_FOUND, fault);
  return new WorkerLostError(`The server worker failed: ${reason}. Send the request again.`);
}

/** Worker scripts that were fetched again. */
const refreshed = new Set<string>();

/**
 * A server worker of another release than the entry. The first time it is taken for one of the HTTP cache: the scripts
 * are fetched past it, for another start. Then the error is `assets_of_another_version`.
 *
 * @param engineURLs scripts that would be stale too
 */
export async function ofAnotherVersion(
  url: URL,
  version: string | undefined,
  engineURLs: readonly string[],
): Promise<InfetchError | undefined> {
  if (!refreshed.has(url.href)) {
    refreshed.add(url.href);
    await Promise.all([url, ...engineURLs].map((script) => fetchScript(script, { cache: "reload" })));
    return undefined;
  }
  return new InfetchError("assets_of_another_version", await versionFault(url.href, version));
}

/**
 * Error for a lazy chunk of the entry that did not load: `assets_not_found`, with its URL.
 *
 * @param name file of the chunk, beside the entry at `entryURL`
 */
export async function partError(name: string, entryURL: string): Promise<InfetchError> {
  const { href } = new URL(name, entryURL);
  return new InfetchError(ASSETS_NOT_FOUND, (await fileFault(href, "module")) ?? unexplained(href));
}
