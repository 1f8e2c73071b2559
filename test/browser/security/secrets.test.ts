/** A session with marked secrets: checks everywhere that they must not appear. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { chromium } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anyEngine, findChromium } from "../../../scripts/browsers/chromium.ts";
import { type FolderServer, serveFolders } from "../../../scripts/servers/serve-folders.ts";
import { distFolder } from "../../../vite.config.ts";

const PROMPT = "sentinel-prompt-4711";
const UPSTREAM_KEY = "sk-sentinel-upstream-0815";
const askedOfUpstream: { url: string; authorization: string | undefined }[] = [];
const upstream = createServer((request, response) => {
  askedOfUpstream.push({ url: request.url!, authorization: request.headers.authorization });
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader(
    "access-control-allow-headers",
    request.headers["access-control-request-headers"] ?? "*",
  );
  // Echoes the key, as careless servers do.
  const error = { message: `Refused: ${request.headers.authorization}`, type: "x", param: null, code: "x" };
  response.writeHead(request.method === "OPTIONS" ? 204 : 401, { "content-type": "application/json" });
  response.end(request.method === "OPTIONS" ? undefined : JSON.stringify({ error }));
});
let server: FolderServer;

beforeAll(async () => {
  server = await serveFolders({ package: distFolder });
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  upstream.close();
  server.close();
});

test("no key, prompt or reply is in the console, in an address, or in what is stored", async () => {
  const browser = await chromium.launch({ executablePath: findChromium(), args: anyEngine });
  try {
    const context = await browser.newContext();
    const said: string[] = [];
    const asked: string[] = [];
    context.on("console", (message) => said.push(message.text()));
    context.on("request", (request) => asked.push(request.url()));
    const page = await context.newPage();
    await page.goto(server.origin);
    const { port } = upstream.address() as AddressInfo;
    const options = {
      upstream: { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: UPSTREAM_KEY, models: ["far"] },
    };
    const result = (await page.evaluate(`(async () => {
      const { createRuntime } = await import("/package/index.js");
      const runtime = await createRuntime(${JSON.stringify(options)});
      const made = await runtime.keys.create({ name: "other" });
      const send = (path, body, key = runtime.apiKey) => runtime.fetch(runtime.baseURL + path, { method: "POST", headers: { authorization: "Bearer " + key }, body: JSON.stringify(body) }).then(async (response) => ({ status: response.status, text: await response.text() }));
      const messages = [{ role: "user", content: ${JSON.stringify(PROMPT)} }];
      const answers = [
        await send("/chat/completions", { model: "infetch-tiny", messages, max_tokens: 12 }),
        await send("/chat/completions", { model: "infetch-tiny", messages, max_tokens: 12, stream: true }, made.apiKey),
        await send("/chat/completions", { model: "infetch-tiny", messages, temperature: 9 }),
        await send("/embeddings", { model: "infetch-tiny-embed", input: ${JSON.stringify(PROMPT)} }),
        await send("/chat/completions", { model: "far", messages }),
        await send("/chat/completions", { model: "infetch-tiny", messages }, runtime.apiKey + "x"),
      ];
      const stored = [];
      for (const { name } of await indexedDB.databases()) {
        const database = await new Promise((resolve, reject) => { const open = indexedDB.open(name); open.onsuccess = () => resolve(open.result); open.onerror = reject; });
        for (const store of database.objectStoreNames) stored.push(await new Promise((resolve) => { const all = database.transaction(store).objectStore(store).getAll(); all.onsuccess = () => resolve(name + "/" + store + ": " + JSON.stringify(all.result)); }));
        database.close();
      }
      for (const name of await caches.keys()) for (const { url } of await (await caches.open(name)).keys()) stored.push(url);
      stored.push(JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), JSON.stringify(await runtime.keys.list()), location.href, document.cookie);
      return { answers, stored, keys: [runtime.apiKey, made.apiKey], locks: JSON.stringify(await navigator.locks.query()) };
    })()`)) as {
      answers: { status: number; text: string }[];
      stored: string[];
      keys: string[];
      locks: string;
    };
    expect(result.answers.map(({ status }) => status)).toEqual([200, 200, 400, 200, 502, 401]);
    expect(askedOfUpstream.some(({ authorization }) => authorization?.includes(UPSTREAM_KEY))).toBe(true);
    const reply = JSON.parse(result.answers[0]!.text).choices[0].message.content as string;
    const secrets = [...result.keys.map((key) => key.split("-").at(-1)!), UPSTREAM_KEY];
    const places = {
      console: said.join("\n"),
      addresses: [...asked, ...askedOfUpstream.map(({ url }) => url)].join("\n"),
      storage: result.stored.join("\n"),
      locks: result.locks,
      errors: result.answers
        .slice(2)
        .map(({ text }) => text)
        .join("\n"),
    };
    // The searched texts are not empty.
    expect(places.storage).toContain("infetch-accounts");
    expect(places.addresses).toContain("/worker/server.js");
    for (const [where, text] of Object.entries(places)) {
      for (const secret of secrets) expect(text.includes(secret), `${where} has a secret`).toBe(false);
      expect(text.includes(PROMPT), `${where} has the prompt`).toBe(false);
      if (reply.length > 8) expect(text.includes(reply), `${where} has the reply`).toBe(false);
    }
  } finally {
    await browser.close();
  }
});
