import { readText } from "../../src/shared/read-text.ts";
import { isPage } from "./content-size.ts";
import { downloadFailed, unreachable } from "./download-errors.ts";
import { browserEnvironment, type StoreEnvironment } from "./environment.ts";
import { fetchModelFile } from "./fetch-model-file.ts";
import { NO_PAUSES } from "./rate-limits.ts";
import { isTransient } from "./retry.ts";
import { openCache } from "./watched-cache.ts";

const CACHE = "infetch/manifests";

/** A manifest lists files: far more than any model has. */
const MAX_BYTES = 16 * 2 ** 20;

/** A request without headers for this long is aborted, as is a text without its end. */
const STALL_MS = 60_000;

/**
 * Fetches a small text that may change at its URL. Without a hash it is revalidated on every call; if the server is
 * unreachable or fails, the last stored version is returned.
 *
 * @returns undefined if the server does not have the file
 * @throws {EngineError} `model_download_failed`; with a hash also `rate_limited`, at once
 */
export async function fetchText(
  url: string,
  sha256: string | undefined,
  environment: StoreEnvironment = browserEnvironment(),
): Promise<string | undefined> {
  const name = url.slice(url.lastIndexOf("/") + 1);
  if (sha256 !== undefined) {
    const key = `${url}?sha256=${sha256.toLowerCase()}`;
    const blob = await fetchModelFile(
      { url, cache: CACHE, key, file: { name, bytes: 0, sha256 } },
      { maxBytes: MAX_BYTES, mayStayUnstored: true, environment: { ...environment, limits: NO_PAUSES } },
    );
    return blob?.text();
  }
  // Without it, the file is fetched each time.
  const cache = await openCache(environment, CACHE).catch(() => undefined);
  const stalled = new AbortController();
  const inTime = async <T>(work: Promise<T>): Promise<T> => {
    const stopTimer = environment.timers.after(STALL_MS, () => stalled.abort());
    return work.finally(stopTimer);
  };
  let response: Response;
  let text: string | undefined = "";
  try {
    response = await inTime(environment.fetch(url, { cache: "no-cache", signal: stalled.signal }));
    if (response.ok && !isPage(response.headers)) {
      text = (await inTime(readText(response.body, MAX_BYTES)))?.text;
    }
  } catch (error) {
    const kept = await cache?.match(url);
    if (kept) return kept.text();
    const why = stalled.signal.aborted ? "it was not sent within a minute" : unreachable(url, environment);
    throw downloadFailed(url, why, error);
  }
  if (!response.ok || isPage(response.headers)) await response.body?.cancel().catch(() => {});
  if (response.status === 404 || isPage(response.headers)) return undefined;
  if (!response.ok) {
    const kept = isTransient(response.status) ? await cache?.match(url) : undefined;
    if (kept) return kept.text();
    throw downloadFailed(url, `the server responded with ${response.status}`);
  }
  if (text === undefined) throw downloadFailed(url, `it is longer than ${MAX_BYTES / 2 ** 20} MiB`);
  await cache?.put(url, new Response(text)).catch(() => {});
  return text;
}
