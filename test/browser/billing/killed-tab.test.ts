/**
 * A tab whose renderer crashes mid-stream: no `pagehide` and no cleanup, as when the OS kills it.
 * Another tab recovers its checkpoint and charges it once, never for more than the client received.
 */

import { type Browser, type BrowserContext, chromium, type Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import chatConfig from "../../../models/tiny-chat/mlc-chat-config.json" with { type: "json" };
import { chromiumArguments, findChromium } from "../../../scripts/browsers/chromium.ts";
import { type FolderServer, serveFolders } from "../../../scripts/servers/serve-folders.ts";
import { distFolder } from "../../../vite.config.ts";

let server: FolderServer;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  server = await serveFolders({ package: distFolder });
  browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
  context = await browser.newContext();
});

afterAll(async () => {
  await browser?.close();
  server?.close();
});

const LEDGER = "killed-tab";
/** Greedy and long: repeated with a limit of n tokens, it yields the first n tokens of the same reply. */
const REQUEST = {
  model: "infetch-tiny",
  messages: [{ role: "user", content: "Count from one to one hundred." }],
  temperature: 0,
  max_tokens: 400,
  // Suppress the stop tokens, so that the reply does not end before the kill.
  logit_bias: Object.fromEntries(chatConfig.conv_template.stop_token_ids.map((id) => [id, -100])),
};

async function newPage(): Promise<Page> {
  const page = await context.newPage();
  await page.goto(server.origin);
  return page;
}

/** Creates `window.runtime` in a page. */
async function openRuntime(page: Page): Promise<void> {
  await page.addScriptTag({
    type: "module",
    content: `import { createRuntime } from "/package/index.js";
      window.runtime = await createRuntime({ storageName: ${JSON.stringify(LEDGER)} });`,
  });
  await page.waitForFunction("window.runtime");
}

/** Sends the request and passes each piece of text to `onText` as it is read. */
function chat(page: Page, body: object): Promise<string> {
  return page.evaluate(async (json) => {
    const { runtime, onText } = window as never as {
      runtime: import("infetch").Runtime;
      onText?: (text: string) => void;
    };
    const response = await runtime.fetch(`${runtime.baseURL}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${runtime.apiKey}`, "content-type": "application/json" },
      body: json,
    });
    let text = "";
    let rest = "";
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      rest += piece.value;
      const events = rest.split("\n\n");
      rest = events.pop()!;
      for (const event of events) {
        if (event === "data: [DONE]") continue;
        const delta: string = JSON.parse(event.slice("data: ".length)).choices[0]?.delta.content ?? "";
        text += delta;
        onText?.(delta);
      }
    }
    return text;
  }, JSON.stringify(body));
}

/** The in-flight rows, read directly from IndexedDB. */
function inflight(page: Page): Promise<{ output_tokens: number; input_tokens: number }[]> {
  return page.evaluate(async (name) => {
    const known = await indexedDB.databases();
    if (!known.some((one) => one.name === name)) return [];
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const rows = await new Promise<never[]>((resolve) => {
      const request = database.transaction("inflight").objectStore("inflight").getAll();
      request.onsuccess = () => resolve(request.result as never[]);
    });
    database.close();
    return rows;
  }, `${LEDGER}-ledger`);
}

test("a crashed tab is recovered once, at its last committed checkpoint", async () => {
  const watcher = await newPage();
  const killed = await newPage();
  let seen = "";
  await killed.exposeFunction("onText", (text: string) => {
    seen += text;
  });
  await openRuntime(killed);
  chat(killed, { ...REQUEST, stream: true }).catch(() => {});
  await expect.poll(() => inflight(watcher), { timeout: 60_000, interval: 5 }).toHaveLength(1);

  const crashed = new Promise((resolve) => killed.once("crash", resolve));
  const session = await context.newCDPSession(killed);
  session.send("Page.crash").catch(() => {});
  await crashed;
  const [checkpoint] = await inflight(watcher);
  expect(checkpoint!.output_tokens).toBeGreaterThan(0);

  const others = [watcher, await newPage()];
  await Promise.all(others.map(openRuntime));
  const usageOf = (page: Page) =>
    page.evaluate(() => (window as never as { runtime: import("infetch").Runtime }).runtime.usage.list());
  await expect.poll(() => usageOf(watcher), { timeout: 20_000 }).toHaveLength(1);
  const [event] = await usageOf(others[1]!);
  expect(event).toMatchObject({
    outcome: "interrupted",
    inputTokens: checkpoint!.input_tokens,
    outputTokens: checkpoint!.output_tokens,
  });
  expect(await inflight(watcher)).toEqual([]);

  // The charged text is a prefix of what the client received.
  const charged = await chat(watcher, { ...REQUEST, stream: true, max_tokens: event!.outputTokens });
  expect(charged.length).toBeGreaterThan(0);
  expect(seen.startsWith(charged)).toBe(true);
});
