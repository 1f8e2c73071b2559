/** Custom models: the built-in models' folders under other names, on a static host of another origin. */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { distFolder } from "../../../vite.config.ts";
import { type ModelHost, startModelHost } from "./model-host.ts";
import { startTabs, type TabHost } from "./tab.ts";

const models = join(distFolder, "models");
const messages = [{ role: "user", content: "What is the capital of France?" }];
const request = { messages, max_tokens: 12, temperature: 0 };
let host: ModelHost;
let tabs: TabHost;

beforeEach(async () => {
  [host, tabs] = await Promise.all([startModelHost(models), startTabs()]);
});

afterEach(async () => {
  await tabs.close();
  host.close();
});

test("a folder on a static host is a model: its own file tells everything else, and nothing is read before", async () => {
  const tab = await tabs.open({
    models: [
      { id: "mine", url: `${host.url}infetch-tiny` },
      { id: "my-vectors", url: `${host.url}infetch-tiny-embed/` },
    ],
  });
  const listed = JSON.parse((await tab.request("/models")).text).data as { id: string; infetch: object }[];
  expect(listed.find(({ id }) => id === "mine")?.infetch).toMatchObject({
    engine: null,
    context_window: null,
  });
  expect(host.asked).toEqual([]);

  const [own, builtIn] = [
    await tab.request("/chat/completions", { ...request, model: "mine" }),
    await tab.request("/chat/completions", { ...request, model: "infetch-tiny" }),
  ].map(({ text }) => JSON.parse(text));
  expect(own.model).toBe("mine");
  expect(own.choices[0].message).toEqual(builtIn.choices[0].message);
  expect(host.asked).toContain("/infetch-tiny/infetch-model.json");
  expect(host.asked).toContain("/infetch-tiny/params_shard_0.bin");
  const { infetch } = JSON.parse((await tab.request("/models/mine")).text);
  expect(infetch).toMatchObject({
    engine: "webllm",
    context_window: 4096,
    licence: "apache-2.0",
    abilities: { tools: true, reasoning: true, json: true, vision: false },
  });

  const vectors = await tab.request("/embeddings", { model: "my-vectors", input: "Hello" });
  const reference = await tab.request("/embeddings", { model: "infetch-tiny-embed", input: "Hello" });
  expect(JSON.parse(vectors.text).data).toEqual(JSON.parse(reference.text).data);
  // Files missing from the manifest are not requested.
  expect(host.asked.filter((path) => path.includes("tokenizer.model"))).toEqual([]);

  // A cached model needs no host.
  const seen = host.asked.length;
  await tab.close();
  host.close();
  const offline = await tabs.open({ models: [{ id: "mine", url: `${host.url}infetch-tiny` }] });
  expect((await offline.request("/chat/completions", { ...request, model: "mine" })).status).toBe(200);
  expect(host.asked.length).toBeLessThanOrEqual(seen + 1);
});

const SPLIT = "test/fixtures/hub/onnx-community/embeddinggemma-300m-ONNX/resolve/main";

/**
 * Serves a model whose weights are in two files, which its config.json does not say.
 *
 * @param ending of the second file's name: optimum and PyTorch choose different ones
 */
async function serveSplitWeights(dtypes: readonly string[], ending = "onnx_data"): Promise<string> {
  const renamed = (text: string): string => text.replaceAll("onnx_data", ending);
  const { "transformers.js_config": _, ...config } = JSON.parse(
    await readFile(join(SPLIT, "config.json"), "utf8"),
  );
  const contents = new Map([["config.json", Buffer.from(JSON.stringify(config))]]);
  const weights = ["model", "model_quantized"].flatMap((name) => [`${name}.onnx`, `${name}.onnx_data`]);
  const others = ["tokenizer.json", "tokenizer_config.json", ...weights.map((name) => `onnx/${name}`)];
  for (const name of others) {
    const bytes = await readFile(join(SPLIT, name));
    const isGraph = name.endsWith(".onnx");
    contents.set(renamed(name), isGraph ? Buffer.from(renamed(bytes.toString("latin1")), "latin1") : bytes);
  }
  const files = [...contents].map(([name, bytes]) => ({
    name,
    bytes: bytes.byteLength,
    sha256: createHash("sha256").update(bytes).digest("hex"),
  }));
  const embedding = { pooling: "sentence_embedding", dtypes: { wasm: dtypes, webgpu: dtypes } };
  const manifest = JSON.stringify({ infetch: 1, kind: "embedding", files, embedding });
  contents.set("infetch-model.json", Buffer.from(manifest));
  for (const [name, bytes] of contents) host.replaced.set(`/split/${name}`, bytes);
  return `${host.url}split/`;
}

