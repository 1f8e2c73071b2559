/** Usage exports: half-open range, by billing time. */

import type { ExportFormat } from "../../../../src/protocol/rpc/billing.ts";
import type { LedgerDatabase } from "../../ledger/database.ts";
import { cloudEventLine, metronomeLine } from "../../ledger/export-events.ts";
import type { LedgerTransaction } from "../../ledger/schema.ts";
import { eventsInBatches } from "../../ledger/verify.ts";
import type { Billing } from "../billing.ts";
import type { WindowSize } from "../invoices/breakdown.ts";
import { formatTimestamp } from "../timestamps.ts";
import { CSV_HEADER, csvLine } from "./export-csv.ts";
import type { ExportRange } from "./usage-windows.ts";

/** Every event that is not voided, one JSON object per line. */
export function exportEvents(
  database: LedgerDatabase,
  account: string,
  format: Exclude<ExportFormat, "csv" | "backup">,
  { fromMs, toMs }: ExportRange,
): Promise<string[]> {
  return database.read(["events", "meta"], async (transaction) => {
    const installId = await readInstallId(transaction);
    const pieces: string[] = [];
    for await (const events of eventsInBatches(transaction, account, fromMs, toMs)) {
      const lines = events
        .filter((event) => !event.voided)
        .map((event) => {
          const time = formatTimestamp(event.time_ms);
          return format === "metronome" ? metronomeLine(event, time) : cloudEventLine(event, installId, time);
        });
      if (lines.length > 0) pieces.push(`${lines.join("\n")}\n`);
    }
    return pieces;
  });
}

/** Usage on invoices that are not void as CSV, one row per window and line. */
export async function exportCsv(
  billing: Billing,
  account: string,
  windowSize: WindowSize,
  range: ExportRange,
): Promise<string[]> {
  const windows = await billing.usageWindows(account, windowSize, range);
  const rows = windows.flatMap(({ window, lines }) => lines.map((line) => csvLine(window, account, line)));
  return [CSV_HEADER, ...rows];
}

/** Empty until a corrupt id is replaced. */
async function readInstallId(transaction: LedgerTransaction): Promise<string> {
  const id = await transaction.objectStore("meta").get("install_id");
  return typeof id === "string" ? id : "";
}
