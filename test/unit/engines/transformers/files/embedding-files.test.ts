import { createHash } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import type { LoadProgress } from "../../../../../worker/engine-api/load-progress.ts";
import type { ModelFile } from "../../../../../worker/engine-api/model-files.ts";
import { EmbeddingFiles } from "../../../../../worker/engines/transformers/files/embedding-files.ts";
import {
  versionFolder,
  withEmbeddingFiles,
} from "../../../../../worker/engines/transformers/files/with-embedding-files.ts";
import type { StoreEnvironment } from "../../../../../worker/model-store/environment.ts";
import { FakeCaches } from "../../../../fakes/fake-caches.ts";
import { storeEnvironment } from "../../../../support/store-environment.ts";

const BYTES = "weights of a model";
const weights: ModelFile = {
  name: "onnx/model.onnx",
  bytes: BYTES.length,
  sha256: createHash("sha256").update(BYTES).digest("hex"),
};

let caches: FakeCaches;
let environment: StoreEnvironment;
let asked: string[];

/** Answers every request with `response`. */
function serve(response: () => Response): void {
  environment.fetch = async (address) => {
    asked.push(String(address));
    return response();
  };
}

beforeEach(() => {
  caches = new FakeCaches();
  asked = [];
  environment = storeEnvironment(caches, (delayMs) => delayMs >= 60_000);
});

function store(version = "1", onProgress: (progress: LoadProgress) => void = () => {}): EmbeddingFiles {
  const model = { id: "m", sourceURL: "https://app.test/m/", version, known: [weights] };
  const folder = versionFolder(model);
  return new EmbeddingFiles(model, { folder, expectedBytes: weights.bytes, onProgress, environment });
}

/** Of a model that says which of its files are weights. */
function weighed(onProgress: (progress: LoadProgress) => void = () => {}): EmbeddingFiles {
  const model = { id: "m", sourceURL: "https://app.test/m/", version: "1", known: [weights] };
  const dtypes = { webgpu: [], wasm: ["fp32" as const] };
  const folder = versionFolder(model);
  return new EmbeddingFiles({ ...model, dtypes }, { folder, expectedBytes: 100, onProgress, environment });
}

test("a file comes over the network once for each version", async () => {
  serve(() => new Response(BYTES));
  expect(await (await store().fetch(weights.name)).text()).toBe(BYTES);
  expect(await (await store().fetch(weights.name)).text()).toBe(BYTES);
  expect(asked).toEqual(["https://app.test/m/onnx/model.onnx"]);
  await store("2").fetch(weights.name);
  expect(asked).toHaveLength(2);
});

test("files of a revision that were stored before its name was encoded are still found, apart from others", async () => {
  serve(() => new Response(BYTES));
  const open = (version: string) => {
    const model = { id: "m", sourceURL: `https://app.test/${version}/`, version, known: [] };
    const read = async (files: EmbeddingFiles) => {
      for (const name of ["config.json", weights.name]) await files.fetch(name);
    };
    return withEmbeddingFiles(model, { dtype: "fp32", onProgress: () => {}, environment }, read);
  };
  const { entries } = caches.of("infetch/transformers");
  const earlier = "https://infetch.invalid/m/refs/pr/1";
  for (const name of ["config.json", weights.name]) entries.set(`${earlier}/${name}`, new Response(BYTES));
  await open("refs/pr/1");
  expect(asked).toEqual([]);
  await open("refs/pr/2");
  await open("refs/pr/2");
  expect(asked).toHaveLength(2);
  const [, , config] = [...entries.keys()];
  expect(config).toBe("https://infetch.invalid/m/refs%2Fpr%2F2/config.json");
});

test("compiling is reported once all parts of the weights are there, before the library has made a session", async () => {
  serve(() => new Response(BYTES));
  const phases: string[] = [];
  const files = weighed(({ phase }) => void phases.push(phase));
  await files.fetch("config.json");
  expect(phases).not.toContain("compile");
  await Promise.all([weights.name, `${weights.name}_data`].map((name) => files.fetch(name)));
  expect(phases.indexOf("compile")).toBe(phases.length - 1);
});

test.each([
  ["is missing", () => new Response("", { status: 404 }), { code: "model_load_failed" }],
  ["cannot be fetched", () => new Response("", { status: 503 }), { code: "model_download_failed" }],
])(
  "a second file of the weights that %s ends the load, as the library would not",
  async (_name, response, error) => {
    const files = weighed();
    serve(response);
    await files.fetch("config.json").catch(() => {});
    await files.fetch(`${weights.name}_data_1`).catch(() => {});
    await expect(files.lostPart).rejects.toMatchObject({
      ...error,
      message: expect.stringContaining(`${weights.name}_data_1`),
    });
  },
);

