/** The counters of a key match the ledger, however its requests end. */

import { expect, test } from "vitest";
import { factsOf } from "../../../src/protocol/request-facts.ts";
import { unwrap } from "../../ledger/support/world.ts";
import { CHAT, hello, type KeyedTab, Origin } from "../../support/keyed-app.ts";
import { fc } from "../../support/random.ts";

const LENGTH = 120;
const ENDINGS = ["read whole", "left", "page killed", "engine lost", "no stream"] as const;

async function countersOf(tab: KeyedTab, id: string) {
  const { usage } = unwrap(await tab.keys.list()).find((key) => key.id === id)!;
  return { tokens: usage.today.tokens, month: usage.month.tokens, active: usage.activeRequests };
}

async function recorded(tab: KeyedTab): Promise<number> {
  const events = unwrap(await tab.ledger.page.usage({ account: "team" }));
  return events.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0);
}

function requestOf(apiKey: string, body: object, signal?: AbortSignal): Request {
  return new Request(`https://app.test${CHAT}`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}` },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
}

async function play(tab: KeyedTab, apiKey: string, ending: (typeof ENDINGS)[number], chunks: number) {
  if (ending === "no stream") return void (await (await tab.app.fetch(requestOf(apiKey, hello))).text());
  const abort = new AbortController();
  const request = requestOf(apiKey, { ...hello, stream: true }, abort.signal);
  const reader = (await tab.app.fetch(request)).body!.getReader();
  for (let at = 0; at < chunks || ending === "read whole" || ending === "engine lost"; at++) {
    if ((await reader.read()).done) return;
  }
  if (ending === "page killed") factsOf(request).isOrphan = true;
  abort.abort();
  await reader.cancel().catch(() => {});
}

test("for any requests, however they end, counters and ledger agree", async () => {
  const runs = fc.array(fc.tuple(fc.constantFrom(...ENDINGS), fc.integer({ min: 1, max: LENGTH - 5 })), {
    minLength: 1,
    maxLength: 8,
  });
  const property = fc.asyncProperty(runs, async (list) => {
    const origin = new Origin();
    const reply = () => Array.from({ length: LENGTH }, () => "x");
    const whole = await origin.openTab({ reply });
    const broken = await origin.openTab({ reply, failAfter: 40 });
    const { apiKey, key } = await whole.create({ account: "team" });
    for (const [ending, chunks] of list) {
      await play(ending === "engine lost" ? broken : whole, apiKey, ending, chunks);
    }
    await expect.poll(async () => (await countersOf(whole, key.id)).active).toBe(0);
    const tokens = await recorded(whole);
    expect(await countersOf(whole, key.id)).toEqual({ tokens, month: tokens, active: 0 });
  });
  await fc.assert(property, { numRuns: 25, verbose: 1 });
});

test("a request that was recorded and runs again under its id counts once", async () => {
  const origin = new Origin();
  const first = await origin.openTab();
  const { apiKey, key } = await first.create({ account: "team", limits: { tokensPerDay: 150 } });
  const request = requestOf(apiKey, { ...hello, max_tokens: 20 });
  const { id } = factsOf(request);
  await (await first.app.fetch(request)).text();
  first.die();
  const next = await origin.openTab();
  for (let at = 0; at < 5; at++) {
    const again = requestOf(apiKey, { ...hello, max_tokens: 20 });
    Object.assign(factsOf(again), { id, isResent: true });
    await next.reverseUsage(id);
    expect((await next.app.fetch(again)).status).toBe(200);
    const tokens = await recorded(next);
    expect(await countersOf(next, key.id)).toEqual({ tokens, month: tokens, active: 0 });
  }
});

test("what is reversed is given back once, though the place of a dead tab had refused the request first", async () => {
  const origin = new Origin();
  const first = await origin.openTab();
  let isWaiting = false;
  const gate = () => {
    isWaiting = true;
    return new Promise<void>(() => {});
  };
  const dying = await origin.openTab({ gate });
  const { apiKey, key } = await first.create({ account: "team", limits: { concurrentRequests: 1 } });
  for (let at = 0; at < 3; at++) await (await first.app.fetch(requestOf(apiKey, hello))).text();
  const request = requestOf(apiKey, hello);
  await (await first.app.fetch(request)).text();
  void dying.app.fetch(requestOf(apiKey, hello));
  await expect.poll(() => isWaiting).toBe(true);
  dying.die();
  const next = await origin.openTab();
  const again = requestOf(apiKey, hello);
  Object.assign(factsOf(again), { id: factsOf(request).id, isResent: true });
  await next.reverseUsage(factsOf(request).id);
  expect((await next.app.fetch(again)).status).toBe(200);
  const tokens = await recorded(next);
  expect(await countersOf(next, key.id)).toEqual({ tokens, month: tokens, active: 0 });
});

test("a key whose ledger cannot be written is held to its quota all the same", async () => {
  const tab = await new Origin().openTab();
  const { apiKey, key } = await tab.create({ limits: { tokensPerDay: 200 } });
  const write = tab.ledger.database!.write.bind(tab.ledger.database!);
  tab.ledger.database!.write = (stores, ...rest) =>
    stores.includes("events" as never)
      ? Promise.reject(new DOMException("The disk is full.", "QuotaExceededError"))
      : write(stores, ...rest);
  const { usage } = await (await tab.send(apiKey, CHAT, hello)).json();
  expect((await countersOf(tab, key.id)).tokens).toBe(usage.total_tokens);
});
