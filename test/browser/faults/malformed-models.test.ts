/** Malformed files that match their manifest, so that they reach the engine's own parsers. */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { distFolder } from "../../../vite.config.ts";
import { ends } from "../../faults/support/watchdog.ts";
import { ofTheDay } from "../../support/random.ts";
import { type ModelHost, startModelHost } from "../models/model-host.ts";
import { startTabs, type TabHost } from "../models/tab.ts";

const models = join(distFolder, "models");
let host: ModelHost;
let tabs: TabHost;

beforeAll(async () => {
  [host, tabs] = await Promise.all([startModelHost(models), startTabs()]);
});
afterAll(async () => {
  await tabs?.close();
  host?.close();
});

/** Replaces a model's file and updates its manifest to match. */
async function replace(model: string, name: string, change: (bytes: Buffer) => Buffer): Promise<void> {
  const bytes = change(await readFile(join(models, model, name)));
  const manifest = JSON.parse(await readFile(join(models, model, "infetch-model.json"), "utf8"));
  const file = manifest.files.find((one: { name: string }) => one.name === name);
  expect(file, name).toBeDefined();
  file.bytes = bytes.byteLength;
  file.sha256 = createHash("sha256").update(bytes).digest("hex");
  host.replaced.clear();
  host.replaced.set(`/${model}/${name}`, bytes);
  host.replaced.set(`/${model}/infetch-model.json`, Buffer.from(JSON.stringify(manifest)));
}

const half = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.byteLength >> 1);
const nonsense = (bytes: Buffer): Buffer => Buffer.alloc(bytes.byteLength, "nonsense ");
const emptyObject = (): Buffer => Buffer.from("{}");

const chat = { messages: [{ role: "user", content: "Hello!" }], max_tokens: 4 };
const embeddings = { input: "Hello!" };

const FILES = [
  ["infetch-tiny", "mlc-chat-config.json", half],
  ["infetch-tiny", "mlc-chat-config.json", emptyObject],
  ["infetch-tiny", "tokenizer.json", half],
  ["infetch-tiny", "tokenizer.json", emptyObject],
  ["infetch-tiny", "tensor-cache.json", emptyObject],
  ["infetch-tiny", "tensor-cache.json", nonsense],
  ["infetch-tiny", "params_shard_0.bin", half],
  ["infetch-tiny", "model-library.wasm", half],
  ["infetch-tiny", "model-library.wasm", nonsense],
  ["infetch-tiny-embed", "config.json", nonsense],
  ["infetch-tiny-embed", "tokenizer.json", emptyObject],
  ["infetch-tiny-embed", "onnx/model.onnx", half],
  ["infetch-tiny-embed", "onnx/model.onnx", nonsense],
] as const;

test.each(ofTheDay(FILES))(
  "%s with a %s that is no such file: an error with a code, and the next model runs",
  async (model, name, change) => {
    await replace(model, name, change);
    const tab = await tabs.open({ models: [{ id: "broken", url: `${host.url}${model}/` }], shared: false });
    try {
      const isChat = model === "infetch-tiny";
      const path = isChat ? "/chat/completions" : "/embeddings";
      const body = isChat ? chat : embeddings;
      const charged = async () => (await tab.request("/billing/invoices/current")).text;
      const before = await charged();
      const refused = await ends(name, tab.request(path, { ...body, model: "broken" }));
      expect(refused.status, refused.text).toBeGreaterThanOrEqual(500);
      expect(JSON.parse(refused.text).error).toMatchObject({
        code: expect.stringMatching(/^\w+$/),
        message: expect.stringMatching(/\w{3}/),
      });
      expect(await charged()).toBe(before);
      // The same page can use an intact model.
      expect((await ends("the next model", tab.request(path, { ...body, model }))).status).toBe(200);
      expect(await charged()).not.toBe(before);
    } finally {
      await tab.close();
      host.replaced.clear();
    }
  },
);
