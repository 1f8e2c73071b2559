import { createHash } from "node:crypto";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeManifest } from "../../../scripts/model-manifest/write-manifest.ts";
import type { ModelManifest } from "../../../src/protocol/options/own-models.ts";
import { findOptionFault } from "../../../worker/catalog/own-models/check-options.ts";
import { recordOf } from "../../../worker/catalog/own-models/manifest.ts";
import { OwnModels } from "../../../worker/catalog/own-models/own-models.ts";

const source = { id: "mine", sourceURL: "https://host.test/mine/", version: "v1", created: 5 };
const sha256 = "0".repeat(64);
const file = (name: string) => ({ name, bytes: 1, sha256 });

const manifest = (rest: object): string =>
  JSON.stringify({ infetch: 1, kind: "chat", files: [file("mlc-chat-config.json")], ...rest });

describe("a manifest", () => {
  test("of a chat model has the builds that its files show", () => {
    const both = [file("mlc-chat-config.json"), file("model-00001.gguf"), file("model-00002.gguf")];
    const record = recordOf(manifest({ files: both, contextWindow: 512 }), source);
    expect(record).toMatchObject({
      kind: "chat",
      contextWindow: 512,
      maxContextWindow: 512,
      created: 5,
      ownedBy: "user",
      builds: {
        webllm: { isSealed: true, known: both, maxContextWindow: 512 },
        llamacpp: { parts: both.slice(1), maxContextWindow: 512 },
      },
    });
  });

  test("of a folder with several projectors takes one, and none of them as a part of the model", () => {
    const files = ["m.gguf", "mmproj-m-BF16.gguf", "mmproj-m-F16.gguf"].map(file);
    expect(recordOf(manifest({ files }), source)).toMatchObject({
      builds: { llamacpp: { parts: [files[0]], projector: files[2] } },
    });
  });

  test("may name files with any characters that are part of a name", () => {
    const files = ["a #1?.gguf", "50%.txt", "sub dir/ä.json"].map(file);
    expect(recordOf(manifest({ files }), source)).toMatchObject({
      builds: { llamacpp: { parts: [{ name: "a #1?.gguf" }] } },
    });
  });

  test("limits the context window, and the option's is reserved", () => {
    const long = manifest({ contextWindow: 131_072 });
    expect(recordOf(long, source)).toMatchObject({ contextWindow: 8_192, maxContextWindow: 131_072 });
    expect(recordOf(long, { ...source, contextWindow: 32_768 })).toMatchObject({
      contextWindow: 32_768,
      builds: { webllm: { contextWindow: 32_768, maxContextWindow: 131_072 } },
    });
    const embedder = manifest({
      kind: "embedding",
      files: [file("onnx/model.onnx")],
      embedding: {},
      contextWindow: 64,
    });
    expect(recordOf(embedder, { ...source, contextWindow: 16 })).toMatchObject({
      contextWindow: 16,
      embedding: { maxTokens: 16 },
    });
    expect(recordOf(embedder, { ...source, contextWindow: 128 })).toMatchObject({ contextWindow: 64 });
  });

  test("of an embedding model knows all of its files and takes no others", () => {
    const files = [file("onnx/model.onnx"), file("config.json")];
    const record = recordOf(
      manifest({ kind: "embedding", files, embedding: { pooling: "cls" }, contextWindow: 64 }),
      source,
    );
    expect(record).toMatchObject({
      kind: "embedding",
      embedding: { pooling: "cls", maxTokens: 64, isSealed: true, known: files, cacheId: "own/mine" },
    });
  });

  const broken: [string, string][] = [
    ["is not valid JSON", "<html>"],
    ["is of another form", manifest({ infetch: 2 })],
    ["has no file", manifest({ files: [] })],
    ["has a file without a hash", manifest({ files: [{ name: "a", bytes: 1 }] })],
    ["leaves its folder", manifest({ files: [file("../secret")] })],
    ["leaves its folder further in", manifest({ files: [file("a/../../secret")] })],
    ["names another host", manifest({ files: [file("https://other.test/a")] })],
    ["names another scheme", manifest({ files: [file("data:a")] })],
    ["begins at the root", manifest({ files: [file("/etc/a")] })],
    ["shows no chat model", manifest({ files: [file("readme.txt")] })],
    ["has a context of nothing", manifest({ contextWindow: 0 })],
  ];
  test.each(broken)("that %s is refused with the model's name", (_what, text) => {
    expect(() => recordOf(text, source)).toThrow(expect.objectContaining({ code: "model_load_failed" }));
    expect(() => recordOf(text, source)).toThrow(/'mine'/);
  });
});

