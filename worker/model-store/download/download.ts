/** Downloads one file, resuming after connection failures. */

import type { PartialFile } from "../cache/partial-file.ts";
import { downloadFailed } from "../download-errors.ts";
import { type StoreEnvironment, sleep } from "../environment.ts";
import { attemptDownload, type Download } from "./download-attempt.ts";
import { RateLimits } from "./rate-limits.ts";
import {
  backoffMs,
  MAX_FRUITLESS_ATTEMPTS,
  MAX_RETRY_AFTER_MS,
  RateLimitedFailure,
  TransientFailure,
} from "./retry.ts";

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
      return await attemptDownload(job, parts, environment);
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
