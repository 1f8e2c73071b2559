import { InfetchError, WorkerLostError } from "../errors.ts";
import { ASSETS_NOT_FOUND, forbidden, unexplained } from "../protocol/assets.ts";
import { withinLimit } from "../protocol/awake-timeout.ts";
import { fetchScript } from "../protocol/start-worker.ts";

/** The network that a file fails on may leave the diagnosis without an answer, too. */
const LIMIT_MS = 60_000;

/** @param otherwise what is said if the diagnosis does not load, or takes too long */
function diagnose<T>(
  find: (diagnosis: typeof import("../protocol/asset-fault.ts")) => T | Promise<T>,
  otherwise: T,
): Promise<T> {
  const found = import("../protocol/asset-fault.ts").then(find);
  return withinLimit(found, LIMIT_MS, () => new Error("late")).catch(() => otherwise);
}

/**
 * Error for a server worker that reported one: `assets_not_found` if its script did not load.
 *
 * @param reason the browser's error message, if any
 */
export async function startError(url: URL, reason: string | undefined): Promise<InfetchError> {
  const fault = await diagnose(
    ({ explainStart }) => explainStart(url.href, reason, forbidden),
    unexplained(url.href),
  );
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
  const message = await diagnose(
    ({ explainVersion }) => explainVersion(url.href, version),
    `${url} is of another version of infetch.`,
  );
  return new InfetchError("assets_of_another_version", message);
}

/**
 * Error for a lazy chunk of the entry that did not load: `assets_not_found`, with its URL.
 *
 * @param name file of the chunk, beside the entry at `entryURL`
 */
export async function partError(name: string, entryURL: string): Promise<InfetchError> {
  const url = new URL(name, entryURL);
  const fault = await diagnose(
    ({ findAssetFault }) => findAssetFault(url.href, "module", forbidden),
    undefined,
  );
  return new InfetchError(ASSETS_NOT_FOUND, fault ?? unexplained(url.href));
}
