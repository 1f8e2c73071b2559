import { ApiError } from "../../http/api-error.ts";
import type { JobServices } from "../job-services.ts";
import type { BatchRow, ResultRow } from "../schema.ts";
import type { RequestLine } from "./request-line.ts";
import { CRASHED, notRunResult, refusedStream, responseResult } from "./result-line.ts";

/** Attempts for a line whose engine dies and is replaced. The last response is the result. */
const ATTEMPTS = 3;
const ENGINE_DIED = 500;

/** A line that ran at this many server deaths is their cause: at the second, nothing else was running. */
const MAX_DEATHS = 2;

/** The model cannot be downloaded, or an upstream not reached. While offline, no line of the batch can run. */
const NO_NETWORK = 502;
/** An upstream that has answered: one on this device is reached offline, too. */
const UPSTREAM_ANSWERED = ["upstream_error", "upstream_authentication_failed"];

/**
 * A file of the package does not load, or the storage does not answer: no line of the batch can run until it does, maybe
 * in a reloaded page.
 */
const TEMPORARY_FAILURES = [
  "part_unavailable",
  "assets_not_found",
  "assets_of_another_version",
  "keys_unavailable",
  "storage_unavailable",
];

/**
 * Runs one line of a batch.
 *
 * @returns undefined if it was aborted: it did not run and is free
 * @throws {ApiError} the response's error, if no line of the batch can run now
 */
export async function runLine(
  { id, endpoint, holder, deaths, page_options }: BatchRow,
  line: RequestLine,
  { dispatch, clock, isOnline }: Pick<JobServices, "dispatch" | "clock" | "isOnline">,
  signal: AbortSignal,
): Promise<ResultRow | undefined> {
  if ((deaths?.[line.number] ?? 0) >= MAX_DEATHS) return notRunResult(id, line, CRASHED, clock);
  if (line.body.stream === true) return responseResult(id, line, refusedStream(clock), clock);
  const transactionId = `${id}:${line.number}`;
  const { body } = line;
  for (let attempt = 1; ; attempt++) {
    const response = await dispatch({
      endpoint,
      body,
      holder,
      pageOptions: page_options,
      transactionId,
      signal,
    });
    if (signal.aborted && !response.event) return undefined;
    const { error } = response.body as { error?: { code: string; message: string } };
    const mustWait =
      response.status === NO_NETWORK
        ? !isOnline() && !UPSTREAM_ANSWERED.includes(error!.code)
        : response.status === 503 && TEMPORARY_FAILURES.includes(error!.code);
    if (mustWait) throw new ApiError(response.status, error!.code, error!.message);
    if (response.status !== ENGINE_DIED || attempt === ATTEMPTS)
      return responseResult(id, line, response, clock);
  }
}
