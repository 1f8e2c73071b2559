import type { Invoice } from "infetch/billing";
import { formatMoney, formatPrice } from "../../format/format.ts";
import { Table } from "../../ui/table.tsx";

/** Prices are per million tokens, as in rate cards. */
const TOKENS_OF_PRICE = 1_000_000;

/** Line items of an invoice. On a phone, tier, quantity and price are below the name of the charge. */
export function InvoiceLines({ invoice }: { invoice: Invoice }) {
  const label = `Lines of the invoice of ${invoice.start_timestamp.slice(0, 7)}`;
  return (
    <div class="invoice-lines">
      <Table
        label={label}
        columns={["Charge", "Tier", { number: "Quantity" }, { number: "Per million" }, { number: "Total" }]}
        foot={
          // Without `colSpan`, which counts hidden columns.
          <tr>
            <th scope="row">Total</th>
            <td />
            <td />
            <td />
            <td class="number">
              <strong>{formatMoney(invoice.total)}</strong>
            </td>
          </tr>
        }
      >
        {invoice.line_items.map((line, at) => (
          <LineRow key={at} line={line} />
        ))}
      </Table>
    </div>
  );
}

function LineRow({ line }: { line: Invoice["line_items"][number] }) {
  const { tier = "", deployment_name: deployment = "" } = line.pricing_group_values;
  const isUsage = line.type === "usage";
  const quantity = isUsage ? line.quantity.toLocaleString("en") : "";
  const price = isUsage ? formatPrice(line.unit_price * TOKENS_OF_PRICE) : "";
  const details = [tier, deployment, isUsage ? `${quantity} at ${price} per million` : ""];
  return (
    <tr>
      <td class="breakable">
        {line.name}
        <span class="invoice-details soft small-text">
          {details.filter((detail) => detail !== "").join(" · ")}
        </span>
      </td>
      <td>
        {tier === "" ? null : <span class="tag">{tier}</span>}
        {deployment === "" ? null : <span class="soft small-text"> {deployment}</span>}
      </td>
      <td class="number">{quantity}</td>
      <td class="number">{price}</td>
      <td class="number">{formatMoney(line.total)}</td>
    </tr>
  );
}
