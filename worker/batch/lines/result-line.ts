/** Lines of the output and error files, in OpenAI's format. */

import type { Clock } from "../../clock.ts";
import type { NewEvent } from "../../usage/ledger/record.ts";
import type { ResultRow } from "../schema.ts";
import type { RequestLine } from "./request-line.ts";

/** An endpoint's response to a line. */
export interface LineResponse {
  status: number;
  requestId: string;
  body: unknown;
  /** The event to record; absent if nothing was used. */
  event?: NewEvent | undefined;
  /** Gives back what the quotas of its key have counted. Never rejects. */
  reverseUsage?(): Promise<void>;
}

/** Why a line was not run. */
export interface NotRun {
  code: "batch_expired" | "batch_cancelled" | "line_crashed_server";
  message: string;
}

export const EXPIRED: NotRun = {
  code: "batch_expired",
  message: "This request could not be executed before the completion window expired.",
};

export const CANCELLED: NotRun = {
  code: "batch_cancelled",
  message: "This request was not executed because the batch was cancelled.",
};

export const CRASHED: NotRun = {
  code: "line_crashed_server",
  message:
    "The server crashed twice while it ran this request, the second time with no other request running. It is not retried. Shorten or simplify it, or use a smaller model.",
};

/** The stored result of a line that an endpoint answered, also with an error. */
export function responseResult(
  batchId: string,
  line: RequestLine,
  { status, requestId, body, event }: LineResponse,
  clock: Clock,
): ResultRow {
  const response = { status_code: status, request_id: requestId, body };
  return {
    batch_id: batchId,
    line: line.number,
    kind: status < 300 ? "output" : "error",
    text: textOf(line, response, null, clock),
    ...(event ? { event } : {}),
  };
}

/** The stored result of a line that was not run: an error without a response. */
export function notRunResult(batchId: string, line: RequestLine, why: NotRun, clock: Clock): ResultRow {
  return { batch_id: batchId, line: line.number, kind: "error", text: textOf(line, null, why, clock) };
}

/** Lines cannot stream: each has a single response. */
export function refusedStream(clock: Clock): LineResponse {
  const error = {
    message: "Unsupported parameter: 'stream' is not supported in batches. Leave it out.",
    type: "invalid_request_error",
    param: "stream",
    code: "unsupported_parameter",
  };
  return { status: 400, requestId: clock.id("req_", 32), body: { error } };
}

function textOf(
  { customId }: RequestLine,
  response: object | null,
  error: NotRun | null,
  clock: Clock,
): string {
  return JSON.stringify({ id: clock.id("batch_req_", 32), custom_id: customId, response, error });
}

/** The events of the results. */
export function eventsOf(results: readonly ResultRow[]): NewEvent[] {
  return results.flatMap(({ event }) => (event ? [event] : []));
}
