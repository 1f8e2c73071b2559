/** A soak tab: two loops of random requests, each awaited to its end. */

import type { BrowserContext, Page } from "playwright";
import type { Sighting, SoakTally } from "./tally.ts";

/** Above the duration of any soak request, even when engines restart on two busy cores. */
const MAX_MS = 240_000;

export interface Tab {
  page: Page;
  /** Finishes running requests and starts no more. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

type Kind = "chat" | "stream" | "cut" | "embeddings" | "refused" | "batch" | "invoice";
const KINDS: Kind[] = [
  "chat",
  "stream",
  "stream",
  "cut",
  "embeddings",
  "embeddings",
  "refused",
  "batch",
  "invoice",
];

export async function openTab(context: BrowserContext, origin: string, tally: SoakTally): Promise<Tab> {
  const page = await context.newPage();
  page.on("pageerror", (error) => tally.fault(`an error in a page: ${error.message}`));
  await page.goto(`${origin}/README`).catch(() => {});
  // tsx restores function names with this helper, which pages lack.
  await page.evaluate("globalThis.__name = (named) => named");
  await page.evaluate(
    `import(${JSON.stringify(`${origin}/index.js`)}).then(async ({ createRuntime }) => { globalThis.runtime = await createRuntime(); })`,
  );
  // Without usage there is no draft invoice.
  tally.count(await send(page, "chat"));
  let isOpen = true;
  const loop = async (): Promise<void> => {
    while (isOpen) {
      const kind = KINDS[Math.floor(Math.random() * KINDS.length)]!;
      const sighting = await Promise.race([send(page, kind), late(kind)]).catch((error) => {
        // Requests cut off by closing the tab are not observed.
        if (isOpen) tally.fault(`${kind}: ${(error as Error).message}`);
        // Not closed by the test: the browser is gone.
        if (page.isClosed()) isOpen = false;
        return undefined;
      });
      if (sighting) tally.count(sighting);
    }
  };
  const loops = Promise.all([loop(), loop()]);
  return {
    page,
    async finish() {
      isOpen = false;
      await loops;
    },
    async close() {
      isOpen = false;
      tally.unseen += 2;
      await page.close();
      await loops;
    },
  };
}

async function late(kind: Kind): Promise<Sighting> {
  await new Promise((resolve) => setTimeout(resolve, MAX_MS).unref());
  return { kind, status: 0, code: "hangs", tookMs: MAX_MS };
}

function send(page: Page, kind: Kind): Promise<Sighting> {
  return page.evaluate(async (kind) => {
    const { runtime } = globalThis as unknown as { runtime: import("infetch").Runtime };
    const startedAtMs = performance.now();
    const authorization = `Bearer ${runtime.apiKey}`;
    const post = (path: string, body: object) =>
      runtime.fetch(runtime.baseURL + path, {
        method: "POST",
        headers: { authorization },
        body: JSON.stringify(body),
      });
    const messages = [{ role: "user", content: `Count from 1 to ${Math.ceil(Math.random() * 30)}.` }];
    const chat = { model: "infetch-tiny", messages, max_tokens: 24 };
    const lines = JSON.stringify({
      custom_id: "a",
      method: "POST",
      url: "/v1/embeddings",
      body: { model: "infetch-tiny-embed", input: "Hello" },
    });
    const ways = {
      chat: () => post("/chat/completions", chat),
      stream: () =>
        post("/chat/completions", { ...chat, stream: true, stream_options: { include_usage: true } }),
      cut: () => post("/chat/completions", { ...chat, stream: true }),
      embeddings: () => post("/embeddings", { model: "infetch-tiny-embed", input: ["one", "two words"] }),
      refused: () => post("/chat/completions", { ...chat, temperature: 9 }),
      invoice: () =>
        runtime.fetch(`${runtime.baseURL}/billing/invoices/current`, { headers: { authorization } }),
      async batch() {
        const form = new FormData();
        form.set("purpose", "batch");
        form.set("file", new File([`${lines}\n`], "a.jsonl"));
        const uploaded = await runtime.fetch(`${runtime.baseURL}/files`, {
          method: "POST",
          headers: { authorization },
          body: form,
        });
        const { id } = await uploaded.json();
        return post("/batches", { input_file_id: id, endpoint: "/v1/embeddings", completion_window: "24h" });
      },
    };
    const seen = { kind, status: 0, code: "", tookMs: 0, id: "", tokens: undefined as number | undefined };
    try {
      const response = await ways[kind]();
      seen.status = response.status;
      seen.id = response.headers.get("x-request-id") ?? "";
      if (kind === "cut") {
        const reader = response.body!.getReader();
        await reader.read();
        await reader.cancel();
      } else {
        const text = await response.text();
        const answers = text.startsWith("data:")
          ? text
              .split("\n\n")
              .filter((line) => line.startsWith("data: {"))
              .map((line) => JSON.parse(line.slice(6)))
          : [JSON.parse(text)];
        for (const { usage, error } of answers) {
          if (usage?.completion_tokens !== undefined) seen.tokens = usage.completion_tokens;
          if (error) seen.code = error.code;
        }
      }
    } catch (error) {
      seen.code = (error as { code?: string }).code ?? String(error);
    }
    seen.tookMs = performance.now() - startedAtMs;
    return seen;
  }, kind);
}
