/** What the ledger reverses, a key's counters give back once, whenever the server of the request wakes. */

import { afterEach, expect, test, vi } from "vitest";
import { stateOf } from "../../../src/protocol/transfer/request-state.ts";
import { LedgerDatabase } from "../../../worker/usage/ledger/database.ts";
import { unwrap } from "../../ledger/support/world.ts";
import { CHAT, hello, type KeyedTab, Origin } from "../../support/keyed-app.ts";

afterEach(() => vi.restoreAllMocks());

function requestOf(apiKey: string, of: { id?: string; attempt?: number } = {}): Request {
  const request = new Request(`https://app.test${CHAT}`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}` },
    body: JSON.stringify(hello),
  });
  Object.assign(stateOf(request), of);
  return request;
}

/** A key that has counted already: counters at zero would not show that too much is given back. */
async function usedKey(tab: KeyedTab) {
  const created = await tab.create({ account: "team", limits: { tokensPerDay: 10_000 } });
  for (let at = 0; at < 3; at++) await (await tab.send(created.apiKey, CHAT, hello)).text();
  return created;
}

/** Tokens that the ledger and the key have counted. */
async function countedBy(tab: KeyedTab, keyId: string) {
  const events = unwrap(await tab.ledger.rpc.usage({ account: "team" }));
  const { usage } = unwrap(await tab.keys.list()).find(({ id }) => id === keyId)!;
  const ledger = events.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0);
  return { ledger, key: usage.today.tokens };
}

test("a response that is not read is free, also while the ledger cannot be written", async () => {
  const tab = await new Origin().openTab();
  const { apiKey, key } = await usedKey(tab);
  const before = await countedBy(tab, key.id);
  const write = vi.spyOn(LedgerDatabase.prototype, "write").mockRejectedValue(new Error("full"));
  const request = requestOf(apiKey);
  expect((await tab.app.fetch(request)).status).toBe(200);
  await stateOf(request).metered!.reverseUsage();
  expect(write).toHaveBeenCalled();
  write.mockRestore();
  expect(await countedBy(tab, key.id)).toEqual(before);
  expect(before.key).toBe(before.ledger);
});

test.each(["reverses", "records"])(
  "each attempt counts once, if the first server %s its own while the second reverses it",
  async (what) => {
    const origin = new Origin();
    const [first, second] = [await origin.openTab(), await origin.openTab()];
    const { apiKey, key } = await usedKey(first);
    const request = requestOf(apiKey);
    const again = requestOf(apiKey, { id: stateOf(request).id, attempt: 1 });
    if (what === "reverses") await first.app.fetch(request);
    const leave = (): Promise<boolean> => stateOf(request).metered!.reverseUsage();
    const { write } = LedgerDatabase.prototype;
    // After all that the second server reads of the ledger before it writes.
    const wake = vi.spyOn(LedgerDatabase.prototype, "write").mockImplementationOnce(async function (
      this: LedgerDatabase,
      ...of: Parameters<typeof write>
    ) {
      await (what === "records" ? first.app.fetch(request) : leave());
      return write.apply(this, of);
    } as typeof write);
    await second.reverseUsage(again);
    expect(wake).toHaveBeenCalled();
    if (what === "records") await leave();
    expect((await second.app.fetch(again)).status).toBe(200);
    const counted = await countedBy(second, key.id);
    expect(counted.key).toBe(counted.ledger);
  },
);

test.each(["before the next one is admitted", "after the next one has ended"])(
  "an attempt counts once, if its server wakes %s, which has reversed it",
  async (when) => {
    const origin = new Origin();
    const [first, second] = [await origin.openTab(), await origin.openTab()];
    const { apiKey, key } = await usedKey(first);
    const request = requestOf(apiKey);
    const again = requestOf(apiKey, { id: stateOf(request).id, attempt: 1 });
    await second.reverseUsage(again);
    if (when.startsWith("before")) await first.app.fetch(request);
    expect((await second.app.fetch(again)).status).toBe(200);
    if (when.startsWith("after")) await first.app.fetch(request);
    await stateOf(request).metered!.reverseUsage();
    const counted = await countedBy(second, key.id);
    expect(counted.key).toBe(counted.ledger);
  },
);

test("an attempt that the ledger refused is given back on its own server, which has the next one, too", async () => {
  const tab = await new Origin().openTab();
  const { apiKey, key } = await usedKey(tab);
  const write = vi.spyOn(LedgerDatabase.prototype, "write").mockRejectedValue(new Error("full"));
  const request = requestOf(apiKey);
  expect((await tab.app.fetch(request)).status).toBe(200);
  write.mockRestore();
  const again = requestOf(apiKey, { id: stateOf(request).id, attempt: 1 });
  await tab.reverseUsage(again);
  await stateOf(request).metered!.reverseUsage();
  expect((await tab.app.fetch(again)).status).toBe(200);
  const counted = await countedBy(tab, key.id);
  expect(counted.key).toBe(counted.ledger);
});
