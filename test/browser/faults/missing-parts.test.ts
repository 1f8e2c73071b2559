/** Parts of the server that do not load: not all of the package was copied to the host, or a page is offline. */

import { type Browser, chromium, type Page } from "playwright";
import { afterEach, beforeEach, expect, test } from "vitest";
import { chromiumArguments, findChromium } from "../../../scripts/chromium.ts";
import { ends } from "../../faults/support/watchdog.ts";
import { startWatchedServer, type WatchedServer } from "../../support/watched-server.ts";

let server: WatchedServer;
let browser: Browser;
let page: Page;
let isMissing: boolean;

/** Not what the entry itself begins with, such as `server-schemas-*.js`. */
const PARTS = /\/worker\/server-(handler|constrained|batches|page-\w+|start-in-browser)-[\w-]+\.js$/;

beforeEach(async () => {
  server = await startWatchedServer(false);
  browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
  page = await browser.newPage();
  isMissing = true;
  await page
    .context()
    .route(PARTS, (route) => (isMissing ? route.fulfill({ status: 404 }) : route.continue()));
  await page.goto(server.origin);
  await page.waitForFunction("globalThis.createRuntime");
  await page.evaluate("createRuntime().then((runtime) => { globalThis.runtime = runtime; })");
});
afterEach(async () => {
  await browser?.close();
  await server?.close();
});

/** The status of an answer, and its code where it is an error. */
function send(path: string, body?: object): Promise<[status: number, code: string | undefined]> {
  const answer = page.evaluate(
    async ([path, json]): Promise<[number, string | undefined]> => {
      const { runtime } = globalThis as unknown as { runtime: import("infetch").Runtime };
      const response = await runtime.fetch(runtime.baseURL + path, {
        headers: { authorization: `Bearer ${runtime.apiKey}` },
        ...(json ? { method: "POST", body: json } : {}),
      });
      return [response.status, (await response.json()).error?.code];
    },
    [path, body && JSON.stringify(body)] as const,
  );
  return ends(path, answer);
}

const messages = [{ role: "user", content: "Hello!" }];
const chat = { model: "infetch-tiny", messages, max_tokens: 4 };
const json = { ...chat, response_format: { type: "json_object" } };
const embedding = { model: "infetch-tiny-embed", input: "Hello!" };

test("whatever needs a part says so by a code, and all else goes on", async () => {
  const missing = [503, "part_unavailable"];
  expect(await send("/chat/completions", chat)).toEqual([200, undefined]);
  expect(await send("/chat/completions", json)).toEqual(missing);
  expect(await send("/embeddings", embedding)).toEqual(missing);
  expect(await send("/responses", { model: "infetch-tiny", input: "Hello!" })).toEqual(missing);
  expect(await send("/batches")).toEqual(missing);
  expect(await send("/billing/invoices")).toEqual(missing);
  for (const call of ["keys.list()", "models.cached()", "deployments.list()", "billing.verify()"]) {
    const code = page.evaluate(`runtime.${call}.then(() => "answered", (error) => error.code)`);
    expect(await ends(call, code)).toBe("part_unavailable");
  }
  expect(await send("/chat/completions", chat)).toEqual([200, undefined]);
  expect(await send("/models")).toEqual([200, undefined]);
});

test("once the files are there, a page that is loaded again has all of it", async () => {
  expect(await send("/embeddings", embedding)).toEqual([503, "part_unavailable"]);
  isMissing = false;
  await page.reload();
  await page.waitForFunction("globalThis.createRuntime");
  await page.evaluate("createRuntime().then((runtime) => { globalThis.runtime = runtime; })");
  expect(await send("/embeddings", embedding)).toEqual([200, undefined]);
  expect(await send("/chat/completions", json)).toEqual([200, undefined]);
  expect(await send("/batches")).toEqual([200, undefined]);
  expect(await ends("keys.list()", page.evaluate("runtime.keys.list()"))).toEqual([]);
});
