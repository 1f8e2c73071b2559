/** Embedding models of the hub: the files that the library asks for, with a stand-in for the library. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { HubRepository } from "../../../scripts/hub/repository.ts";
import { hubRecord } from "../../../worker/catalog/hub.ts";
import type { EmbeddingDtype, EmbeddingModel } from "../../../worker/engine-api/embedding-model.ts";
import { withHubToken } from "../../../worker/engine-api/hub-token.ts";
import type { LoadProgress } from "../../../worker/engine-api/load-progress.ts";
import { describeModel } from "../../../worker/engines/transformers/describe-model.ts";
import { weightsFile } from "../../../worker/engines/transformers/files/weights-files.ts";
import { withEmbeddingFiles } from "../../../worker/engines/transformers/files/with-embedding-files.ts";
import { type HubApp, hubApp } from "../../support/hub-app.ts";

const NAME = "acme/embed";
const FILES = {
  "config.json": "{}",
  "1_Pooling/config.json": '{"pooling_mode_cls_token":true}',
  "tokenizer.json": "{}",
  "tokenizer_config.json": "{}",
  "onnx/model.onnx": "weights",
  "README.md": "x",
};
let tested: HubApp;
let repository: HubRepository;
let token: string | undefined;
let progress: LoadProgress[];

beforeEach(async () => {
  token = undefined;
  progress = [];
  tested = await hubApp({ tokens: new Map([["hf_member", [NAME]]]) });
  repository = new HubRepository(NAME);
  repository.commit(FILES);
  tested.hub.repositories.set(NAME, repository);
});
afterEach(() => tested.hub.close());

/** Asks for what the library does, and reports a missing file as it does. @returns the weights */
async function load(dtype: EmbeddingDtype = "fp32", name = NAME): Promise<string> {
  const record = hubRecord(name, tested.hub.url, undefined, { libraries: "", models: {} });
  const model = withHubToken((record as { embedding: EmbeddingModel }).embedding, token);
  const { environment } = tested;
  return withEmbeddingFiles(
    model,
    { dtype, onProgress: (state) => progress.push(state), environment },
    async (files) => {
      await describeModel(model, files);
      const [tokenizer, weights] = await Promise.all(
        ["tokenizer.json", weightsFile(dtype)].map(async (file) => {
          const response = await files.fetch(file).catch((error) => {
            throw files.explain(error);
          });
          if (response.ok) return response.text();
          throw files.explain(new Error(`Could not locate file: "/model/${file}".`));
        }),
      );
      return `${weights}${tokenizer === "{}" ? "" : tokenizer}`;
    },
  );
}

const toHub = () => tested.hub.seen.filter(({ host }) => host === "hub").map(({ path }) => path);

test("a cold load takes the files of one commit, and none that it has not", async () => {
  expect(await load()).toBe("weights");
  const { commit } = repository.resolve("main")!;
  expect(
    toHub()
      .filter((path) => !path.startsWith("/api/"))
      .sort(),
  ).toEqual(
    Object.keys(FILES)
      .filter((file) => file !== "README.md")
      .sort()
      .map((file) => `/${NAME}/resolve/${commit}/${file}`),
  );
  expect(progress.at(-1)?.loadedBytes).toBe(13 + FILES["1_Pooling/config.json"].length);
});

test("weights in formats that are not read are no part of the progress", async () => {
  repository.commit({ ...FILES, "model.safetensors": "x".repeat(5000), "onnx/model.onnx_data": "data" });
  await load();
  const total = FILES["1_Pooling/config.json"].length + "{}{}{}weightsdata".length;
  expect(new Set(progress.map(({ totalBytes }) => totalBytes))).toEqual(new Set([total]));
});

test("another load asks nothing, also where it misses a dtype that others replace", async () => {
  await load();
  repository.commit({ "onnx/model.onnx": "other weights" });
  tested.hub.seen = [];
  await expect(load("q8")).rejects.toMatchObject({ code: "model_load_failed" });
  expect(await load()).toBe("weights");
  expect(tested.hub.seen).toEqual([]);
});

test.each([
  ["config.json", { ...FILES, "config.json": undefined }],
  ["tokenizer.json", { ...FILES, "tokenizer.json": undefined }],
  ["tokenizer_config.json", { ...FILES, "tokenizer_config.json": undefined }],
  ["onnx", { ...FILES, "onnx/model.onnx": undefined }, "unsupported_model"],
  ["1_Pooling/config.json", { ...FILES, "1_Pooling/config.json": undefined }, "unknown_pooling"],
])(
  "a repository without %s is an error, until it has one",
  async (file, files, code = "hub_file_not_found") => {
    repository = new HubRepository(NAME);
    tested.hub.repositories.set(NAME, repository);
    repository.commit(
      Object.fromEntries(Object.entries(files).filter(([, text]) => text !== undefined)) as never,
    );
    await expect(load()).rejects.toMatchObject({
      code,
      message: expect.stringContaining(file),
    });
    repository.commit(FILES);
    expect(await load()).toBe("weights");
    tested.hub.seen = [];
    expect(await load()).toBe("weights");
    expect(tested.hub.seen).toEqual([]);
  },
);

