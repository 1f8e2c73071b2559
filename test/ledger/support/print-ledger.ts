/** Prints every response and export of the fixture ledger; run in several time zones. */

import { breakdowns, fixture, unwrap } from "./world.ts";

const { tab, get } = await fixture();
const answers = [
  await get("/v1/billing/invoices"),
  await get("/v1/billing/invoices/current"),
  await get(breakdowns("2025-01-01", "2025-03-01")),
  await get(breakdowns("2025-02-10", "2025-02-11", { window_size: "hour" })),
];
for (const { body } of answers) console.log(JSON.stringify(body));
unwrap(await tab.rpc.closeDuePeriods());
for (const format of ["cloudevents", "metronome", "csv", "backup"] as const) {
  console.log(await unwrap(await tab.rpc.exportUsage({ format })).text());
}
