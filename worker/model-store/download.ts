/** Downloads one file, resuming after connection failures. */

import { EngineError, type EngineErrorCode } from "../engines/api/engine-error.ts";
import type { HubSource } from "../engines/api/model-files.ts";
import { bodyBytes, isPage, rangedBytes } from "./content-size.ts";
import { type StoreEnvironment, sleep } from "./environment.ts";
import { hubHeaders, hubRefusal } from "./hub/access.ts";
import type { PartialFile } from "./partial-file.ts";
import { RateLimits } from "./rate-limits.ts";
import {
  backoffMs,
  MAX_FRUITLESS_ATTEMPTS,
  MAX_RETRY_AFTER_MS,
  RateLimitedFailure,
  TransientFailure,
  transientFailure,
} from "./retry.ts";

/** A connection without data for this long is aborted. */
const STALL_MS = 60_000;

export interface Download {
  url: string;
  /** Size of the file; 0 if unknown. */
  bytes: number;
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
 * Resumes the download after `parts`. If it fails or is aborted, the data received so far stays in `parts`.
 *
 * @returns false if the server does not have the file
 * @throws {EngineError} `model_download_failed`, `rate_limited`, or what the hub's refusal means
 * @throws the signal's reason
 */
export async function download(
  job: Download,
  parts: PartialFile,
  environment: StoreEnvironment,
): Promise<boolean> {
  let most = parts.bytes;
  const limits = environment.limits ?? new RateLimits(environment);
  for (let failures = 0; ; ) {
    try {
      await limits.ready(job.url, job.signal);
      return await attempt(job, parts, environment);
    } catch (error) {
      await parts.keep();
      job.signal.throwIfAborted();
      if (!(error instanceof TransientFailure)) throw error;
      if (error instanceof RateLimitedFailure) {
        limits.note(job.url, error.retryAfterMs, job.hub);
        continue;
      }
      failures = parts.bytes > most ? 1 : failures + 1;
      most = Math.max(most, parts.bytes);
      const delayMs = error.retryAfterMs ?? backoffMs(failures, environment.random());
      if (failures >= MAX_FRUITLESS_ATTEMPTS || delayMs > MAX_RETRY_AFTER_MS) {
        throw downloadFailed(job.url, error.message, error.cause);
      }
      await sleep(delayMs, environment.timers, job.signal);
    }
  }
}

/** Error text for a missing file: a 404, or an HTML page in its place. */
const NO_SUCH_FILE = "the server responded with 404, or with an HTML page";

/** The server does not have a file that the model needs. */
export class MissingFileError extends EngineError {
  /** Address of the missing file. */
  readonly url: string;

  /** @param message names the file and says where it was looked for */
  constructor(
    message: string,
    url: string,
    code: EngineErrorCode = "hub_file_not_found",
    options: { param?: string } = {},
  ) {
    super(code, message, options);
    this.url = url;
  }

  /** @param url that has no such file */
  static at(url: string): MissingFileError {
    return new MissingFileError(failureText(url, NO_SUCH_FILE), url, "model_download_failed");
  }
}

/** @param url of the file; the message omits its query, which may contain a signature */
export function downloadFailed(url: string, why: string, cause?: unknown): EngineError {
  return new EngineError("model_download_failed", failureText(url, why), { cause });
}

function failureText(url: string, why: string): string {
  return `The model file ${url.split("?")[0]} could not be loaded: ${why}. Send the request again to retry.`;
}

/** Browsers do not tell an unreachable server from one whose answers the page may not read. */
export function unreachable(url: string, { origin }: Pick<StoreEnvironment, "origin">): string {
  const isOwn = new URL(url, origin || undefined).origin === origin;
  const other = isOwn ? "" : ", or this page may not read it (CORS, Content-Security-Policy)";
  return `the server could not be reached${other}`;
}

async function attempt(job: Download, parts: PartialFile, environment: StoreEnvironment): Promise<boolean> {
  // Without a validator or a hash, a mix of two versions would go undetected.
  const isSafe = parts.validator !== undefined || job.isHashed;
  const isComplete = job.bytes > 0 && parts.bytes === job.bytes;
  // The parts stay, for a download that may go on with them.
  if (environment.isCacheOnly && !(isComplete && isSafe)) throw downloadFailed(job.url, "it is not cached");
  if (!isSafe) await parts.discard();
  // Before the connection is opened: a server does not wait for gigabytes to be hashed.
  await parts.hashStored(job.signal);
  if (job.bytes > 0 && parts.bytes === job.bytes) return true;
  if (environment.isCacheOnly) throw downloadFailed(job.url, "it is not cached");
  const stalled = new AbortController();
  const startTimer = (): (() => void) => environment.timers.after(STALL_MS, () => stalled.abort());
  let stopTimer = startTimer();
  const signal = AbortSignal.any([job.signal, stalled.signal]);
  const broken = (why: string) => (cause: unknown) => {
    throw new TransientFailure(stalled.signal.aborted ? "the server sent nothing for a minute" : why, {
      cause,
    });
  };
  try {
    const response = await environment
      .fetch(job.url, {
        headers: { ...rangeHeaders(job, parts, environment), ...hubHeaders(job.url, job.hub) },
        cache: "no-store",
        signal,
      })
      .catch(broken(unreachable(job.url, environment)));
    if (!(await accept(response, job, parts, environment))) return false;
    job.onLoaded(parts.bytes);
    const startedAt = parts.bytes;
    const reader = response.body!.getReader();
    const read = () => reader.read().catch(broken("the connection was lost"));
    for (let piece = await read(); !piece.done; piece = await read()) {
      stopTimer();
      await parts.add(piece.value);
      job.onLoaded(parts.bytes);
      stopTimer = startTimer();
      // Not the published file, which its size will tell: without this, it would go on until the storage is full.
      if (job.bytes > 0 && parts.bytes > job.bytes) {
        await reader.cancel().catch(() => {});
        break;
      }
    }
    // A whole body's `content-length` is checked by the browser.
    const bytes = job.bytes || (response.status === 206 ? rangedBytes(response.headers) : 0);
    if (parts.bytes < bytes && !isAll(response, startedAt, parts.bytes)) {
      throw new TransientFailure(`the connection ended after ${parts.bytes} of ${bytes} bytes`);
    }
  } finally {
    stopTimer();
  }
  return true;
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
