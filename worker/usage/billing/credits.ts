/** Credits: granted amounts that pay for usage, earliest expiry first, never below zero. */

import type { GrantRow, InvoiceRow, LineRow } from "../ledger/schema.ts";
import type { Period } from "./invoices/periods.ts";

/** The remainder of each grant, computed from the invoices. */
export class CreditBalance {
  readonly #grants: readonly GrantRow[];
  readonly #left: Map<string, bigint>;

  /** @param standing the frozen invoices; voided ones have released their credit */
  constructor(grants: readonly GrantRow[], standing: readonly InvoiceRow[]) {
    this.#grants = [...grants].sort(
      (a, b) => a.expires_ms - b.expires_ms || a.starts_ms - b.starts_ms || (a.id < b.id ? -1 : 1),
    );
    this.#left = new Map(grants.map((grant) => [grant.id, BigInt(grant.amount_pico)]));
    for (const invoice of standing) {
      if (invoice.status === "VOID") continue;
      for (const line of invoice.lines) this.#spend(line.grant_id, -BigInt(line.total_pico));
    }
  }

  left(grantId: string): bigint {
    return this.#left.get(grantId) ?? 0n;
  }

  /** Returns negative lines that pay `amount` as far as the grants suffice, and deducts them. */
  apply(amount: bigint, period: Period): LineRow[] {
    const lines: LineRow[] = [];
    let unpaid = amount;
    for (const grant of this.#grants) {
      const overlaps = grant.starts_ms < period.endMs && grant.expires_ms > period.startMs;
      const left = this.left(grant.id);
      const paid = left < unpaid ? left : unpaid;
      if (!overlaps || paid <= 0n) continue;
      this.#spend(grant.id, paid);
      unpaid -= paid;
      lines.push(creditLine(grant, paid, period));
    }
    return lines;
  }

  #spend(grantId: string | undefined, pico: bigint): void {
    if (grantId !== undefined) this.#left.set(grantId, this.left(grantId) - pico);
  }
}

function creditLine(grant: GrantRow, paid: bigint, period: Period): LineRow {
  return {
    type: "applied_commit_or_credit",
    product_id: "credit",
    name: grant.note === "" ? "Credit" : `Credit – ${grant.note}`,
    model: "",
    tier: "",
    deployment_name: "",
    gpu_type: "",
    quantity: 1,
    unit_price_pico: String(-paid),
    total_pico: String(-paid),
    starting_ms: Math.max(grant.starts_ms, period.startMs),
    ending_ms: Math.min(grant.expires_ms, period.endMs),
    grant_id: grant.id,
  };
}
