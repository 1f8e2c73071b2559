/** One connection of a download. */

import type { Timers } from "../../clock.ts";
import type { HubSource } from "../../engine-api/model-files.ts";
import type { PartialFile } from "../cache/partial-file.ts";
import { downloadFailed, policyRefusal, unreachable } from "../download-errors.ts";
import type { StoreEnvironment } from "../environment.ts";
import { hubHeaders, hubRefusal } from "../hub-access.ts";
import { bodyBytes, isPage, rangedBytes } from "./content-size.ts";
import { TransientFailure, transientFailure } from "./retry.ts";

/** A connection without data for this long is aborted. */
const STALL_MS = 60_000;

export interface Download {
  url: string;
  /** Size of the file; 0 if unknown. */
  bytes: number;
  /** Size beyond which it is not the file, if its size is unknown. @default none */
  maxBytes?: number | undefined;
  /** The hub that has the file, if it is one. */
  hub?: HubSource | undefined;
  /** Whether the hash will detect mixed versions, so that parts can be resumed without a validator. */
  isHashed: boolean;
  signal: AbortSignal;
  /** Called with the bytes loaded so far; the number decreases if the download restarts. */
  onLoaded: (bytes: number) => void;
  /** Called with the size reported by the server if `bytes` is 0. */
  onSize?: ((bytes: number) => void) | undefined;
}

/**
 * Requests what `parts` lack and adds it.
 *
 * @returns false if the server does not have the file
 * @throws {TransientFailure} if another attempt may succeed
 * @throws {EngineError} if none can
 */
export async function attemptDownload(
  job: Download,
  parts: PartialFile,
  environment: StoreEnvironment,
): Promise<boolean> {
  if (await prepareParts(job, parts, environment)) return true;
  const stall = new StallTimer(environment.timers);
  stall.restart();
  try {
    const response = await environment
      .fetch(job.url, {
        headers: { ...rangeHeaders(job, parts, environment), ...hubHeaders(job.url, job.hub) },
        cache: "no-store",
        signal: AbortSignal.any([job.signal, stall.signal]),
      })
      .catch((cause) => {
        const refusal = policyRefusal(job.url, environment);
        if (refusal) throw downloadFailed(job.url, refusal, cause);
        return stall.rethrow(unreachable(job.url, environment))(cause);
      });
    if (!(await accept(response, job, parts, environment))) return false;
    await receive(response, job, parts, stall);
    return true;
  } finally {
    stall.stop();
  }
}

/**
 * Discards parts that could mix two versions, and hashes the others.
 *
 * @returns whether they are the whole file
 * @throws {EngineError} if they are not and only the cache may be read
 */
async function prepareParts(
  job: Download,
  parts: PartialFile,
  environment: StoreEnvironment,
): Promise<boolean> {
  // Without a validator or a hash, a mix of two versions would go undetected.
  const isSafe = parts.validator !== undefined || job.isHashed;
  const isComplete = (): boolean => job.bytes > 0 && parts.bytes === job.bytes;
  // The parts stay, for a download that may go on with them.
  if (environment.isCacheOnly && !(isComplete() && isSafe)) throw downloadFailed(job.url, "it is not cached");
  if (!isSafe) await parts.discard();
  // Before the connection is opened: a server does not wait for gigabytes to be hashed.
  await parts.hashStored(job.signal);
  if (isComplete()) return true;
  if (environment.isCacheOnly) throw downloadFailed(job.url, "it is not cached");
  return false;
}

/** Adds the body of a response to `parts`. @throws {TransientFailure} if it ends too early */
async function receive(
  response: Response,
  job: Download,
  parts: PartialFile,
  stall: StallTimer,
): Promise<void> {
  job.onLoaded(parts.bytes);
  const startedAt = parts.bytes;
  const reader = response.body!.getReader();
  const read = () => reader.read().catch(stall.rethrow("the connection was lost"));
  const stop = () => reader.cancel().catch(() => {});
  for (let piece = await read(); !piece.done; piece = await read()) {
    // Storing a piece is not a stall of the server.
    stall.stop();
    await parts.add(piece.value).catch(async (error) => {
      await stop();
      throw error;
    });
    job.onLoaded(parts.bytes);
    stall.restart();
    // Not the published file, which its size will tell: without this, it would go on until the storage is full.
    if (parts.bytes > (job.bytes || (job.maxBytes ?? Number.POSITIVE_INFINITY))) {
      await stop();
      break;
    }
  }
  // A whole body's `content-length` is checked by the browser.
  const bytes = job.bytes || (response.status === 206 ? rangedBytes(response.headers) : 0);
  if (parts.bytes < bytes && !isAll(response, startedAt, parts.bytes)) {
    throw new TransientFailure(`the connection ended after ${parts.bytes} of ${bytes} bytes`);
  }
}

