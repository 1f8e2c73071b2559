import { useSignal } from "@preact/signals";
import type { Invoice } from "infetch/billing";
import { formatDay, formatMoney } from "../../format/format.ts";
import { reasonOf } from "../../store/loadable.ts";
import { runtime } from "../../store/runtime.ts";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Card } from "../../ui/panel.tsx";
import { Empty, Failure, WhenReady } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { InvoiceLines } from "./invoice-lines.tsx";
import { invoices, shownInvoice } from "./store.ts";

const TAGS = { DRAFT: "tag accent", FINALIZED: "tag good", VOID: "tag bad" };

/** All invoices, with actions for finalized ones. */
export function InvoicesCard() {
  const problem = useSignal("");
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
      problem.value = "";
    } catch (error) {
      problem.value = reasonOf(error);
    }
    await invoices.refresh();
  };
  const { billing } = runtime();
  return (
    <Card
      title="Invoices"
      aside={
        <button
          type="button"
          class="button small"
          onClick={() => void attempt(() => billing.closeDuePeriods())}
        >
          Close ended months
        </button>
      }
    >
      {problem.value === "" ? null : <Failure reason={problem.value} />}
      <WhenReady of={invoices} what="the invoices">
        {(all) =>
          all.length === 0 ? (
            <Empty icon="chart" title="No invoices yet">
              <p>The first request of a month creates its draft. Past months stay here.</p>
            </Empty>
          ) : (
            <div class="invoice-list">
              <Table
                label="List of invoices"
                columns={["Month", "Status", "Issued", { number: "Total" }, { hidden: "Actions" }]}
              >
                {all.map((invoice) => (
                  <InvoiceRow
                    key={invoice.id}
                    invoice={invoice}
                    onVoid={() => void attempt(() => billing.voidInvoice(invoice.id))}
                    onRegenerate={() => void attempt(() => billing.regenerateInvoice(invoice.id))}
                  />
                ))}
              </Table>
            </div>
          )
        }
      </WhenReady>
      {shownInvoice.value ? <InvoiceDialog invoice={shownInvoice.value} /> : null}
    </Card>
  );
}

function InvoiceDialog({ invoice }: { invoice: Invoice }) {
  return (
    <Dialog
      title={`Invoice of ${monthOf(invoice)}`}
      onClose={() => {
        shownInvoice.value = undefined;
      }}
    >
      <p class="mono breakable soft">{invoice.id}</p>
      <p class="soft small-text">
        {invoice.status === "DRAFT" ? "To be issued" : "Issued"} on {formatDay(invoice.issued_at)}.
      </p>
      <InvoiceLines invoice={invoice} />
    </Dialog>
  );
}

interface RowProps {
  invoice: Invoice;
  onVoid: () => void;
  onRegenerate: () => void;
}

function InvoiceRow({ invoice, onVoid, onRegenerate }: RowProps) {
  return (
    <tr>
      <td>{monthOf(invoice, "short")}</td>
      <td>
        <span class={TAGS[invoice.status]}>{invoice.status.toLowerCase()}</span>
      </td>
      <td>{formatDay(invoice.issued_at)}</td>
      <td class="number">{formatMoney(invoice.total)}</td>
      <td>
        <div class="row row-end">
          <button
            type="button"
            class="button small"
            aria-label={`Show the invoice of ${monthOf(invoice)}`}
            onClick={() => {
              shownInvoice.value = invoice;
            }}
          >
            Show
          </button>
          {invoice.status === "FINALIZED" ? (
            <ConfirmButton label="Void" icon="close" labelled onConfirm={onVoid} />
          ) : null}
          {invoice.status === "VOID" ? (
            <ConfirmButton label="Issue again" icon="retry" labelled onConfirm={onRegenerate} />
          ) : null}
        </div>
      </td>
    </tr>
  );
}

function monthOf(invoice: Invoice, month: "long" | "short" = "long"): string {
  return new Date(invoice.start_timestamp).toLocaleDateString("en-GB", {
    month,
    year: "numeric",
    timeZone: "UTC",
  });
}
