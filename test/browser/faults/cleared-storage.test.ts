/** The user, or the browser, clears all that the origin has stored while infetch runs. */

import { type Browser, chromium, type Page } from "playwright";
import { afterEach, beforeEach, expect, test } from "vitest";
import { chromiumArguments, findChromium } from "../../../scripts/chromium.ts";
import { ends } from "../../faults/support/watchdog.ts";
import { startWatchedServer, type WatchedServer } from "../../support/watched-server.ts";

let server: WatchedServer;
let browser: Browser;
let page: Page;

beforeEach(async () => {
  server = await startWatchedServer(false);
  browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
  page = await browser.newPage();
  await page.goto(server.origin);
  await page.waitForFunction("globalThis.createRuntime");
  await page.evaluate("createRuntime().then((runtime) => { globalThis.runtime = runtime; })");
});
afterEach(async () => {
  await browser?.close();
  await server?.close();
});

/**
 * All that infetch stores. Not `all` that there is: after that, Chromium 156 starts no worker for the page any more,
 * of whomever, until it is loaded again.
 */
async function clear(): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Storage.clearDataForOrigin", {
    origin: server.origin,
    storageTypes: "cache_storage,indexeddb,file_systems,local_storage,storage_buckets",
  });
}

interface Answer {
  status: number;
  body: { usage?: { completion_tokens: number }; error?: { code: string }; total?: number };
}

function send(path: string, body?: object): Promise<Answer> {
  return page.evaluate(
    async ([path, json]) => {
      const { runtime } = globalThis as unknown as { runtime: import("infetch").Runtime };
      const response = await runtime.fetch(runtime.baseURL + path, {
        headers: { authorization: `Bearer ${runtime.apiKey}` },
        ...(json ? { method: "POST", body: json } : {}),
      });
      return { status: response.status, body: await response.json() };
    },
    [path, body && JSON.stringify(body)] as const,
  );
}

const chat = { model: "infetch-tiny", messages: [{ role: "user", content: "Hello!" }], max_tokens: 4 };

test("between two requests: the next is served, and the books begin anew", async () => {
  expect((await ends("the first request", send("/chat/completions", chat))).status).toBe(200);
  await clear();
  const next = await ends("the next request", send("/chat/completions", chat));
  expect(next.status).toBe(200);
  const invoice = await ends("the invoice", send("/billing/invoices/current"));
  expect(invoice.status).toBe(200);
  const verified = page.evaluate("runtime.billing.verify()");
  expect(await ends("the check of the books", verified)).toMatchObject({ ok: true });
});

test("in the middle of a download: it ends, in a model or in an error with a code, and the next load runs", async () => {
  const first = send("/chat/completions", chat);
  await page
    .waitForEvent("request", { predicate: (request) => request.url().includes("params_shard") })
    .catch(() => {});
  await clear();
  const answer = await ends("the request that was loading", first);
  if (answer.status !== 200) expect(answer.body.error?.code).toMatch(/^\w+$/);
  expect((await ends("the next request", send("/chat/completions", chat))).status).toBe(200);
});
