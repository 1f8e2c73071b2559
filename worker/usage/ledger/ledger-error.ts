import { CodedError } from "../../../src/shared/coded-error.ts";

/** A ledger refusal or failure. `code` is stable; endpoints and the page's API map it. */
export class LedgerError extends CodedError<LedgerErrorCode> {
  override name = "LedgerError" as const;
}

type LedgerErrorCode =
  /** IndexedDB cannot be opened, read or written. */
  | "ledger_unavailable"
  /** Another tab has an older version of the database open, is deleting it, or is suspended while it writes. */
  | "ledger_blocked"
  /** The state of the invoice or event does not allow the step. */
  | "invalid_transition"
  | "invoice_not_found"
  | "event_not_found"
  | "invalid_argument"
  /** A price for the past, for an hour with usage, or not on the hour. */
  | "invalid_rate";
