/** Maps stored rows to API objects: money as JSON numbers, times as RFC 3339. */

import type { Breakdown, Invoice, LineItem, UsageEvent } from "../../../src/protocol/rpc/billing.ts";
import type { EventRow, InvoiceRow, LineRow } from "../ledger/schema.ts";
import type { BreakdownItem } from "./invoices/breakdown.ts";
import { picoToUsd } from "./money.ts";
import { formatTimestamp } from "./timestamps.ts";

export function toInvoice(row: InvoiceRow): Invoice {
  return {
    id: row.id,
    status: row.status,
    type: row.type,
    total: picoToUsd(BigInt(row.total_pico)),
    subtotal: picoToUsd(BigInt(row.subtotal_pico)),
    start_timestamp: formatTimestamp(row.period_start_ms),
    end_timestamp: formatTimestamp(row.period_end_ms),
    line_items: row.lines.map(toLineItem),
    issued_at: formatTimestamp(row.issued_ms),
    billable_status: row.billable_status,
  };
}

export function toBreakdown({ invoice, window }: BreakdownItem): Breakdown {
  return {
    ...toInvoice(invoice),
    breakdown_start_timestamp: formatTimestamp(window.startMs),
    breakdown_end_timestamp: formatTimestamp(window.endMs),
  };
}

export function toUsageEvent(row: EventRow): UsageEvent {
  return {
    transactionId: row.transaction_id,
    requestId: row.request_id,
    endpoint: row.endpoint,
    tier: row.tier,
    model: row.model,
    inputTokens: row.input_tokens,
    cachedTokens: row.cached_tokens,
    outputTokens: row.output_tokens,
    reasoningTokens: row.reasoning_tokens,
    outcome: row.outcome,
    time: formatTimestamp(row.time_ms),
    voided: row.voided ?? false,
  };
}

function toLineItem(line: LineRow): LineItem {
  return {
    name: line.name,
    quantity: line.quantity,
    total: picoToUsd(BigInt(line.total_pico)),
    unit_price: picoToUsd(BigInt(line.unit_price_pico)),
    type: line.type,
    starting_at: formatTimestamp(line.starting_ms),
    ending_before: formatTimestamp(line.ending_ms),
    pricing_group_values: withoutEmpty({
      tier: line.tier,
      deployment_name: line.deployment_name,
      gpu_type: line.gpu_type,
    }),
    presentation_group_values: withoutEmpty({ model: line.model }),
    product_id: line.product_id,
  };
}

function withoutEmpty(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
}
