import { readText } from "../../src/shared/read-text.ts";
import { openCache } from "./cache/watched-cache.ts";
import { isPage } from "./download/content-size.ts";
import { NO_PAUSES } from "./download/rate-limits.ts";
import { isTransient } from "./download/retry.ts";
import { downloadFailed, unreachable } from "./download-errors.ts";
import { browserEnvironment, type StoreEnvironment } from "./environment.ts";
import { fetchModelFile } from "./fetch-model-file.ts";

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
  return sha256 === undefined ? fetchCurrent(url, environment) : fetchByHash(url, sha256, environment);
}

async function fetchByHash(
  url: string,
  sha256: string,
  environment: StoreEnvironment,
): Promise<string | undefined> {
  const name = url.slice(url.lastIndexOf("/") + 1);
  const key = `${url}?sha256=${sha256.toLowerCase()}`;
  const blob = await fetchModelFile(
    { url, cache: CACHE, key, file: { name, bytes: 0, sha256 } },
    { maxBytes: MAX_BYTES, mayStayUnstored: true, environment: { ...environment, limits: NO_PAUSES } },
  );
  return blob?.text();
}

async function fetchCurrent(url: string, environment: StoreEnvironment): Promise<string | undefined> {
  // Without it, the file is fetched each time.
  const cache = await openCache(environment, CACHE).catch(() => undefined);
  const storedInsteadOf = async (failure: unknown): Promise<string> => {
    const stored = await cache?.match(url);
    if (!stored) throw failure;
    return stored.text();
  };
  let answer: Answer;
  try {
    answer = await request(url, environment);
  } catch (error) {
    return storedInsteadOf(error);
  }
  const { status, text } = answer;
  if (status === 404 || answer.isPage) return undefined;
  if (!answer.isOk) {
    const failure = downloadFailed(url, `the server responded with ${status}`);
    if (isTransient(status)) return storedInsteadOf(failure);
    throw failure;
  }
  if (text === undefined) throw downloadFailed(url, `it is longer than ${MAX_BYTES / 2 ** 20} MiB`);
  await cache?.put(url, new Response(text)).catch(() => {});
  return text;
}

interface Answer {
  status: number;
  isOk: boolean;
  /** A web page in place of the file, as hosts of apps send for unknown paths. */
  isPage: boolean;
  /** Undefined if it is too long, or not wanted: of a page or an error. */
  text: string | undefined;
}

/** @throws {EngineError} if the server is unreachable, or pauses for a minute */
async function request(url: string, environment: StoreEnvironment): Promise<Answer> {
  const stalled = new AbortController();
  const inTime = async <T>(work: Promise<T>): Promise<T> => {
    const stopTimer = environment.timers.after(STALL_MS, () => stalled.abort());
    return work.finally(stopTimer);
  };
  try {
    const response = await inTime(environment.fetch(url, { cache: "no-cache", signal: stalled.signal }));
    const { status, ok: isOk, headers, body } = response;
    const answer = { status, isOk, isPage: isPage(headers) };
    if (isOk && !answer.isPage) return { ...answer, text: (await inTime(readText(body, MAX_BYTES)))?.text };
    await body?.cancel().catch(() => {});
    return { ...answer, text: undefined };
  } catch (error) {
    const why = stalled.signal.aborted ? "it was not sent within a minute" : unreachable(url, environment);
    throw downloadFailed(url, why, error);
  }
}
