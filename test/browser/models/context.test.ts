/** Context windows on WebGPU: a model that was compiled for 8,192 tokens, with and without room for them. */

import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildModelLibrary, readArchitecture } from "../../../models/library/build.ts";
import { writeManifest } from "../../../scripts/model-manifest/write-manifest.ts";
import { distFolder } from "../../../vite.config.ts";
import { type ModelHost, startModelHost } from "./model-host.ts";
import { startTabs, type Tab, type TabHost } from "./tab.ts";

const OWN_CONTEXT = 8_192;
let folder: string;
let host: ModelHost;
let tabs: TabHost;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "infetch-context-"));
  const model = join(folder, "long");
  await cp(join(distFolder, "models/infetch-tiny"), model, {
    recursive: true,
    filter: (path) => !path.endsWith(".gguf"),
  });
  const architecture = readArchitecture(
    join(import.meta.dirname, "../../../models/tiny-chat/architecture.json"),
  );
  await buildModelLibrary({
    architecture: { ...architecture, contextWindow: OWN_CONTEXT },
    outFile: join(model, "model-library.wasm"),
  });
  const configFile = join(model, "mlc-chat-config.json");
  const config = JSON.parse(await readFile(configFile, "utf8")) as object;
  await writeFile(configFile, JSON.stringify({ ...config, context_window_size: OWN_CONTEXT }));
  await writeManifest(model, { contextWindow: OWN_CONTEXT });
  [host, tabs] = await Promise.all([startModelHost(folder), startTabs()]);
});

afterAll(async () => {
  await tabs?.close();
  host?.close();
  await rm(folder, { recursive: true, force: true });
});

const words = (count: number) => [{ role: "user", content: "word ".repeat(count) }];

async function ask(tab: Tab, messages: object[]) {
  const request = { model: "long", messages, max_tokens: 2, temperature: 0 };
  const { status, text } = await tab.request("/chat/completions", request);
  return {
    status,
    ...(JSON.parse(text) as { usage?: { prompt_tokens: number }; error?: { message: string } }),
  };
}

async function facts(tab: Tab) {
  return JSON.parse((await tab.request("/models/long")).text).infetch as object;
}

test("a prompt of more than 4,096 tokens is read in the window asked for, and one beyond it is refused", async () => {
  const tab = await tabs.open({ models: [{ id: "long", url: `${host.url}long`, contextWindow: 6_000 }] });
  const long = await ask(tab, words(4_100));
  expect(long).toMatchObject({ status: 200 });
  expect(long.usage!.prompt_tokens).toBeGreaterThan(4_096);
  expect(await facts(tab)).toMatchObject({
    engine: "webllm",
    context_window: 6_000,
    max_context_window: OWN_CONTEXT,
    notes: [],
  });
  expect(await ask(tab, words(6_000))).toMatchObject({
    status: 400,
    error: { code: "context_length_exceeded", message: expect.stringContaining("is 6000 tokens") },
  });
  await tab.close();
});

test("a window without room is refused with the largest that fits, which is served, and is the default", async () => {
  const memoryBudgetBytes = 16_000_000;
  const open = (storageName: string, contextWindow?: number) =>
    tabs.open({
      storageName,
      memoryBudgetBytes,
      models: [{ id: "long", url: `${host.url}long`, ...(contextWindow ? { contextWindow } : {}) }],
    });
  const tooLarge = await open("too-large", 8_000);
  const refused = await ask(tooLarge, words(1));
  expect(refused).toMatchObject({
    status: 503,
    error: {
      code: "insufficient_memory",
      message: expect.stringMatching(/^A context window of 8,000 tokens needs about .* MB of memory/),
    },
  });
  const most = Number(/at most (\d+)/.exec(refused.error!.message)![1]);
  expect(most).toBeGreaterThan(2_000);
  await tooLarge.close();

  const fitting = await open("fitting", most);
  expect(await ask(fitting, words(1))).toMatchObject({ status: 200 });
  expect(await facts(fitting)).toMatchObject({ context_window: most, notes: [] });
  await fitting.close();

  const unset = await open("unset");
  expect(await ask(unset, words(1))).toMatchObject({ status: 200 });
  expect(await facts(unset)).toMatchObject({
    context_window: most,
    notes: [expect.stringContaining("no memory for more")],
  });
  await unset.close();
});
