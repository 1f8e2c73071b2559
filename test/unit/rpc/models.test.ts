import { beforeEach, describe, expect, test } from "vitest";
import { Catalog } from "../../../worker/catalog/catalog.ts";
import type { CatalogRecord } from "../../../worker/catalog/model-record.ts";
import { OwnModels } from "../../../worker/catalog/own-models/own-models.ts";
import { fileAddress } from "../../../worker/engine-api/file-name.ts";
import { versionFolder } from "../../../worker/engines/transformers/files/with-embedding-files.ts";
import { PartialFile } from "../../../worker/model-store/cache/partial-file.ts";
import { freeBytes } from "../../../worker/model-store/cache/quota.ts";
import type { StoreEnvironment } from "../../../worker/model-store/environment.ts";
import { type ModelsRpcServices, modelsRpc } from "../../../worker/rpc/models.ts";
import { FakeCaches } from "../../fakes/fake-caches.ts";

const LIBRARY = "https://libraries.test/shared.wasm";
const HUB = "https://hub.test";

function chat(id: string, folder: string, library: string): CatalogRecord {
  const webllm = { sourceURL: folder, cacheURL: folder, known: [], library };
  const head = { id, created: 0, ownedBy: "test", contextWindow: 1, version: "1" };
  return { ...head, kind: "chat", builds: { webllm } };
}

const records: CatalogRecord[] = [
  chat("built-in", "https://infetch.invalid/built-in/v2/resolve/main/", "model-library.wasm"),
  chat("one", `${HUB}/mlc/one/resolve/main/`, LIBRARY),
  chat("two", `${HUB}/mlc/two/resolve/main/`, LIBRARY),
];

const deployed = {
  ...chat("one-deployed", `${HUB}/mlc/one/resolve/main/`, LIBRARY),
  deployment: { model: "one" },
};

let caches: FakeCaches;
let environment: StoreEnvironment & { storage: StorageManager | undefined };
const cancelled: string[] = [];
let models: ReturnType<typeof modelsRpc>;

beforeEach(() => {
  caches = new FakeCaches();
  environment = { caches, storage: undefined } as unknown as typeof environment;
  cancelled.length = 0;
  models = modelsRpc(services(new Catalog([...records, deployed])));
});

function services(catalog: Catalog): ModelsRpcServices {
  return {
    catalog,
    environment,
    load: async () => {},
    unload: async () => {},
    cancel: ({ id }) => void cancelled.push(id),
    retainedTokens: async (id) => ({ one: 300, "one-deployed": 45 })[id],
    forwarded: [],
    embeddingDevice: "auto",
  };
}

async function keep(cache: string, key: string, text = "x"): Promise<void> {
  await caches.of(cache).put(key, new Response(text, { headers: { "content-length": String(text.length) } }));
}

async function keepMlc(folder: string, shards: readonly string[]): Promise<void> {
  await keep("webllm/config", `${folder}mlc-chat-config.json`);
  const records = ["s0.bin", "s1.bin"].map((dataPath) => ({ dataPath }));
  await keep("webllm/model", `${folder}tensor-cache.json`, JSON.stringify({ records }));
  for (const name of ["tokenizer.json", ...shards]) await keep("webllm/model", folder + name);
}

const cached = async () => {
  const result = await models.cached();
  if (!result.ok) throw new Error(result.error.message);
  return Object.fromEntries(result.value.map(({ model, ...rest }) => [model, rest]));
};