test("a manifest is read once by all who wait, and again after a failure", async () => {
  let reads = 0;
  const own = new OwnModels(
    [{ id: "mine", url: "https://host.test/mine/" }],
    async (url) => {
      expect(url).toBe("https://host.test/mine/infetch-model.json");
      if (++reads === 1) throw new Error("gone");
      return manifest({});
    },
    5,
  );
  expect(own.unread()).toMatchObject([{ id: "mine", isUnread: true, builds: {} }]);
  const failures = await Promise.allSettled([own.read("mine"), own.read("mine")]);
  expect(failures.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  const [first, second] = await Promise.all([own.read("mine"), own.read("mine")]);
  expect(first).toBe(second);
  expect(reads).toBe(2);
});

test("options that cannot be are told in words", () => {
  const fault = (models: object[], upstream?: object) =>
    findOptionFault({ models, upstream } as Parameters<typeof findOptionFault>[0], ["infetch-tiny"]);
  const url = "https://host.test/";
  expect(fault([{ id: "mine", url }])).toBeUndefined();
  expect(fault([{ id: "a/b", url }])).toMatch(/id/);
  expect(fault([{ id: 1, url }])).toMatch(/id/);
  expect(fault([{ id: "infetch-tiny", url }])).toMatch(/infetch-tiny/);
  expect(
    fault([
      { id: "a", url },
      { id: "a", url },
    ]),
  ).toMatch(/already has the id 'a'/);
  expect(fault([{ id: "a", url, sha256: "abc" }])).toMatch(/64/);
  const upstream = { baseURL: "https://gpu.test/v1", apiKey: "key", models: ["*"] };
  expect(fault([], upstream)).toBeUndefined();
  expect(fault([], { ...upstream, baseURL: "file:///v1" })).toMatch(/baseURL/);
  expect(fault([], { ...upstream, apiKey: "two words" })).toMatch(/apiKey/);
  expect(fault([], { ...upstream, models: "*" })).toBeUndefined();
  for (const models of [[], undefined, null, [{}], [""]])
    expect(fault([], { ...upstream, models })).toMatch(/models/);
});

test("ids of embedding models are checked as all ids are, and may be hub identifiers", () => {
  const fault = (embedders: object[], folders: object[] = []) => {
    const models = [...embedders.map((row) => ({ kind: "embedding", ...row })), ...folders];
    return findOptionFault({ models } as Parameters<typeof findOptionFault>[0], ["infetch-tiny"]);
  };
  const hubId = "org/name";
  expect(fault([{ id: "mine", hubId }, { id: "org/name" }, { id: "other" }])).toBeUndefined();
  for (const id of [
    "",
    " ",
    ".",
    "..",
    "a b",
    "/",
    "a/",
    "/a",
    "a/b/c",
    "org/na me",
    1,
    null,
    undefined,
    {},
  ]) {
    expect(fault([{ id, hubId }])).toMatch(/^models: an id must be a string/);
  }
  expect(fault([{ id: "infetch-tiny", hubId }])).toBe(
    "models: another model already has the id 'infetch-tiny'.",
  );
  expect(fault([{ id: "a" }, { id: "a", hubId }])).toBe("models: another model already has the id 'a'.");
  expect(fault([{ id: hubId }, { id: hubId }])).toMatch(/^models: .*already has the id 'org\/name'/);
  expect(fault([{ id: "a" }], [{ id: "a", url: "https://host.test/" }])).toBe(
    "models: another model already has the id 'a'.",
  );
});

describe("the tool that writes manifests", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "infetch-manifest-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const readBack = async (): Promise<ModelManifest> =>
    JSON.parse(await readFile(join(folder, "infetch-model.json"), "utf8"));

  test("tells the model from its files, and keeps what was written by hand", async () => {
    await cp("models/tiny-chat", folder, { recursive: true });
    await writeManifest(folder);
    const first = await readBack();
    expect(first).toMatchObject({ infetch: 1, kind: "chat", contextWindow: 4096 });
    const weights = await readFile(join(folder, "params_shard_0.bin"));
    expect(first.files).toContainEqual({
      name: "params_shard_0.bin",
      bytes: weights.byteLength,
      sha256: createHash("sha256").update(weights).digest("hex"),
    });
    await writeFile(join(folder, "infetch-model.json"), JSON.stringify({ ...first, licence: "mit" }));
    await writeFile(join(folder, "more.txt"), "more");
    const hash = await writeManifest(folder, { baseModel: "org/base" });
    const second = await readBack();
    expect(second).toMatchObject({ licence: "mit", baseModel: "org/base" });
    expect(second.files.map(({ name }) => name)).toContain("more.txt");
    expect(second.files.map(({ name }) => name)).not.toContain("infetch-model.json");
    const text = await readFile(join(folder, "infetch-model.json"));
    expect(hash).toBe(createHash("sha256").update(text).digest("hex"));
  });

  test("finds files in folders, and refuses a folder without a model", async () => {
    await cp("models/tiny-embed", folder, { recursive: true });
    await writeManifest(folder);
    const { kind, files } = await readBack();
    expect(kind).toBe("embedding");
    expect(files.map(({ name }) => name)).toContain("onnx/model.onnx");
    await rm(join(folder, "onnx"), { recursive: true });
    await rm(join(folder, "infetch-model.json"));
    await expect(writeManifest(folder)).rejects.toThrow(/No model is recognised/);
  });
});
