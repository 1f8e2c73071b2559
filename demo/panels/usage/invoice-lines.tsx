import type { Invoice } from "infetch/billing";
import { formatMoney, formatPrice } from "../../format/format.ts";
import { ScrollArea } from "../../ui/scroll-area.tsx";

/** Prices are per million tokens, as in rate cards. */
const TOKENS_OF_PRICE = 1_000_000;

/** Line items of an invoice. */
export function InvoiceLines({ invoice }: { invoice: Invoice }) {
  const label = `Lines of the invoice of ${invoice.start_timestamp.slice(0, 7)}`;
  return (
    <ScrollArea label={label}>
      <table>
        <thead>
          <tr>
            <th>Charge</th>
            <th>Tier</th>
            <th class="number">Quantity</th>
            <th class="number">Per million</th>
            <th class="number">Total</th>
          </tr>
        </thead>
        <tbody>
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
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={4}>
              Total
            </th>
            <td class="number">
              <strong>{formatMoney(invoice.total)}</strong>
            </td>
          </tr>
        </tfoot>
      </table>
    </ScrollArea>
  );
}