describe("what is cached", () => {
  test("is told by model, older versions too, and a shared library counts for each", async () => {
    await keepMlc(`${HUB}/mlc/one/resolve/main/`, ["s0.bin", "s1.bin"]);
    await keepMlc(`${HUB}/mlc/two/resolve/main/`, ["s0.bin"]);
    await keep("webllm/wasm", LIBRARY);
    await keep("webllm/model", "https://infetch.invalid/built-in/v1/resolve/main/s0.bin", "old");
    expect(await cached()).toMatchObject({
      one: { complete: true, files: 6 },
      two: { complete: false, files: 5 },
      "built-in": { complete: false, files: 1, bytes: 3 },
    });
  });

  test.each([
    ["damaged", { "content-length": "many" }],
    ["that of a compressed body", { "content-length": "1", "content-encoding": "gzip" }],
  ])("has the size of its contents where the stored one is %s", async (_, headers) => {
    const key = `${HUB}/mlc/one/resolve/main/s0.bin`;
    await caches.of("webllm/model").put(key, new Response("four", { headers }));
    expect(await cached()).toMatchObject({ one: { files: 1, bytes: 4 } });
  });

  test.each([
    ["infetch/gguf", [`${HUB}/acme/m-GGUF/resolve/main/m-Q4.gguf`], "acme/m-GGUF", true],
    ["infetch/gguf", [`${HUB}/acme/m-GGUF/resolve/main/M-Q4.GGUF`], "acme/m-GGUF", true],
    ["infetch/gguf", [`${HUB}/acme/m/resolve/main/m-00001-of-00002.gguf`], "acme/m", false],
    [
      "infetch/gguf",
      ["m-00001-of-00002.gguf", "m-q4-00001-of-00003.gguf"].map(
        (name) => `${HUB}/acme/m/resolve/main/${name}`,
      ),
      "acme/m",
      false,
    ],
    [
      "infetch/gguf",
      [1, 2].map((part) => `${HUB}/acme/m/resolve/main/m-0000${part}-of-00002.gguf`),
      "acme/m",
      true,
    ],
    [
      "infetch/transformers",
      ["config.json", "onnx/model.onnx"].map((name) => `https://infetch.invalid/acme/e/main/${name}`),
      "acme/e",
      true,
    ],
  ])(
    "%s: files of a model that nobody lists go under the hub's name",
    async (cache, keys, name, complete) => {
      for (const key of keys) await keep(cache, key);
      expect(await cached()).toMatchObject({ [name]: { complete, files: keys.length } });
      expect(await models.delete(name)).toMatchObject({ ok: true });
      expect(await cached()).toEqual({});
    },
  );

  test.each(["not JSON", "null", "{}", '{"records":7}', '{"records":[null]}'])(
    "a model whose list of tensors is %s is incomplete, and the others are told",
    async (list) => {
      await keepMlc(`${HUB}/mlc/one/resolve/main/`, ["s0.bin", "s1.bin"]);
      await keepMlc(`${HUB}/mlc/two/resolve/main/`, ["s0.bin", "s1.bin"]);
      await keep("webllm/wasm", LIBRARY);
      await keep("webllm/model", `${HUB}/mlc/two/resolve/main/tensor-cache.json`, list);
      expect(await cached()).toMatchObject({ one: { complete: true }, two: { complete: false, files: 6 } });
    },
  );

  test("the tokens that a loaded model and its deployments keep for later prompts", async () => {
    for (const name of ["one", "two"]) await keepMlc(`${HUB}/mlc/${name}/resolve/main/`, ["s0.bin"]);
    const { one, two } = await cached();
    expect([one?.retainedTokens, two]).toEqual([
      345,
      expect.not.objectContaining({ retainedTokens: expect.anything() }),
    ]);
  });

  test("a list of files is no file, and a model that has nothing else is not cached", async () => {
    const folder = `${HUB}/mlc/one/resolve/main/`;
    await keep("webllm/wasm", LIBRARY);
    await keep("infetch/hub", `${folder}.infetch-snapshot.json`);
    expect(await cached()).toEqual({});
    expect(await models.verify("one")).toMatchObject({ value: { files: 0 } });
    await keepMlc(folder, ["s0.bin", "s1.bin"]);
    expect(await cached()).toMatchObject({ one: { complete: true, files: 6 } });
    await models.delete("one");
    expect(caches.of("infetch/hub").entries.size).toBe(0);
  });

  test.each(["onnx/model.onnx_data", "onnx/model.onnx.data"])(
    "an embedding model whose weights have a second file, %s, is incomplete until it has that",
    async (second) => {
      const file = (name: string) => `https://infetch.invalid/acme/e/main/${name}`;
      for (const name of ["config.json", "onnx/model.onnx"]) await keep("infetch/transformers", file(name));
      const parts = await PartialFile.open(await caches.open("infetch/parts"), file(second));
      await parts.add(new Uint8Array(100));
      await parts.keep();
      expect(await cached()).toMatchObject({ "acme/e": { complete: false, files: 2, partialBytes: 100 } });
      await parts.discard();
      await keep("infetch/transformers", file(second));
      // A note that it has no such file is none.
      await keep("infetch/transformers", `${file("modules.json")}?absent`);
      expect(await cached()).toMatchObject({ "acme/e": { complete: true, files: 3 } });
    },
  );

  test("counts interrupted downloads apart", async () => {
    const key = "https://infetch.invalid/built-in/v2/resolve/main/s0.bin";
    const parts = await PartialFile.open(await caches.open("infetch/parts"), key);
    await parts.add(new Uint8Array(100));
    await parts.keep();
    expect(await cached()).toMatchObject({
      "built-in": { complete: false, files: 0, bytes: 0, partialBytes: 100 },
    });
    await models.delete("built-in");
    expect([await cached(), cancelled]).toEqual([{}, ["built-in"]]);
  });
});