/** Aborts a connection on which nothing arrives. */
class StallTimer {
  readonly #timers: Timers;
  readonly #stalled = new AbortController();
  #cancel = (): void => {};

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  get signal(): AbortSignal {
    return this.#stalled.signal;
  }

  restart(): void {
    this.stop();
    this.#cancel = this.#timers.after(STALL_MS, () => this.#stalled.abort());
  }

  stop(): void {
    this.#cancel();
  }

  /** For rejections of the connection. @param why it failed, unless it stalled */
  rethrow(why: string): (cause: unknown) => never {
    return (cause) => {
      const message = this.signal.aborted ? "the server sent nothing for a minute" : why;
      throw new TransientFailure(message, { cause });
    };
  }
}

/**
 * Whether the server's headers confirm that its file ends where the body ended. Otherwise a proxy ended the body early,
 * or the server sent less than the requested range.
 *
 * @param startedAt offset of the body in the file
 * @param endedAt offset at which the body ended
 */
function isAll({ status, headers }: Response, startedAt: number, endedAt: number): boolean {
  return status === 206 ? rangedBytes(headers) === endedAt : bodyBytes(headers) === endedAt - startedAt;
}

function rangeHeaders(
  { url }: Download,
  parts: PartialFile,
  { origin }: StoreEnvironment,
): Record<string, string> {
  if (parts.bytes === 0) return {};
  const range = { range: `bytes=${parts.bytes}-` };
  // Cross-origin, `if-range` triggers a preflight that hubs refuse; the response's validator is compared instead.
  const asksServer = parts.validator !== undefined && new URL(url, origin || undefined).origin === origin;
  return asksServer ? { ...range, "if-range": parts.validator! } : range;
}

/**
 * Discards `parts` unless the body of `response` continues them.
 *
 * @returns false if the server does not have the file
 */
async function accept(
  response: Response,
  job: Download,
  parts: PartialFile,
  environment: StoreEnvironment,
): Promise<boolean> {
  const { status, headers } = response;
  const isMissing = status === 404 || (response.ok && isPage(headers));
  if (!isMissing && response.ok && response.body) {
    if (status !== 206) {
      await parts.discard();
      parts.validator = validatorOf(headers);
      if (job.bytes === 0) job.onSize?.(bodyBytes(headers));
      return true;
    }
    if (continues(headers, parts)) return true;
  }
  await response.body?.cancel().catch(() => {});
  const refusal = job.hub && !response.ok ? hubRefusal(response, job.hub) : undefined;
  if (refusal) throw refusal;
  if (isMissing) return false;
  if (status === 206 || status === 416) {
    await parts.discard();
    throw new TransientFailure("the file changed on the server", { retryAfterMs: 0 });
  }
  throw (
    transientFailure(response, environment.now()) ??
    downloadFailed(job.url, `the server responded with ${status}${denial(status, job.hub)}`)
  );
}

/** What a refusal without the hub's codes means, as mirrors and other servers send it. */
function denial(status: number, hub: HubSource | undefined): string {
  if (status !== 401 && status !== 403) return "";
  return ` (access denied${hub && hub.token === undefined ? "; if it needs a token, set hub.token" : ""})`;
}

/** A strong ETag, otherwise `last-modified`. */
function validatorOf(headers: Headers): string | undefined {
  const tag = headers.get("etag");
  return (tag?.startsWith('"') ? tag : headers.get("last-modified")) ?? undefined;
}

/** Whether a partial response has the same version and starts where the parts end. */
function continues(headers: Headers, parts: PartialFile): boolean {
  const start = /^bytes (\d+)-/.exec(headers.get("content-range") ?? "")?.[1];
  if (start !== undefined && Number(start) !== parts.bytes) return false;
  const validator = validatorOf(headers);
  return validator === undefined || parts.validator === undefined || validator === parts.validator;
}
