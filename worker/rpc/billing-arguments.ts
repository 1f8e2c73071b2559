/** Arguments of `runtime.billing` and `runtime.usage`: pages without types pass anything. */

import type { OfAccount } from "../../src/protocol/rpc/billing.ts";
import { isObject } from "../../src/shared/is-object.ts";
import type { ExportRange } from "../usage/billing/exports/usage-windows.ts";
import { parseTimestamp } from "../usage/billing/timestamps.ts";
import { DEFAULT_ACCOUNT } from "../usage/ledger/accounts.ts";
import { LedgerError } from "../usage/ledger/ledger-error.ts";
import { NEVER_MS } from "../usage/ledger/schema.ts";

/** @throws {LedgerError} `invalid_argument`, as all of these do */
export function requireObject<T extends object>(argument: T): T {
  if (!isObject(argument))
    throw invalid(`The argument must be an object, such as { account: "${DEFAULT_ACCOUNT}" }.`);
  return argument;
}

export function accountOf(of: OfAccount = {}): string {
  const { account = DEFAULT_ACCOUNT } = requireObject(of);
  requireText("account", account);
  return account;
}

export function requireText(name: string, value: unknown): asserts value is string {
  if (typeof value !== "string") throw invalid(`'${name}' must be a string.`);
}

export function rangeOf(from: string | undefined, to: string | undefined): ExportRange {
  const range = {
    fromMs: from === undefined ? 0 : instant(from, "from"),
    toMs: to === undefined ? NEVER_MS : instant(to, "to"),
  };
  if (range.toMs < range.fromMs) throw invalid("'to' is earlier than 'from'.");
  return range;
}

export function instant(text: string, name: string): number {
  const timeMs = typeof text === "string" ? parseTimestamp(text) : undefined;
  if (timeMs === undefined) throw invalid(`'${name}' must be an RFC 3339 timestamp.`);
  return timeMs;
}

/** Requires a number of rows, which may be infinite. */
export function requireLimit(limit: number): void {
  if ((Number.isInteger(limit) && limit >= 0) || limit === Number.POSITIVE_INFINITY) return;
  throw invalid("'limit' must be a whole number, at least 0.");
}

export function requireOneOf(name: string, value: string, known: readonly string[]): void {
  if (!known.includes(value)) throw invalid(`'${name}' must be one of ${known.join(", ")}.`);
}

export function invalid(message: string): LedgerError {
  return new LedgerError("invalid_argument", message);
}
