/** A ledger that another page of the origin does not leave, as one that the browser suspended in a transaction. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { ends } from "../../faults/support/watchdog.ts";
import { follow, streamOf, UNENDING, usageOf } from "../../tabs/support/requests.ts";
import { Tabs, type TabWindow } from "../../tabs/support/tabs.ts";

let tabs: Tabs;

beforeEach(async () => {
  tabs = await Tabs.open();
});
afterEach(() => tabs?.close());

const ANSWER = { ...UNENDING, max_tokens: 3 };
/** Half a minute is too long for a test: the server looks fifty times a second. */
const IMPATIENT = `{
  const original = setTimeout;
  globalThis.setTimeout = (work, ms, ...rest) => original(work, ms === 1000 ? 20 : ms, ...rest);
}`;

interface Holder {
  leave(): void;
}

test("requests are answered, billing says why it waits, and all is charged once when the page has left it", async () => {
  const page = await tabs.newTab({ storageName: "blocked" });
  expect(await follow(page, "before", ANSWER)).toMatchObject({ end: "done" });
  const holder = await tabs.newPage();
  await holder.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open("blocked-ledger");
      opening.onsuccess = () => resolve(opening.result);
    });
    const names = [...database.objectStoreNames];
    const store = database.transaction(names, "readwrite").objectStore(names[0]!);
    let isHeld = true;
    const hold = (): void => {
      // Requests keep the transaction open.
      if (isHeld) store.count().onsuccess = hold;
    };
    hold();
    Object.assign(window, { leave: () => (isHeld = false) });
  });
  await page
    .workers()
    .find((worker) => worker.url().endsWith("/server.js"))!
    .evaluate(IMPATIENT);
  const sent = [follow(page, "whole", ANSWER), follow(page, "stream", streamOf(40))];
  const seen = await ends("a chat and a stream", Promise.all(sent));
  for (const one of seen) expect(one).toMatchObject({ status: 200, end: "done" });
  const invoices = page.evaluate(async () => {
    const { runtime } = window as unknown as TabWindow;
    const headers = { authorization: `Bearer ${runtime.apiKey}` };
    const response = await runtime.fetch(`${runtime.baseURL}/billing/invoices`, { headers });
    return [response.status, (await response.json()).error?.code];
  });
  expect(await ends("the invoices", invoices)).toEqual([502, "ledger_blocked"]);

  await holder.evaluate(() => (window as unknown as Holder).leave());
  expect(await ends("the next chat", follow(page, "after", ANSWER))).toMatchObject({ end: "done" });
  await expect
    .poll(async () =>
      (await usageOf(page)).map(({ outcome, outputTokens }) => [outcome, outputTokens]).sort(),
    )
    .toEqual([3, 3, 3, 40].map((tokens) => ["completed", tokens]));
  expect(await page.evaluate("window.runtime.billing.verify()")).toMatchObject({ ok: true });
});