test.each([
  ["lacks", {}],
  [
    "refuses",
    {
      estimate: () => Promise.reject(new TypeError("denied")),
      persisted: () => Promise.reject(new TypeError("denied")),
    },
  ],
])(
  "where the browser %s estimates, as Safari before 17, what is stored is told without them",
  async (_, storage) => {
    environment.storage = storage as unknown as StorageManager;
    expect(await models.storage()).toEqual({
      ok: true,
      value: { quotaBytes: null, usageBytes: null, persisted: false, models: [] },
    });
    expect(await freeBytes(environment)).toBe(Number.POSITIVE_INFINITY);
  },
);

test("a load is cancelled before its files are listed, so that it stores none meanwhile", async () => {
  const key = `${HUB}/mlc/one/resolve/main/s0.bin`;
  const { keys } = caches.of("webllm/model");
  let isListed = false;
  caches.of("webllm/model").keys = function () {
    isListed = cancelled.length === 0;
    return keys.call(this);
  };
  await keep("webllm/model", key);
  await models.delete("one");
  expect([isListed, cancelled]).toEqual([false, ["one", "one-deployed"]]);
});

test("a library goes with the last model that needs it", async () => {
  for (const name of ["one", "two"]) await keepMlc(`${HUB}/mlc/${name}/resolve/main/`, ["s0.bin"]);
  await keep("webllm/wasm", LIBRARY);
  await models.delete("one");
  expect(caches.of("webllm/wasm").entries.size).toBe(1);
  await models.delete("two");
  expect(caches.of("webllm/wasm").entries.size).toBe(0);
});

test("a model that is neither known nor cached is told as the interface tells it", async () => {
  for (const call of [models.delete, models.verify, models.load, models.cancel]) {
    expect(await call("nobody/knows")).toMatchObject({
      ok: false,
      error: { name: "ModelLoadError", code: "model_not_found" },
    });
  }
});

