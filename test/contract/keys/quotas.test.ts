/** Daily and monthly quotas, in tokens and in USD: consistent with the ledger, persistent across reloads. */

import OpenAI from "openai";
import { expect, test } from "vitest";
import type { ApiKey } from "../../../src/protocol/rpc/keys.ts";
import { unwrap } from "../../ledger/support/world.ts";
import { CHAT, hello, type KeyedTab, Origin } from "../../support/keyed-app.ts";

async function keyOf(tab: KeyedTab, id: string): Promise<ApiKey> {
  return unwrap(await tab.keys.list()).find((key) => key.id === id)!;
}

async function refusalOf(tab: KeyedTab, apiKey: string) {
  const response = await tab.send(apiKey, CHAT, hello);
  return { status: response.status, headers: response.headers, error: (await response.json()).error };
}

test("a daily quota of tokens: insufficient_quota that says what to do, and a new day", async () => {
  const origin = new Origin();
  const tab = await origin.openTab();
  const { apiKey, key } = await tab.create({ name: "web", limits: { tokensPerDay: 100 } });
  const client = tab.openai(apiKey);
  let used = 0;
  let last = 0;
  const error = await (async () => {
    while (true) {
      last = (await client.chat.completions.create(hello)).usage!.total_tokens;
      used += last;
    }
  })().catch((one) => one);
  expect(error).toBeInstanceOf(OpenAI.RateLimitError);
  expect([error.status, error.code, error.type]).toEqual([429, "insufficient_quota", "insufficient_quota"]);
  expect(used - last).toBeLessThan(100);
  expect((await keyOf(tab, key.id)).usage).toMatchObject({
    today: { tokens: used },
    month: { tokens: used },
  });
  const { headers, error: body } = await refusalOf(tab, apiKey);
  expect(body.message).toContain(
    `the daily quota of API key 'web' does not allow this request. Limit 100 tokens, Used ${used} tokens, Requested `,
  );
  expect(body.message).toContain("It resets in 12h0m0s, at 00:00 UTC");
  expect(Object.fromEntries(headers)).toMatchObject({ "retry-after": "43200", "x-should-retry": "false" });
  // Free endpoints are still served.
  expect((await client.models.list()).data).not.toEqual([]);

  origin.clock.set("2026-03-11T00:00:00Z");
  await client.chat.completions.create(hello);
  const { usage } = await keyOf(tab, key.id);
  expect(usage.month.tokens).toBe(used + usage.today.tokens);
  // Setting the clock back does not restore quota.
  origin.clock.set("2026-03-10T10:00:00Z");
  expect((await keyOf(tab, key.id)).usage.today.tokens).toBe(usage.today.tokens);
});

test("a clock that goes ahead and back again: the quotas of the day and the month are still used up", async () => {
  const origin = new Origin();
  const tab = await origin.openTab();
  const { apiKey, key } = await tab.create({ limits: { tokensPerDay: 100, tokensPerMonth: 100 } });
  while ((await tab.send(apiKey, CHAT, hello)).ok);
  const { usage } = await keyOf(tab, key.id);
  for (const ahead of ["2026-03-11T00:00:00Z", "2026-04-02T00:00:00Z", "2035-01-01T00:00:00Z"]) {
    origin.clock.set(ahead);
    expect((await tab.send(apiKey, "/v1/models")).status).toBe(200);
    origin.clock.set("2026-03-10T12:00:00Z");
    expect((await refusalOf(tab, apiKey)).error.code).toBe("insufficient_quota");
    expect((await keyOf(tab, key.id)).usage).toMatchObject({ today: usage.today, month: usage.month });
  }
});

test("a monthly quota of money, by the rate card: the same sum as the invoice's, over a reload", async () => {
  const origin = new Origin();
  const first = await origin.openTab();
  const { apiKey, key } = await first.create({ account: "team", limits: { usdPerMonth: "0.0001" } });
  for (let at = 0; at < 2; at++) {
    const stream = await first.openai(apiKey).chat.completions.create({ ...hello, stream: true });
    for await (const _ of stream);
  }
  first.die();
  const tab = await origin.openTab();
  const invoice = async () =>
    (await (await tab.send(apiKey, "/v1/billing/invoices/current")).json()).total as number;
  expect((await keyOf(tab, key.id)).usage.month.usd).toBe(await invoice());
  let refusal = await refusalOf(tab, apiKey);
  while (refusal.status === 200) refusal = await refusalOf(tab, apiKey);
  expect([refusal.status, refusal.error.code, refusal.error.type]).toEqual([
    429,
    "insufficient_quota",
    "insufficient_quota",
  ]);
  expect(refusal.error.message).toMatch(/monthly quota .* Limit 0\.0001 USD, Used 0\.000\d+ USD/);
  const { usage } = await keyOf(tab, key.id);
  expect(usage.month.usd).toBe(await invoice());
  expect(usage.month.usd).toBeGreaterThanOrEqual(0.0001);
  origin.clock.set("2026-04-01T00:00:00Z");
  expect((await refusalOf(tab, apiKey)).status).toBe(200);
});

test("what a reader leaves behind is counted as it is charged", async () => {
  const origin = new Origin();
  const tab = await origin.openTab();
  const { apiKey, key } = await tab.create();
  const response = await tab.send(apiKey, CHAT, { ...hello, stream: true });
  const reader = response.body!.getReader();
  await reader.read();
  await reader.cancel();
  const active = async () => (await keyOf(tab, key.id)).usage.activeRequests;
  await expect.poll(active).toBe(0);
  const [event] = unwrap(await tab.ledger.rpc.usage());
  expect((await keyOf(tab, key.id)).usage.today.tokens).toBe(event!.inputTokens + event!.outputTokens);
});

test("many at once never use more of a quota of tokens than their bodies said", async () => {
  const origin = new Origin();
  const tabs = [await origin.openTab(), await origin.openTab()];
  const { apiKey, key } = await tabs[0]!.create({ limits: { tokensPerDay: 500 } });
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, at) => tabs[at % 2]!.send(apiKey, CHAT, { ...hello, max_tokens: 80 })),
  );
  const admitted = answers.filter(({ status }) => status === 200);
  expect(admitted.length).toBeGreaterThan(0);
  expect(admitted.length).toBeLessThanOrEqual(500 / 80);
  expect((await keyOf(tabs[0]!, key.id)).usage.today.tokens).toBeLessThanOrEqual(500);
});

test("without billing tokens are counted all the same, and nothing costs anything", async () => {
  const tab = await new Origin().openTab({}, { billing: false });
  const { apiKey, key } = await tab.create({ limits: { tokensPerDay: 200 } });
  await tab.openai(apiKey).chat.completions.create(hello);
  const { today } = (await keyOf(tab, key.id)).usage;
  expect(today.tokens).toBeGreaterThan(0);
  expect(today.usd).toBe(0);
});
