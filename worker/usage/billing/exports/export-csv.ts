/** Usage with amounts as CSV (RFC 4180): one row per window and line. */

import type { LineRow } from "../../ledger/schema.ts";
import type { Period } from "../invoices/periods.ts";
import { picoToDecimal } from "../money.ts";
import { formatTimestamp } from "../timestamps.ts";

export const CSV_HEADER = csvRow([
  "window_start",
  "window_end",
  "subject",
  "model",
  "tier",
  "product_id",
  "quantity",
  "unit_price",
  "total",
]);

export function csvLine(window: Period, account: string, line: LineRow): string {
  return csvRow([
    formatTimestamp(window.startMs),
    formatTimestamp(window.endMs),
    account,
    line.model,
    line.tier,
    line.product_id,
    String(line.quantity),
    picoToDecimal(BigInt(line.unit_price_pico)),
    picoToDecimal(BigInt(line.total_pico)),
  ]);
}

function csvRow(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

/** Escapes formulas for spreadsheets with an apostrophe: model names are user input. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
