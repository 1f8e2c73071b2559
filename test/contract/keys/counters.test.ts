/** The counters of a key match the ledger, however its requests end. */

import { expect, test, vi } from "vitest";
import { stateOf } from "../../../src/protocol/transfer/request-state.ts";
import { RateCard } from "../../../worker/usage/billing/prices/rate-card.ts";
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
  const events = unwrap(await tab.ledger.rpc.usage({ account: "team" }));
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
  if (ending === "page killed") stateOf(request).isOrphan = true;
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
  const { id } = stateOf(request);
  await (await first.app.fetch(request)).text();
  first.die();
  const next = await origin.openTab();
  for (let attempt = 1; attempt <= 5; attempt++) {
    const again = requestOf(apiKey, { ...hello, max_tokens: 20 });
    Object.assign(stateOf(again), { id, attempt });
    await next.reverseUsage(again);
    expect((await next.app.fetch(again)).status).toBe(200);
    const tokens = await recorded(next);
    expect(await countersOf(next, key.id)).toEqual({ tokens, month: tokens, active: 0 });
  }
});

test("requests that are resent at once are priced once each, and count once", async () => {
  const origin = new Origin();
  const first = await origin.openTab();
  const { apiKey, key } = await first.create({ account: "team" });
  const requests = Array.from({ length: 120 }, () => requestOf(apiKey, hello));
  for (const request of requests) await (await first.app.fetch(request)).text();
  first.die();
  const next = await origin.openTab();
  const reads = vi.spyOn(RateCard, "read");
  const prices = vi.spyOn(RateCard.prototype, "segments");
  const resend = async (request: Request): Promise<void> => {
    const again = requestOf(apiKey, hello);
    Object.assign(stateOf(again), { id: stateOf(request).id, attempt: 1 });
    await next.reverseUsage(again);
    expect((await next.app.fetch(again)).status).toBe(200);
  };
  await Promise.all(requests.map(resend));
  // Once to give back, and once to count, each time its input and its output.
  expect(prices).toHaveBeenCalledTimes(2 * 2 * requests.length);
  // What is priced at once shares a read.
  expect(reads.mock.calls.length).toBeLessThanOrEqual(2 * requests.length);
  for (const spy of [reads, prices]) spy.mockRestore();
  const tokens = await recorded(next);
  expect(await countersOf(next, key.id)).toEqual({ tokens, month: tokens, active: 0 });
});

/** What each day and month has used, of tokens and money. */
async function usageOf(tab: KeyedTab, id: string) {
  return unwrap(await tab.keys.list()).find((key) => key.id === id)!.usage;
}

test.each([
  ["a day", "2026-03-10T23:59:59Z", "2026-03-11T00:00:01Z"],
  ["a month", "2026-03-31T23:59:59Z", "2026-04-01T00:00:01Z"],
])("what is reversed after the end of %s is given back to it, not to the next", async (_, before, after) => {
  const origin = new Origin();
  const first = await origin.openTab({ reply: () => Array.from({ length: LENGTH }, () => "x") });
  const { apiKey, key } = await first.create({ account: "team" });
  origin.clock.set(before);
  const request = requestOf(apiKey, { ...hello, max_tokens: 20 });
  const { id } = stateOf(request);
  await (await first.app.fetch(request)).text();
  origin.clock.set(after);
  const other = await (await first.app.fetch(requestOf(apiKey, { ...hello, max_tokens: 90 }))).json();
  first.die();
  const next = await origin.openTab();
  const again = requestOf(apiKey, { ...hello, max_tokens: 20 });
  Object.assign(stateOf(again), { id, attempt: 1 });
  await next.reverseUsage(again);
  const { usage } = await (await next.app.fetch(again)).json();
  const { today } = await usageOf(next, key.id);
  expect(today.tokens).toBe(other.usage.total_tokens + usage.total_tokens);
  const spent = (one: typeof usage) => one.prompt_tokens + 2 * one.completion_tokens;
  expect(today.usd).toBeCloseTo((spent(other.usage) + spent(usage)) / 1e6, 12);
  origin.clock.set(before);
  // At least that of the later day.
  expect((await usageOf(next, key.id)).today.tokens).toBe(today.tokens);
});