test("compiling is reported also where another file arrives after the weights", async () => {
  const phases: string[] = [];
  let arrive = (): void => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  environment.fetch = async (address) => {
    if (String(address).endsWith("tokenizer.json")) await arrived;
    return new Response(BYTES);
  };
  const files = weighed(({ phase }) => void phases.push(phase));
  const tokenizer = files.fetch("tokenizer.json");
  await files.fetch(weights.name);
  expect(phases).not.toContain("compile");
  arrive();
  await tokenizer;
  expect(phases.at(-1)).toBe("compile");
});

test("progress counts bytes and never passes the download's share", async () => {
  serve(() => new Response(BYTES));
  const seen: LoadProgress[] = [];
  await store("1", (progress) => seen.push(progress)).fetch(weights.name);
  const last = { phase: "download", loadedBytes: BYTES.length, totalBytes: BYTES.length, fraction: 0.8 };
  expect(seen.at(-1)).toEqual(last);
});

test.each([
  ["a 404", () => new Response("", { status: 404 })],
  [
    "a page in place of a missing file",
    () => new Response("<html>", { headers: { "content-type": "text/html" } }),
  ],
])("%s is a missing file, and nothing is kept", async (_name, response) => {
  serve(response);
  expect((await store().fetch("modules.json")).status).toBe(404);
  expect(await store().json("modules.json")).toBeUndefined();
  expect(caches.of("infetch/transformers").entries.size).toBe(0);
});

test("a file that a model was loaded without is not asked for again, and another is", async () => {
  serve(() => new Response("", { status: 404 }));
  const first = weighed();
  expect(await first.json("modules.json")).toBeUndefined();
  serve(() => new Response(BYTES));
  await first.fetch(weights.name);
  environment.fetch = async () => {
    throw new TypeError("Failed to fetch");
  };
  const offline = weighed();
  expect(await offline.json("modules.json")).toBeUndefined();
  expect((await offline.fetch(weights.name)).status).toBe(200);
  const unknown = offline.json("sentence_bert_config.json");
  await expect(unknown).rejects.toMatchObject({ code: "model_download_failed" });
});

test.each([
  ["other bytes", () => new Response("weights of a modeL"), /size or hash/],
  ["too few bytes", () => new Response("weights", { headers: { "content-length": "7" } }), /size or hash/],
  ["bytes that end early", () => new Response("weights"), /ended after 7 of \d+ bytes/],
  ["a failing server", () => new Response("", { status: 503 }), /responded with 503/],
])("%s are refused, not kept, and asked for again", async (_name, response, message) => {
  serve(response);
  await expect(store().fetch(weights.name)).rejects.toMatchObject({
    code: "model_download_failed",
    message: expect.stringMatching(message),
  });
  serve(() => new Response(BYTES));
  expect((await store().fetch(weights.name)).status).toBe(200);
});

test("a file that went bad in the cache is brought again", async () => {
  serve(() => new Response(BYTES));
  await store().fetch(weights.name);
  const { entries } = caches.of("infetch/transformers");
  for (const key of entries.keys()) entries.set(key, new Response("rotten"));
  expect(await (await store().fetch(weights.name)).text()).toBe(BYTES);
});

test("after a load that failed, a JSON file that is another text is asked for again, and the others are not", async () => {
  const model = { id: "m", sourceURL: "https://app.test/m/", version: "1", known: [] };
  const read = async (files: EmbeddingFiles): Promise<string[]> => {
    const texts = ["config.json", "tokenizer.json"].map(async (name) => (await files.fetch(name)).text());
    for (const text of await Promise.all(texts)) JSON.parse(text);
    return Promise.all(texts);
  };
  const load = () => withEmbeddingFiles(model, { dtype: "fp32", onProgress: () => {}, environment }, read);
  const serveTokenizer = (text: string): void => {
    environment.fetch = async (address) => {
      asked.push(String(address));
      return new Response(String(address).endsWith("/config.json") ? "{}" : text);
    };
  };
  serveTokenizer("We are back soon.");
  await expect(load()).rejects.toThrow(SyntaxError);
  serveTokenizer('{"version":"1.0"}');
  expect(await load()).toEqual(["{}", '{"version":"1.0"}']);
  expect(asked.map((address) => address.split("/").at(-1))).toEqual([
    "config.json",
    "tokenizer.json",
    "tokenizer.json",
  ]);
});

test("where nothing may be stored the model still comes", async () => {
  environment.caches = {
    has: async () => false,
    open: async () => {
      throw new DOMException("no", "SecurityError");
    },
  };
  serve(() => new Response(BYTES));
  expect((await store().fetch(weights.name)).status).toBe(200);
});
