/** A request with a key that has a quota, sent to two servers, the first of which was suspended and wakes at any time. */

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

/** What the server of an attempt does, in this order. The response of the first is not read. */
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

test("in whatever order they run, the counters of the key agree with the ledger", async () => {
  const order = fc.shuffledSubarray([0, 0, 0, 1, 1, 1], { minLength: 6 });
  const property = fc.asyncProperty(order, fc.constantFrom(...ENDS), async (servers, end) => {
    const origin = new Origin();
    const gates = [new Gate(), new Gate()] as const;
    const openTab = (at: 0 | 1) =>
      origin.openTab({ gate: gates[at].pass, reply: () => Array.from({ length: 3 + at }, () => "x") });
    const tabs = [await openTab(0), await openTab(1)] as const;
    const { apiKey, key } = await tabs[0].create({ account: "team", limits: { tokensPerDay: 10_000 } });
    const aborts = [new AbortController(), new AbortController()] as const;
    const [first, next] = aborts.map(
      ({ signal }) =>
        new Request(`https://app.test${CHAT}`, {
          method: "POST",
          headers: { authorization: `Bearer ${apiKey}` },
          body: JSON.stringify(hello),
          signal,
        }),
    ) as [Request, Request];
    Object.assign(stateOf(next), { id: stateOf(first).id, attempt: 1 });
    const steps = [
      stepsOf(tabs[0], gates[0], first, aborts[0], "not read"),
      stepsOf(tabs[1], gates[1], next, aborts[1], end),
    ];
    for (const server of servers) await steps[server]!.shift()!();
    const events = unwrap(await tabs[0].ledger.rpc.usage({ account: "team" }));
    expect(events).toHaveLength(end === "read" ? 1 : 0);
    const tokens = events.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0);
    const { usage } = unwrap(await tabs[0].keys.list()).find(({ id }) => id === key.id)!;
    expect(usage).toMatchObject({ today: { tokens }, month: { tokens }, activeRequests: 0 });
  });
  await fc.assert(property, { numRuns: 40 });
});