describe("a hub model", () => {
  const folder = `${HUB}/acme/m-GGUF/resolve/main/`;
  const deployment = (id: string): CatalogRecord => ({
    ...chat(id, folder, ""),
    ...{ builds: { llamacpp: { sourceURL: folder, cacheURL: folder, parts: [] } } },
    deployment: { model: "acme/m-GGUF" },
  });
  /** As `fromHub` gives it for models that batches can run. */
  const ofBatches = chat("acme/m", `${HUB}/acme/m/resolve/main/`, LIBRARY);
  const open = (deployments: CatalogRecord[], calls: string[] = []) => {
    const fromHub = (name: string) => (name === "acme/m" ? ofBatches : undefined);
    const catalog = new Catalog(records, { deployments: () => deployments, fromHub });
    models = modelsRpc({
      ...services(catalog),
      load: async ({ id }) => void calls.push(`load ${id}`),
      unload: async ({ id }) => void calls.push(`unload ${id}`),
    });
    return calls;
  };

  test("is loaded, unloaded, cancelled, verified and deleted by its name through its only deployment", async () => {
    const calls = open([deployment("mine")]);
    await keep("infetch/gguf", `${folder}m-Q4.gguf`);
    for (const call of [models.load, models.unload, models.cancel])
      expect(await call("acme/m-GGUF@main")).toMatchObject({ ok: true });
    expect([calls, cancelled]).toEqual([["load mine", "unload mine"], ["mine"]]);
    expect(await models.verify("acme/m-GGUF")).toMatchObject({ value: { files: 1 } });
    expect(await models.delete("acme/m-GGUF")).toMatchObject({ ok: true });
    expect([await cached(), cancelled]).toEqual([{}, ["mine", "mine"]]);
    expect(await models.delete("acme/m-GGUF")).toMatchObject({ ok: true });
  });

  test("with several deployments is not loaded, and all of them are unloaded", async () => {
    const calls = open([deployment("a"), deployment("b")]);
    expect(await models.load("acme/m-GGUF")).toMatchObject({
      error: { code: "ambiguous_model", message: expect.stringContaining("'a', 'b'") },
    });
    await models.unload("acme/m-GGUF");
    expect(calls).toEqual(["unload a", "unload b"]);
  });

  test("without a deployment can be unloaded and cancelled after a batch loaded it; loading it is a 404 with the remedy", async () => {
    const calls = open([]);
    await models.unload("acme/m");
    await models.cancel("acme/m");
    expect([calls, cancelled]).toEqual([["unload acme/m"], ["acme/m"]]);
    expect(await models.load("acme/m")).toMatchObject({
      error: { code: "model_not_found", message: expect.stringContaining("runtime.deployments.create(") },
    });
  });
});

test.each([undefined, null, 7, {}, ["one"]])("%j is no name of a model", async (id) => {
  for (const call of [models.load, models.unload, models.cancel, models.delete, models.verify]) {
    expect(await call(id as never)).toMatchObject({
      ok: false,
      error: { name: "ModelLoadError", code: "invalid_type", message: expect.stringContaining("'model'") },
    });
  }
});

describe("an own model", () => {
  const sha256 = "0".repeat(64);
  const manifest = { infetch: 1, kind: "chat", files: [{ name: "m.gguf", bytes: 1, sha256 }] };
  const embedder = { ...manifest, kind: "embedding", files: [{ name: "onnx/model.onnx", bytes: 1, sha256 }] };

  function open(id: string, read: () => Promise<string>, loaded: CatalogRecord[] = []) {
    const own = new OwnModels([{ id, url: "https://host.test/m/" }], read, 0);
    const catalog = new Catalog(own.unread(), { readOwn: (one) => own.read(one) });
    return modelsRpc({ ...services(catalog), load: async (model) => void loaded.push(model) });
  }

  test.each(["mine", "通义", "llama3.2:1b", "a?b", "a#b", "a%2fb"])(
    "called %s is found in the cache, deleted and verified before its manifest is read again",
    async (id) => {
      for (const text of [manifest, embedder].map((one) => JSON.stringify(one))) {
        const own = new OwnModels([{ id, url: "https://host.test/m/" }], async () => text, 0);
        const record = await own.read(id);
        const folder =
          record.kind === "chat" ? record.builds.llamacpp!.cacheURL : versionFolder(record.embedding);
        await keep("infetch/gguf", fileAddress(folder, "m.gguf"));
        models = open(id, async () => text);
        expect(await cached()).toMatchObject({ [id]: { files: 1 } });
        expect(await models.verify(id)).toMatchObject({ value: { files: 1 } });
        await models.delete(id);
        expect(await cached()).toEqual({});
      }
    },
  );

  test("whose load is cancelled while its manifest is read is not loaded", async () => {
    const loaded: CatalogRecord[] = [];
    let answer = (_: string): void => {};
    const text = new Promise<string>((resolve) => {
      answer = resolve;
    });
    models = open("mine", () => text, loaded);
    const loading = models.load("mine");
    await models.cancel("mine");
    answer(JSON.stringify(manifest));
    expect(await loading).toMatchObject({ ok: false, error: { code: "load_cancelled" } });
    expect(loaded).toEqual([]);
    expect(await models.load("mine")).toMatchObject({ ok: true });
    expect(loaded).toHaveLength(1);
  });
});
