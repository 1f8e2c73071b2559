import type { Invoice } from "infetch/billing";
import { formatMoney, formatPrice } from "../../format/format.ts";
import { Table } from "../../ui/table.tsx";

/** Prices are per million tokens, as in rate cards. */
const TOKENS_OF_PRICE = 1_000_000;

/** Line items of an invoice. */
export function InvoiceLines({ invoice }: { invoice: Invoice }) {
  const label = `Lines of the invoice of ${invoice.start_timestamp.slice(0, 7)}`;
  return (
    <div class="invoice-lines">
      <Table
        label={label}
        columns={["Charge", "Tier", { number: "Quantity" }, { number: "Per million" }, { number: "Total" }]}
        foot={
          <tr>
            <th scope="row" colSpan={4}>
              Total
            </th>
            <td class="number">
              <strong>{formatMoney(invoice.total)}</strong>
            </td>
          </tr>
        }
      >
        {invoice.line_items.map((line, at) => {
          const { tier = "", deployment_name: deployment = "" } = line.pricing_group_values;
          const isUsage = line.type === "usage";
          return (
            <tr key={at}>
              <td class="breakable">{line.name}</td>
              <td>
                {tier === "" ? null : <span class="tag">{tier}</span>}
                {deployment === "" ? null : <span class="soft small-text"> {deployment}</span>}
              </td>
              <td class="number">{isUsage ? line.quantity.toLocaleString("en") : ""}</td>
              <td class="number">{isUsage ? formatPrice(line.unit_price * TOKENS_OF_PRICE) : ""}</td>
              <td class="number">{formatMoney(line.total)}</td>
            </tr>
          );
        })}
      </Table>
    </div>
  );
}
