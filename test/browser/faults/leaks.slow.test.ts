/** 500 requests of every kind and outcome leak no port, stream or row, in the page or in its workers. */

import type { CDPSession, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ends } from "../../faults/support/watchdog.ts";
import { attachTargets, census, type Target } from "./support/heap.ts";
import { type FaultyPage, openPage } from "./support/page.ts";

const REQUESTS = 500;
let opened: FaultyPage;
let page: Page;
let cdp: CDPSession;

beforeAll(async () => {
  opened = await openPage();
  ({ page } = opened);
  cdp = await page.context().newCDPSession(page);
});
afterAll(() => opened?.close());

/** Sends requests that cycle through every outcome. */
function load(requests: number): Promise<void> {
  return page.evaluate(async (requests) => {
    const { runtime } = globalThis as unknown as { runtime: import("infetch").Runtime };
    const post = (path: string, body: object, signal?: AbortSignal): Promise<Response> =>
      runtime.fetch(runtime.baseURL + path, {
        method: "POST",
        headers: { authorization: `Bearer ${runtime.apiKey}` },
        body: JSON.stringify(body),
        signal: signal ?? null,
      });
    const chat = { model: "infetch-tiny", messages: [{ role: "user", content: "Hello!" }], max_tokens: 2 };
    const ways: (() => Promise<unknown>)[] = [
      async () => (await post("/embeddings", { model: "infetch-tiny-embed", input: "Hello!" })).json(),
      async () => (await post("/chat/completions", chat)).json(),
      async () => (await post("/chat/completions", { ...chat, stream: true })).text(),
      async () => (await post("/chat/completions", { ...chat, stream: true })).body!.cancel(),
      async () => (await post("/chat/completions", { ...chat, temperature: 9 })).json(),
      async () => (await post("/no-such-path", {})).text(),
      async () => {
        const abort = new AbortController();
        const answer = post("/chat/completions", chat, abort.signal).then((response) => response.text());
        abort.abort();
        await answer.catch(() => {});
      },
    ];
    for (let at = 0; at < requests; at++) await ways[at % ways.length]!();
  }, requests);
}

/** Objects of the page and of every worker, by path. */
async function everywhere(targets: ReadonlyMap<string, Target>): Promise<Census> {
  const counts: Census = {};
  for (const [path, target] of targets) counts[path] = await ends(`a snapshot of ${path}`, census(target));
  return counts;
}

type Census = Record<string, Record<string, number>>;

/** What there is more of than before: a few objects come and go. */
function grown(before: Census, now: Census): string[] {
  return Object.entries(now).flatMap(([where, counts]) =>
    Object.entries(counts)
      .filter(([kind, count]) => count > before[where]![kind]! + 4)
      .map(([kind, count]) => `${where}: ${count} × ${kind}, before ${before[where]![kind]}`),
  );
}

test(`${REQUESTS} requests that end in every way leave no port, stream or row`, async () => {
  await ends("the first requests", load(28));
  const targets = await attachTargets(cdp);
  const paths = ["/worker/server.js", "/worker/transformers.js", "/worker/webllm.js", "page"];
  await expect.poll(() => [...targets.keys()].sort()).toEqual(paths);
  const before = await everywhere(targets);
  const startBytes = (await cdp.send("Runtime.getHeapUsage")).usedSize;
  for (let done = 0; done < REQUESTS; done += 50) await ends(`requests ${done} and on`, load(50));
  // The last cancellations reach the server asynchronously.
  await expect.poll(async () => grown(before, await everywhere(targets))).toEqual([]);
  const grownBytes = (await cdp.send("Runtime.getHeapUsage")).usedSize - startBytes;
  expect(grownBytes).toBeLessThan(2 * 2 ** 20);
  const rows = await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open("infetch-ledger");
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const count = await new Promise<number>((resolve) => {
      const request = database.transaction("inflight").objectStore("inflight").count();
      request.onsuccess = () => resolve(request.result);
    });
    database.close();
    return count;
  });
  expect(rows).toBe(0);
  expect(await page.evaluate("runtime.billing.verify()")).toMatchObject({ ok: true });
});