/** A response that a key's request got in the last second of a month, and that is not read yet. */
async function unreadAtMonthsEnd() {
  const origin = new Origin();
  const tab = await origin.openTab();
  const { apiKey, key } = await tab.create({ account: "team" });
  origin.clock.set("2026-03-31T23:59:59Z");
  const unread = requestOf(apiKey, hello);
  await tab.app.fetch(unread);
  return { origin, tab, key, apiKey, unread };
}

test("a response that is not read until the next day is given back to the day that counted it", async () => {
  const { origin, tab, key, apiKey, unread } = await unreadAtMonthsEnd();
  origin.clock.set("2026-04-01T00:00:01Z");
  await (await tab.app.fetch(requestOf(apiKey, hello))).text();
  const { today, month } = await usageOf(tab, key.id);
  await stateOf(unread).metered!.reverseUsage();
  expect(await usageOf(tab, key.id)).toMatchObject({ today, month });
  expect(today.tokens).toBeGreaterThan(0);
});

test("a stream of a tab that died yesterday counts when it was charged, and is given back there", async () => {
  const origin = new Origin();
  let pieces = 0;
  const gate = () => (++pieces > 90 ? new Promise<void>(() => {}) : Promise.resolve());
  const first = await origin.openTab({ reply: () => Array.from({ length: LENGTH }, () => "x"), gate });
  const { apiKey, key } = await first.create({ account: "team" });
  origin.clock.set("2026-03-10T23:59:00Z");
  const request = requestOf(apiKey, { ...hello, stream: true });
  const reader = (await first.app.fetch(request)).body!.getReader();
  void (async () => {
    while (!(await reader.read()).done);
  })();
  const database = first.ledger.database!;
  await expect.poll(() => database.read(["inflight"], (all) => all.objectStore("inflight").count())).toBe(1);
  first.die();
  origin.clock.set("2026-03-11T00:00:01Z");
  const next = await origin.openTab();
  const month = (await countersOf(next, key.id)).month;
  expect(month).toBeGreaterThan(32);
  expect(await countersOf(next, key.id)).toEqual({ tokens: 0, month, active: 0 });
  const again = requestOf(apiKey, hello);
  Object.assign(stateOf(again), { id: stateOf(request).id, attempt: 1 });
  await next.reverseUsage(again);
  expect((await next.app.fetch(again)).status).toBe(200);
  const tokens = await recorded(next);
  expect(await countersOf(next, key.id)).toEqual({ tokens, month: tokens, active: 0 });
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
  Object.assign(stateOf(again), { id: stateOf(request).id, attempt: 1 });
  await next.reverseUsage(again);
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

test("what is reversed before its end could be stored does not count later", async () => {
  const tab = await new Origin().openTab();
  const { apiKey, key } = await tab.create({ account: "team" });
  const { put } = IDBObjectStore.prototype;
  const unread = requestOf(apiKey, hello);
  const full = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (
    this: IDBObjectStore,
    ...row
  ) {
    const isEnd = this.name === "usage" && (row[0] as { active: unknown[] }).active.length === 0;
    if (isEnd) throw new DOMException("full", "QuotaExceededError");
    return put.apply(this, row);
  });
  await tab.app.fetch(unread);
  full.mockRestore();
  await stateOf(unread).metered!.reverseUsage();
  expect(await recorded(tab)).toBe(0);
  expect(await countersOf(tab, key.id)).toEqual({ tokens: 0, month: 0, active: 0 });
});

test("what the ledger keeps of a response that was not read, as its month has closed, is not given back", async () => {
  const { origin, tab, key, unread } = await unreadAtMonthsEnd();
  const before = await usageOf(tab, key.id);
  origin.clock.set("2026-04-01T00:00:01Z");
  unwrap(await tab.ledger.rpc.closeDuePeriods({ account: "team" }));
  await stateOf(unread).metered!.reverseUsage();
  expect(await recorded(tab)).toBe(before.month.tokens);
  origin.clock.set("2026-03-31T23:59:59Z");
  expect(await usageOf(tab, key.id)).toMatchObject({ today: before.today, month: before.month });
  expect(before.month.tokens).toBeGreaterThan(0);
});
