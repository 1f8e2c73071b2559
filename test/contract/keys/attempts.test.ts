/** A request with a key that has a quota, sent to several servers. All but the last were suspended and wake at any time. */

import { expect, test } from "vitest";
import { stateOf } from "../../../src/protocol/transfer/request-state.ts";
import { unwrap } from "../../ledger/support/world.ts";
import { CHAT, hello, type KeyedTab, Origin } from "../../support/keyed-app.ts";
import { fc } from "../../support/random.ts";

const ENDS = ["read", "not read", "aborted"] as const;

/** Lets a server's replies begin. */
class Gate {
  begin!: () => void;
  open!: () => void;
  readonly begun = new Promise<void>((resolve) => {
    this.begin = resolve;
  });
  readonly opened = new Promise<void>((resolve) => {
    this.open = resolve;
  });

  readonly pass = (): Promise<void> => {
    this.begin();
    return this.opened;
  };
}

/** What the server of an attempt does, in this order. Only the last response may be read. */
function stepsOf(tab: KeyedTab, gate: Gate, request: Request, abort: AbortController, end: string) {
  let answer!: Promise<Response>;
  const arrive = async (): Promise<void> => {
    if (stateOf(request).attempt > 0) await tab.reverseUsage(request);
    answer = tab.app.fetch(request);
    await Promise.race([gate.begun, answer]);
  };
  const reply = async (): Promise<void> => {
    if (end === "aborted") abort.abort();
    gate.open();
    await (await answer).text();
  };
  const leave = async (): Promise<void> => {
    if (end === "not read") await stateOf(request).metered?.reverseUsage();
  };
  return [arrive, reply, leave];
}

/** @param servers which of them takes its next step, in this order */
async function run(servers: readonly number[], end: (typeof ENDS)[number]): Promise<void> {
  const origin = new Origin();
  const last = Math.max(...servers);
  const gates = Array.from({ length: last + 1 }, () => new Gate());
  const openTab = (gate: Gate, at: number) =>
    origin.openTab({ gate: gate.pass, reply: () => Array.from({ length: 3 + at }, () => "x") });
  const tabs = await Promise.all(gates.map(openTab));
  const other = await origin.openTab();
  // The last attempt is admitted, although the places of earlier ones may still be taken.
  const limits = { tokensPerDay: 10_000, concurrentRequests: 1 };
  const { apiKey, key } = await other.create({ account: "team", limits });
  // Counters at zero would not show that too much is given back.
  for (let at = 0; at < 3; at++) await (await other.send(apiKey, CHAT, hello)).text();
  const id = crypto.randomUUID();
  const steps = tabs.map((tab, attempt) => {
    const abort = new AbortController();
    const request = new Request(`https://app.test${CHAT}`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}` },
      body: JSON.stringify(hello),
      signal: abort.signal,
    });
    Object.assign(stateOf(request), { id, attempt });
    return stepsOf(tab, gates[attempt]!, request, abort, attempt < last ? "not read" : end);
  });
  for (const server of servers) await steps[server]!.shift()!();
  const events = unwrap(await other.ledger.rpc.usage({ account: "team" }));
  expect(events).toHaveLength(end === "read" ? 4 : 3);
  const tokens = events.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0);
  const { usage } = unwrap(await other.keys.list()).find((one) => one.id === key.id)!;
  expect(usage).toMatchObject({ today: { tokens }, month: { tokens }, activeRequests: 0 });
}

test("in whatever order two of them run, the counters of the key agree with the ledger", async () => {
  const order = fc.shuffledSubarray([0, 0, 0, 1, 1, 1], { minLength: 6 });
  await fc.assert(fc.asyncProperty(order, fc.constantFrom(...ENDS), run), { numRuns: 40 });
});

test("and in whatever order three of them run", async () => {
  const order = fc.shuffledSubarray([0, 0, 0, 1, 1, 1, 2, 2, 2], { minLength: 9 });
  await fc.assert(fc.asyncProperty(order, fc.constantFrom(...ENDS), run), { numRuns: 60 });
});

test.each([
  ["wakes before the third begins", [0, 0, 1, 2, 0, 1, 1, 2, 2]],
  ["wakes when the third has ended", [0, 0, 1, 1, 2, 1, 2, 2, 0]],
  ["arrives when the second has ended", [1, 1, 0, 2, 2, 1, 2, 0, 0]],
  ["replies when the third has ended, and the second arrives then", [0, 2, 2, 2, 0, 1, 0, 1, 1]],
  ["arrives when the third has replied, and leaves after the second", [1, 2, 2, 0, 2, 0, 1, 0, 1]],
])("so they do with a third, if the first one %s", async (_, servers) => {
  for (const end of ENDS) await run(servers, end);
});

test("an attempt that its own server gives up for the next one does not end that one's", async () => {
  const gate = new Gate();
  const aborted = (signal: AbortSignal) =>
    new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  const origin = new Origin();
  const tab = await origin.openTab({
    gate: (_, signal) => Promise.race([gate.pass(), aborted(signal)]),
  });
  const { apiKey, key } = await tab.create({
    account: "team",
    limits: { tokensPerDay: 10_000, concurrentRequests: 1, requestsPerMinute: 1 },
  });
  const keyNow = async () => unwrap(await tab.keys.list()).find((one) => one.id === key.id)!;
  const usageOf = async () => (await keyNow()).usage;
  const abort = new AbortController();
  const [first, next] = [abort.signal, null].map(
    (signal) =>
      new Request(`https://app.test${CHAT}`, {
        method: "POST",
        headers: { authorization: `Bearer ${apiKey}` },
        body: JSON.stringify(hello),
        signal,
      }),
  ) as [Request, Request];
  Object.assign(stateOf(next), { id: stateOf(first).id, attempt: 1 });
  const late = tab.app.fetch(first);
  await gate.begun;
  await tab.reverseUsage(next);
  origin.clock.advance(1_000);
  const answer = tab.app.fetch(next);
  const isAdmitted = async () => Date.parse((await keyNow()).lastUsedAt!) === origin.clock.now();
  await expect.poll(isAdmitted).toBe(true);
  // Both are one request.
  expect(await usageOf()).toMatchObject({ requestsThisMinute: 1, activeRequests: 1 });
  abort.abort();
  expect((await late).status).toBe(499);
  expect(await usageOf()).toMatchObject({ activeRequests: 1 });
  gate.open();
  expect((await answer).status).toBe(200);
  const [event] = unwrap(await tab.ledger.rpc.usage({ account: "team" }));
  const tokens = event!.inputTokens + event!.outputTokens;
  expect(await usageOf()).toMatchObject({ today: { tokens }, tokensThisMinute: tokens, activeRequests: 0 });
});