test.each(["onnx_data", "onnx.data"])(
  "weights with a second file (.%s) load also where only the manifest names it",
  async (ending) => {
    const url = await serveSplitWeights(["fp32"], ending);
    const tab = await tabs.open({ models: [{ id: "mine", url }] });
    const [item] = JSON.parse(await readFile(join(SPLIT, "reference.json"), "utf8"));
    const input = `title: none | text: ${item.text}`;
    const { status, text } = await tab.request("/embeddings", { model: "mine", input });
    expect(status, text).toBe(200);
    const { embedding: vector } = JSON.parse(text).data[0];
    for (const [at, value] of item.vector.entries()) expect(vector[at]).toBeCloseTo(value, 3);
  },
);

test("weights that do not arrive are not replaced by larger ones", async () => {
  const url = await serveSplitWeights(["q8", "fp32"]);
  host.replaced.delete("/split/onnx/model_quantized.onnx_data");
  const tab = await tabs.open({ models: [{ id: "mine", url }] });
  const { status, text } = await tab.request("/embeddings", { model: "mine", input: "a" });
  expect([status, JSON.parse(text).error]).toEqual([
    502,
    expect.objectContaining({
      code: "model_download_failed",
      message: expect.stringContaining("model_quantized.onnx_data"),
    }),
  ]);
  expect(host.asked).not.toContain("/split/onnx/model.onnx");
});

test.each(["params_shard_0.bin", "tokenizer.json", "model-library.wasm", "mlc-chat-config.json"])(
  "%s with one wrong byte is refused, and taken once it is right",
  async (name) => {
    host.spoilt.add(name);
    const tab = await tabs.open({ models: [{ id: "mine", url: `${host.url}infetch-tiny/` }] });
    const refused = await tab.request("/chat/completions", { ...request, model: "mine" });
    expect(refused.status).toBe(502);
    expect(JSON.parse(refused.text).error).toMatchObject({
      code: "model_download_failed",
      message: expect.stringContaining(name),
    });
    host.spoilt.clear();
    expect((await tab.request("/chat/completions", { ...request, model: "mine" })).status).toBe(200);
  },
);

test("with the manifest's hash in the page, not even the manifest can be changed", async () => {
  const manifest = await readFile(join(models, "infetch-tiny/infetch-model.json"));
  const sha256 = createHash("sha256").update(manifest).digest("hex");
  const tab = await tabs.open({ models: [{ id: "mine", url: `${host.url}infetch-tiny/`, sha256 }] });
  host.spoilt.add("infetch-model.json");
  const refused = await tab.request("/chat/completions", { ...request, model: "mine" });
  expect(refused.status).toBe(502);
  expect(JSON.parse(refused.text).error.message).toContain("infetch-model.json");
  host.spoilt.clear();
  expect((await tab.request("/chat/completions", { ...request, model: "mine" })).status).toBe(200);
});

test("a folder without a manifest, and options that cannot be, are told as such", async () => {
  const tab = await tabs.open({ models: [{ id: "mine", url: `${host.url}nothing/` }] });
  const missing = await tab.request("/chat/completions", { ...request, model: "mine" });
  expect(missing.status).toBe(503);
  expect(JSON.parse(missing.text).error).toMatchObject({
    code: "model_load_failed",
    message: expect.stringContaining("model-manifest.js"),
  });
  const clash = await tabs.open({ storageName: "clash", models: [{ id: "infetch-tiny", url: host.url }] });
  expect(clash.error).toBe("TypeError: models: another model already has the id 'infetch-tiny'.");
});
