/**
 * A published network with a published vocabulary, in both engines: token by token, its replies are those of llama2.c.
 */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBrowser } from "../../../scripts/browsers/browsers.ts";
import type { BrowserName } from "../../../scripts/browsers/driven-browser.ts";
import { closeServer, createStaticServer, listen } from "../../../scripts/servers/static-server.ts";
import type { createRuntime } from "../../../src/index.ts";
import { readLlama2c } from "../../support/stories/llama2c.ts";
import { writeGgufFolder, writeMlcFolder } from "../../support/stories/model-folders.ts";
import { type Reference, referenceReplies } from "../../support/stories/reference.ts";

const PROMPTS = [
  "Once upon a time",
  "One day a little dog named Max went to the park",
  "The king was very sad because",
];
const REPLY_TOKENS = 64;

let folder: string;
let server: Server | undefined;
let address: string;
let references: Reference[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "infetch-stories-"));
  const model = await readLlama2c();
  await writeGgufFolder(model, join(folder, "gguf"));
  await writeMlcFolder(model, join(folder, "mlc"));
  // This llama2.c does not add the space that the vocabulary's publisher adds before a text.
  const spaced = PROMPTS.map((prompt) => ` ${prompt}`);
  references = await referenceReplies(model, folder, spaced, 100);
  await writeFile(
    join(folder, "index.html"),
    '<!doctype html><script type="module" src="/boot.js"></script>',
  );
  await writeFile(
    join(folder, "boot.js"),
    'import { createRuntime } from "/infetch/index.js"; globalThis.createRuntime = createRuntime;',
  );
  server = createStaticServer({ "/": folder, "/infetch/": resolve(import.meta.dirname, "../../../dist") });
  address = await listen(server, 0);
}, 600_000);
afterAll(async () => {
  if (server) await closeServer(server);
  await rm(folder, { recursive: true });
});

interface Completion {
  engine: string | null;
  choices: { text: string }[];
  usage: { prompt_tokens: number; completion_tokens: number };
}

async function complete(name: BrowserName, build: "gguf" | "mlc"): Promise<Completion[]> {
  const browser = await findBrowser(name)!.start();
  try {
    const page = await browser.newPage();
    await page.goto(`${address}/`);
    const asked = { url: `/${build}/`, prompts: PROMPTS, max_tokens: REPLY_TOKENS };
    return await page.evaluate(async ({ url, prompts, max_tokens }) => {
      const app = globalThis as unknown as { createRuntime: typeof createRuntime };
      const runtime = await app.createRuntime({ models: [{ id: "stories", url }] });
      const headers = { authorization: `Bearer ${runtime.apiKey}` };
      const replies: Completion[] = [];
      for (const prompt of prompts) {
        const body = JSON.stringify({ model: "stories", prompt, max_tokens, temperature: 0 });
        const response = await runtime.fetch(`${runtime.baseURL}/completions`, {
          method: "POST",
          headers,
          body,
        });
        replies.push({ ...(await response.json()), engine: response.headers.get("x-infetch-engine") });
      }
      return replies;
    }, asked);
  } finally {
    await browser.close();
  }
}

describe.each([
  ["chromium", "mlc", "webllm; device=webgpu"],
  ["chromium", "gguf", "llamacpp; device=wasm"],
  ["firefox", "gguf", "llamacpp; device=wasm"],
  ["webkit", "gguf", "llamacpp; device=wasm"],
] as const)("%s, %s", (name, build, engine) => {
  test("replies and token counts are those of llama2.c", async () => {
    const replies = await complete(name, build);
    for (const [at, { choices, usage, ...reply }] of replies.entries()) {
      expect(reply.engine).toBe(engine);
      expect(usage.completion_tokens).toBe(REPLY_TOKENS);
      const tokens = usage.prompt_tokens - 1 + REPLY_TOKENS;
      expect(` ${PROMPTS[at]}${choices[0]!.text}`).toBe(references[at]!.slice(0, tokens).join(""));
    }
  });
});
