/** The hub's API: the commit of a revision, and the sizes and hashes of a commit's files. */

import { NEVER } from "../../../src/shared/abortable.ts";
import { isObject } from "../../../src/shared/is-object.ts";
import { isFileName } from "../../engine-api/file-name.ts";
import type { HubSource, ModelFile } from "../../engine-api/model-files.ts";
import { RateLimits } from "../download/rate-limits.ts";
import {
  backoffMs,
  MAX_RETRY_AFTER_MS,
  RateLimitedFailure,
  TransientFailure,
  transientFailure,
} from "../download/retry.ts";
import { downloadFailed } from "../download-errors.ts";
import { type StoreEnvironment, sleep } from "../environment.ts";
import { hubHeaders, hubRefusal, noSuchRevision } from "../hub-access.ts";
import { type Page, readPage } from "./page.ts";

/** Limits of all responses together, which are not trusted: more than any model needs. */
const MAX_PAGES = 64;
const MAX_BYTES = 16 * 2 ** 20;
/** Time limit of one response. */
const LIMIT_MS = 30_000;
/** The same where the files may all be cached. */
const SHORT_LIMIT_MS = 3_000;
const MAX_ATTEMPTS = 4;

const COMMIT = /^[0-9a-f]{40}$/;
const SHA256 = /^[0-9a-f]{64}$/;

/** The files of one commit. */
export interface CommitFiles {
  commit: string;
  files: ModelFile[];
}

/** Whether a stored value is what {@link readCommit} returned. */
export function isCommitFiles(value: unknown): value is CommitFiles {
  if (!isObject(value) || !Array.isArray(value.files)) return false;
  const isFile = (file: unknown): boolean =>
    isObject(file) && isFileName(file.name) && Number.isSafeInteger(file.bytes);
  return COMMIT.test(String(value.commit)) && value.files.every(isFile);
}

/**
 * Resolves the revision to a commit and lists its files.
 *
 * @param isOptional whether the model's files may all be cached: then the hub is asked once, and not waited for
 * @returns undefined if there is no such API, as on a mirror of the files alone, if it is optional and fails, or if only
 * the cache may be read
 * @throws {EngineError} if the hub denies access or does not have the model or the revision; `model_download_failed`,
 * `rate_limited`
 */
export async function readCommit(
  hub: HubSource,
  environment: StoreEnvironment,
  isOptional: boolean,
): Promise<CommitFiles | undefined> {
  const limits = environment.limits ?? new RateLimits(environment);
  let hasResponded = false;
  const fetch: typeof environment.fetch = async (...call) => {
    const response = await environment.fetch(...call);
    hasResponded = true;
    return response;
  };
  if (environment.isCacheOnly) return undefined;
  for (let failures = 0; ; ) {
    try {
      if (!isOptional) await limits.ready(hub.url, NEVER);
      const limitMs = isOptional ? SHORT_LIMIT_MS : LIMIT_MS;
      return await readOnce(hub, pageReader(hub, { ...environment, fetch }, limitMs));
    } catch (error) {
      if (!(error instanceof TransientFailure)) throw error;
      if (isOptional) return undefined;
      if (error instanceof RateLimitedFailure) {
        limits.note(modelAddress(hub), error.retryAfterMs, hub);
        continue;
      }
      failures++;
      const delayMs = error.retryAfterMs ?? backoffMs(failures, environment.random());
      const isSlow = error.message === TOO_SLOW;
      if (failures === MAX_ATTEMPTS || delayMs > MAX_RETRY_AFTER_MS || isSlow) {
        // A mirror without an API may answer without CORS headers, which looks like no answer.
        if (!hasResponded && !isSlow) return undefined;
        throw downloadFailed(modelAddress(hub), error.message, error.cause);
      }
      await sleep(delayMs, environment.timers, NEVER);
    }
  }
}

const TOO_SLOW = `the hub's API sent nothing complete for ${LIMIT_MS / 1000} seconds`;

function modelAddress({ url, repository }: HubSource): string {
  return new URL(`api/models/${repository}/`, url).href;
}

/** Reads one page of the API; undefined if there is no such API. */
type ReadPage = (address: string) => Promise<Page | undefined>;

/** @param limitMs of each response */
function pageReader(hub: HubSource, { fetch, now, timers }: StoreEnvironment, limitMs: number): ReadPage {
  let left = MAX_BYTES;
  return async (address) => {
    const limit = new AbortController();
    const stop = timers.after(limitMs, () => limit.abort());
    try {
      const response = await fetch(address, {
        headers: hubHeaders(address, hub),
        cache: "no-store",
        signal: limit.signal,
      }).catch((cause) => {
        throw new TransientFailure("the hub could not be reached", { cause });
      });
      if (response.ok) {
        const page = await readPage(response, left);
        left -= page?.bytes ?? 0;
        return page;
      }
      await response.body?.cancel().catch(() => {});
      if (response.headers.get("x-error-code") === "RevisionNotFound") throw noSuchRevision(hub);
      const refusal = hubRefusal(response, hub) ?? transientFailure(response, now(), "the hub");
      if (refusal) throw refusal;
      return undefined;
    } catch (error) {
      throw limit.signal.aborted ? new TransientFailure(TOO_SLOW, { cause: error }) : error;
    } finally {
      stop();
    }
  };
}

/** @throws {TransientFailure} */
async function readOnce(hub: HubSource, read: ReadPage): Promise<CommitFiles | undefined> {
  const model = modelAddress(hub);
  const described = await read(`${model}revision/${encodeURIComponent(hub.revision)}`);
  const { sha: commit } = (described?.value ?? {}) as { sha?: unknown };
  if (typeof commit !== "string" || !COMMIT.test(commit)) return undefined;
  const tree = `${model}tree/${commit}`;
  const files: ModelFile[] = [];
  let address: string | undefined = `${tree}?recursive=true`;
  for (let pages = 0; address !== undefined; pages++) {
    // A page elsewhere is not followed: the hub alone describes its files.
    const page: Page | undefined =
      pages < MAX_PAGES && address.startsWith(`${tree}?`) ? await read(address) : undefined;
    if (!Array.isArray(page?.value)) return undefined;
    for (const entry of page.value) files.push(...fileOf(entry));
    address = page.next;
  }
  return { commit, files };
}

/** The file that an entry of a tree describes; folders and invalid entries give none. */
function fileOf(entry: unknown): ModelFile[] {
  const { type, path, size, oid, lfs } = (entry ?? {}) as Record<string, unknown>;
  if (type !== "file" || !isFileName(path)) return [];
  if (!Number.isSafeInteger(size) || (size as number) < 0) return [];
  const file = { name: path, bytes: size as number, isHashedOnce: true };
  const sha256 = (lfs as { oid?: unknown } | undefined)?.oid;
  if (typeof sha256 === "string" && SHA256.test(sha256)) return [{ ...file, sha256 }];
  return typeof oid === "string" && COMMIT.test(oid) && !lfs ? [{ ...file, gitOid: oid }] : [file];
}
