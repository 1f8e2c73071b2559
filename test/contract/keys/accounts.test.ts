/** Keys of one account share its ledger; the page that owns them manages the ledgers of all accounts. */

import { expect, test } from "vitest";
import { unwrap } from "../../ledger/support/world.ts";
import { CHAT, hello, Origin } from "../../support/keyed-app.ts";

test("an account's ledger is that of its keys, and apart from all others", async () => {
  const tab = await new Origin().openTab();
  const { apiKey } = await tab.create({ account: "team-a" });
  const { apiKey: sister } = await tab.create({ account: "team-a" });
  await tab.openai(apiKey).chat.completions.create(hello);
  const invoiceOf = async (key: string) => {
    const response = await tab.send(key, "/v1/billing/invoices/current");
    return { status: response.status, body: await response.json() };
  };
  const own = await invoiceOf(apiKey);
  expect(own.body.id).toBe("inv_202603_0_team-a");
  expect(own.body.total).toBeGreaterThan(0);
  expect(await invoiceOf(sister)).toEqual(own);
  expect((await invoiceOf(tab.pageKey)).status).toBe(404);
});

test("the page reads and keeps the ledger of an account that it names, and of its own otherwise", async () => {
  const origin = new Origin();
  const tab = await origin.openTab();
  const { rpc } = tab.ledger;
  const { apiKey } = await tab.create({ account: "team-a" });
  await tab.openai(apiKey).chat.completions.create(hello);
  expect(unwrap(await rpc.usage())).toEqual([]);
  const [event] = unwrap(await rpc.usage({ account: "team-a" }));
  expect(event).toMatchObject({ model: "infetch-tiny", outcome: "completed" });
  expect(await unwrap(await rpc.exportUsage({ account: "team-a" })).text()).toContain(event!.transactionId);
  expect(await unwrap(await rpc.exportUsage()).text()).toBe("");
  const now = { from: "2026-03-10T12:00:00Z", to: "2026-03-10T12:00:00Z", account: "team-a" };
  expect(unwrap(await rpc.usage(now))).toEqual([]);
  expect(await unwrap(await rpc.exportUsage(now)).text()).toBe("");
  expect(await rpc.usage({ account: 5 as never })).toMatchObject({
    error: { code: "invalid_argument", message: "'account' must be a string." },
  });
  unwrap(await rpc.grantCredit({ account: "team-a", amountUsd: "1" }));
  expect(unwrap(await rpc.credits({ account: "team-a" }))).toMatchObject([{ amountUsd: 1 }]);
  expect(unwrap(await rpc.credits())).toEqual([]);
  expect(await rpc.grantCredit({ account: "unknown-team", amountUsd: "1" })).toMatchObject({
    error: { code: "invalid_argument" },
  });
  expect(unwrap(await rpc.verify({ account: "team-a" })).ok).toBe(true);

  unwrap(await rpc.voidEvent(event!.transactionId));
  await tab.openai(apiKey).chat.completions.create(hello);
  origin.clock.set("2026-04-01T00:00:00Z");
  expect(unwrap(await rpc.closeDuePeriods())).toEqual([]);
  const [closed] = unwrap(await rpc.closeDuePeriods({ account: "team-a" }));
  expect(closed).toMatchObject({ id: "inv_202603_0_team-a", status: "FINALIZED" });
  expect(unwrap(await rpc.voidInvoice(closed!.id)).status).toBe("VOID");
  expect(unwrap(await rpc.regenerateInvoice(closed!.id)).id).toBe("inv_202603_1_team-a");
  expect(await rpc.voidInvoice("inv_202603_0_nobody")).toMatchObject({
    error: { code: "invoice_not_found" },
  });
  expect(await rpc.voidInvoice("nothing")).toMatchObject({ error: { code: "invoice_not_found" } });
});

test("a key that was made without a ledger has its account's once there are any", async () => {
  const origin = new Origin();
  const before = await origin.openTab({}, { billing: false });
  const { apiKey } = await before.create({ account: "team-a" });
  expect((await before.send(apiKey, "/v1/billing/invoices")).status).toBe(403);
  const tab = await origin.openTab();
  await tab.openai(apiKey).chat.completions.create(hello);
  const invoice = await (await tab.send(apiKey, "/v1/billing/invoices/current")).json();
  expect(invoice.id).toBe("inv_202603_0_team-a");
});

test("engines are told whose prompt it is: the account of the key, whatever the request says", async () => {
  const tab = await new Origin().openTab();
  const { apiKey } = await tab.create({ account: "team-a" });
  const claims = { model: "infetch-tiny", cacheScope: "team-b", cache_salt: "team-b", user: "team-b" };
  const bodies = {
    "/v1/chat/completions": { ...hello, ...claims },
    "/v1/completions": { ...claims, prompt: "Hi" },
    "/v1/responses": { ...claims, input: "Hi" },
  };
  for (const [path, body] of Object.entries(bodies)) await tab.send(apiKey, path, body);
  await tab.send(tab.pageKey, CHAT, hello);
  const scopes = tab.engine.requests.map(({ cacheScope }) => cacheScope);
  const [own, ...others] = scopes.toReversed();
  expect(new Set(others)).toEqual(new Set(["team-a"]));
  expect(others.length).toBeGreaterThan(0);
  expect(own).toBe("default");
});
