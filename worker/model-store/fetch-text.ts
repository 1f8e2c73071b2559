import { downloadFailed } from "./download.ts";
import { browserEnvironment, openCache, type StoreEnvironment } from "./environment.ts";
import { fetchModelFile } from "./fetch-model-file.ts";
import { NO_PAUSES } from "./rate-limits.ts";

const CACHE = "infetch/manifests";

/**
 * Fetches a small text that may change at its URL. Without a hash it is revalidated on every call; if the server is
 * unreachable, the last stored version is returned.
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
      { mayStayUnstored: true, environment: { ...environment, limits: NO_PAUSES } },
    );
    return blob?.text();
  }
  const cache = await openCache(environment, CACHE);
  let response: Response;
  try {
    response = await environment.fetch(url, { cache: "no-cache" });
  } catch (error) {
    const kept = await cache?.match(url);
    if (kept) return kept.text();
    throw downloadFailed(url, "the server could not be reached", error);
  }
  // Some servers send an HTML page for a missing file.
  if (response.status === 404 || response.headers.get("content-type")?.startsWith("text/html")) {
    await response.body?.cancel();
    return undefined;
  }
  if (!response.ok) throw downloadFailed(url, `the server responded with ${response.status}`);
  const text = await response.text();
  await cache?.put(url, new Response(text)).catch(() => {});
  return text;
}