test.each(["null", '"text"', "7"])("a config.json of %s is refused with its address", async (text) => {
  repository.commit({ ...FILES, "config.json": text });
  await expect(load()).rejects.toMatchObject({
    code: "model_load_failed",
    message: expect.stringMatching(/its config\.json is no JSON object \(http:.+\/config\.json\)/),
  });
});

test("weights that no backend asks for are named", async () => {
  repository = new HubRepository(NAME);
  tested.hub.repositories.set(NAME, repository);
  const { "onnx/model.onnx": weights, ...others } = FILES;
  repository.commit({ ...others, "onnx/model_q4.onnx": weights, "onnx/model_q4f16.onnx": weights });
  await expect(load()).rejects.toMatchObject({
    code: "hub_file_not_found",
    message: expect.stringContaining("Its weights are q4, q4f16. Set dtypes to one of these"),
  });
});

test("pooling that a folder of another name should state is an error of the model, until it does", async () => {
  repository = new HubRepository(NAME);
  tested.hub.repositories.set(NAME, repository);
  const { "1_Pooling/config.json": pooling, ...others } = FILES;
  const modules = JSON.stringify([{ path: "2_Pool", type: "sentence_transformers.models.Pooling" }]);
  repository.commit({ ...others, "modules.json": modules });
  await expect(load()).rejects.toMatchObject({
    code: "unknown_pooling",
    param: "model",
    message: expect.stringContaining("/2_Pool/config.json"),
  });
  repository.commit({ ...others, "modules.json": modules, "2_Pool/config.json": pooling });
  expect(await load()).toBe("weights");
});

test("a tokenizer_config.json that cannot be had ends the load before the library remembers that", async () => {
  tested.hub.faults.set("tokenizer_config.json", [{ type: "status", status: 410 }]);
  await expect(load()).rejects.toMatchObject({
    code: "model_download_failed",
    message: expect.stringContaining("/tokenizer_config.json"),
  });
  expect(toHub().some((path) => path.endsWith("/tokenizer.json"))).toBe(false);
  expect(await load()).toBe("weights");
});

test("a cut connection of an embedding model goes on where it broke", async () => {
  tested.hub.faults.set("model.onnx", [{ type: "cut", afterBytes: 3 }]);
  expect(await load()).toBe("weights");
  expect(tested.hub.seen.flatMap(({ host, range }) => (host === "cdn" && range ? [range] : []))).toEqual([
    "bytes=3-",
  ]);
});

test("spoiled weights of an embedding model are fetched once more", async () => {
  tested.hub.faults.set("model.onnx", [{ type: "spoil" }]);
  expect(await load()).toBe("weights");
  expect(toHub().filter((path) => path.endsWith(".onnx"))).toHaveLength(2);
});

test.each([
  ["gated", undefined, "model_gated"],
  ["gated", "hf_wrong", "hub_token_invalid"],
  ["private", undefined, "hub_model_not_found"],
  ["gated", "hf_member", undefined],
] as const)("a %s embedding model with the token %s: %s", async (access, used, code) => {
  repository.access = access;
  token = used;
  if (code) await expect(load()).rejects.toMatchObject({ code });
  else expect(await load()).toBe("weights");
  expect(tested.hub.seen.every(({ host, authorization }) => host === "hub" || !authorization)).toBe(true);
});

test("the files of an embedding model wait together for a rate limit", async () => {
  tested.hub.faults.set("model.onnx", [{ type: "status", status: 429, headers: { "retry-after": "70" } }]);
  expect(await load()).toBe("weights");
  expect(progress.filter(({ waitsUntil }) => waitsUntil).map(({ waitsUntil }) => waitsUntil)).toEqual([
    tested.environment.now() + 70_000,
  ]);
});

test("two revisions of an embedding model are stored apart", async () => {
  repository.commit({ ...FILES, "onnx/model.onnx": "weights of v2" }, "release/v2");
  expect(await load("fp32", `${NAME}@release/v2`)).toBe("weights of v2");
  expect(await load()).toBe("weights");
  const keys = [...tested.caches.of("infetch/transformers").entries.keys()].filter((key) =>
    key.endsWith(".onnx"),
  );
  expect(keys).toEqual([
    `https://infetch.invalid/${NAME}@release%2Fv2/release%2Fv2/onnx/model.onnx`,
    `https://infetch.invalid/${NAME}/main/onnx/model.onnx`,
  ]);
});

test("weights whose connection is slow arrive", async () => {
  tested.hub.faults.set("model.onnx", [{ type: "slow", bytesPerSecond: 100 }]);
  expect(await load()).toBe("weights");
});

test("a file that is no JSON is named", async () => {
  repository.commit({ ...FILES, "modules.json": "<html>" });
  await expect(load()).rejects.toMatchObject({
    code: "model_load_failed",
    message: expect.stringContaining("its modules.json is not valid JSON"),
  });
});
