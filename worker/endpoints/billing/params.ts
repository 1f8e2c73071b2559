/** Query parameters of the billing endpoints. Unknown ones are ignored, and listed in a header. */

import type { InvoiceStatus } from "../../../src/protocol/rpc/billing.ts";
import { type ApiError, badRequest } from "../../http/api-error.ts";
import { requireOnce } from "../../http/query.ts";
import { checksumOf, decodeCursor } from "../../usage/billing/cursor.ts";
import {
  type BreakdownQuery,
  MAX_WINDOWS,
  WINDOW_MS,
  type WindowSize,
} from "../../usage/billing/invoices/breakdown.ts";
import { parseTimestamp } from "../../usage/billing/timestamps.ts";

const STATUSES: readonly InvoiceStatus[] = ["DRAFT", "FINALIZED", "VOID"];

const WINDOW_SIZES: Record<string, WindowSize> = {
  hour: "hour",
  HOUR: "hour",
  Hour: "hour",
  day: "day",
  DAY: "day",
  Day: "day",
};

export const LIST_PARAMS = ["status", "starting_on", "ending_before"];
export const BREAKDOWN_PARAMS = [
  ...LIST_PARAMS,
  "window_size",
  "skip_zero_qty_line_items",
  "limit",
  "next_page",
];

export interface ListQuery {
  status: InvoiceStatus | undefined;
  startingOnMs: number | undefined;
  endingBeforeMs: number | undefined;
}

interface BreakdownParams {
  query: BreakdownQuery;
  /** The cursor of the next list page is only valid with this checksum. */
  checksum: string;
}

/** @throws {ApiError} 400 that names the parameter */
export function parseListParams(search: URLSearchParams): ListQuery {
  const query = readQuery(search, LIST_PARAMS);
  const list = {
    status: status(query),
    startingOnMs: timestamp(query, "starting_on"),
    endingBeforeMs: timestamp(query, "ending_before"),
  };
  requireOrder(list.startingOnMs, list.endingBeforeMs);
  return list;
}

/** @throws {ApiError} 400 that names the parameter */
export function parseBreakdownParams(search: URLSearchParams, account: string): BreakdownParams {
  const query = readQuery(search, BREAKDOWN_PARAMS);
  for (const name of ["starting_on", "ending_before"]) {
    if (!query.has(name)) {
      throw badRequest("missing_required_parameter", name, `Missing required parameter: '${name}'.`);
    }
  }
  const startingOnMs = timestamp(query, "starting_on")!;
  const endingBeforeMs = timestamp(query, "ending_before")!;
  requireOrder(startingOnMs, endingBeforeMs);
  const windowSize = windowSizeOf(query);
  const filters = {
    windowSize,
    startingOnMs,
    endingBeforeMs,
    status: status(query),
    skipZeroLines: boolean(query, "skip_zero_qty_line_items"),
  };
  const limit = limitOf(query, MAX_WINDOWS[windowSize]);
  const checksum = checksumOf([account, ...Object.values(filters).map((value) => value ?? null)]);
  const fromMs = cursorOf(query, checksum, filters);
  return { query: { ...filters, limit, fromMs }, checksum };
}

/** Reads the known parameters; each may occur only once. */
function readQuery(search: URLSearchParams, names: readonly string[]): Map<string, string> {
  const query = new Map<string, string>();
  for (const name of names) {
    requireOnce(search, name);
    const value = search.get(name);
    if (value === null || (name === "next_page" && value === "")) continue;
    if (value === "") throw invalid(name, "it is empty");
    query.set(name, value);
  }
  return query;
}

function timestamp(query: Map<string, string>, name: string): number | undefined {
  const text = query.get(name);
  if (text === undefined) return undefined;
  const timeMs = parseTimestamp(text);
  if (timeMs !== undefined) return timeMs;
  const lostPlus = /\d \d\d:\d\d$/.test(text) ? '. Encode "+" as %2B in a query' : "";
  throw invalid(name, `expected an RFC 3339 timestamp like 2025-01-31T00:00:00Z${lostPlus}`);
}

function requireOrder(startingOnMs: number | undefined, endingBeforeMs: number | undefined): void {
  if (startingOnMs === undefined || endingBeforeMs === undefined || startingOnMs <= endingBeforeMs) return;
  throw invalid("ending_before", "it is earlier than 'starting_on'");
}

function status(query: Map<string, string>): InvoiceStatus | undefined {
  const text = query.get("status");
  const known = STATUSES.find((one) => one === text);
  if (text !== undefined && !known) throw invalid("status", `expected one of ${STATUSES.join(", ")}`);
  return known;
}

function windowSizeOf(query: Map<string, string>): WindowSize {
  const text = query.get("window_size") ?? "day";
  if (!Object.hasOwn(WINDOW_SIZES, text)) throw invalid("window_size", "expected hour or day");
  return WINDOW_SIZES[text]!;
}

function boolean(query: Map<string, string>, name: string): boolean {
  const text = query.get(name) ?? "false";
  if (text !== "true" && text !== "false") throw invalid(name, "expected true or false");
  return text === "true";
}

/** Values above the maximum are clamped. */
function limitOf(query: Map<string, string>, maximum: number): number {
  const text = query.get("limit");
  if (text === undefined) return maximum;
  const limit = /^\d+$/.test(text) ? Number(text) : 0;
  if (limit < 1) throw invalid("limit", "expected a whole number of at least 1");
  return Math.min(limit, maximum);
}

function cursorOf(
  query: Map<string, string>,
  checksum: string,
  { windowSize, startingOnMs }: Pick<BreakdownQuery, "windowSize" | "startingOnMs">,
): number {
  const text = query.get("next_page");
  if (text === undefined) return startingOnMs;
  const fromMs = decodeCursor(text, checksum);
  if (fromMs !== undefined && fromMs % WINDOW_MS[windowSize] === 0) return fromMs;
  throw badRequest(
    "invalid_next_page",
    "next_page",
    "Invalid 'next_page': pass the value of the previous response, with the same filters.",
  );
}

function invalid(name: string, why: string): ApiError {
  return badRequest("invalid_parameter", name, `Invalid value for '${name}': ${why}.`);
}
