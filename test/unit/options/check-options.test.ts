import { expect, test } from "vitest";
import { areOptions } from "../../../src/options/check-options.ts";
import { optionsError } from "../../../src/options/setup-errors.ts";
import { findUnknownNames } from "../../../src/protocol/options/option-names.ts";
import { findShapeFault } from "../../../worker/catalog/own-models/check-shape.ts";

test.each([
  [{}],
  [{ baseURL: "/v1", assetsURL: new URL("https://a.test/"), models: [], shared: false, keepAliveMs: -1 }],
  [
    {
      billing: { pricing: "none" },
      testing: null,
      embeddings: { device: "wasm" },
      upstream: undefined,
      models: null,
    },
  ],
])("%o are options", (options) => {
  expect(areOptions(options)).toBe(true);
});

test.each<[unknown, RegExp]>([
  [{ assetURL: "/x/" }, /'assetURL' \(did you mean 'assetsURL'\?\)/],
  [{ baseUrl: "/x/" }, /did you mean 'baseURL'/],
  [{ storagename: "x" }, /did you mean 'storageName'/],
  [{ keepalive: 5 }, /did you mean 'keepAliveMs'/],
  [{ zzz: 1 }, /'zzz' is not an option\. Known options: baseURL, assetsURL/],
  [{ embeddings: { devise: "x" } }, /'embeddings\.devise' \(did you mean 'embeddings\.device'\?\)/],
  [{ memoryBudget: 5 }, /did you mean 'memoryBudgetBytes'/],
  [{ hub: { tokn: "x" } }, /'hub\.tokn' \(did you mean 'hub\.token'\?\)/],
  [{ hub: { token: 5 } }, /^hub\.token must be an access token: a string without spaces\.$/],
  [{ hub: "https://hub.test" }, /^hub must be an object\.$/],
  [{ constructor: 1 }, /'constructor' is not an option/],
  [{ shared: "no" }, /^shared must be true or false\.$/],
  [{ storageName: "" }, /^storageName must be a non-empty string/],
  [{ models: {} }, /^models must be an array\.$/],
  [{ upstream: "https://gpu.test" }, /^upstream must be an object\.$/],
  [{ assetsURL: 5 }, /^assetsURL must be a URL/],
  [{ keepAliveMs: "5" }, /^keepAliveMs must be a number of 0 or more, or -1\.$/],
  [{ keepAliveMs: -2 }, /^keepAliveMs must be/],
  [{ keepAliveMs: Number.NaN }, /^keepAliveMs must be/],
  [{ memoryBudgetBytes: 0 }, /^memoryBudgetBytes must be a number greater than 0\.$/],
  [{ memoryBudgetBytes: Number.NaN }, /^memoryBudgetBytes must be/],
  [{ maxQueuedRequests: 0 }, /^maxQueuedRequests must be a whole number of at least 1\.$/],
  [{ samplingDefaults: "none" }, /^samplingDefaults must be "api" or "model"\.$/],
  [{ embeddings: { device: "gpu" } }, /^embeddings\.device must be "auto", "webgpu" or "wasm"\.$/],
  [{ llamacpp: { device: "gpu" } }, /^llamacpp\.device must be "auto", "webgpu" or "wasm"\.$/],
  [
    { billing: { graceMs: -1 } },
    /^billing\.graceMs must be a whole number from 0 to 86400000 \(24 hours\)\.$/,
  ],
  [{ billing: { graceMs: 86_400_001 } }, /^billing\.graceMs must be/],
  [{ billing: { graceMs: 0.5 } }, /^billing\.graceMs must be/],
  [{ billing: true }, /^billing must be false or an object\.$/],
  [{ billing: { graceMS: 5 } }, /'billing\.graceMS' \(did you mean 'billing\.graceMs'\?\)/],
  [{ testing: { clockOffsetMs: "5" } }, /^testing\.clockOffsetMs must be a whole number\.$/],
  [{ testing: { clockOffsetMs: Number.NaN } }, /^testing\.clockOffsetMs must be/],
  [{ embeddings: [] }, /^embeddings must be an object\.$/],
  ["/x/", /must be an object, for example/],
  [null, /must be an object/],
  [[], /must be an object/],
  [5, /must be an object/],
])("%j are none, in words", (options, message) => {
  expect(areOptions(options)).toBe(false);
  const error = optionsError(options);
  expect(error).toBeInstanceOf(TypeError);
  expect(error.message).toMatch(message);
});

test("all unknown options are told at once, each once", () => {
  const { message } = optionsError({ assetURL: "/x/", shard: true, strict: "yes" });
  expect(message).toMatch(
    /'assetURL'.*, 'shard' \(did you mean 'shared'\?\) are not options\..*strict must be/s,
  );
  expect(message.split("Known options:")).toHaveLength(2);
  expect(findUnknownNames("", { a: 1 }, ["a"])).toBeUndefined();
});

const shape = (options: object) =>
  findShapeFault({ models: [], ...options } as unknown as Parameters<typeof findShapeFault>[0]);
const url = "https://host.test/m/";
const upstream = { baseURL: "https://gpu.test/v1", apiKey: "key", models: ["a", { id: "b", model: "c" }] };

test("lists that are as they must be", () => {
  const whole = {
    kind: "embedding",
    id: "mine",
    hubId: "org/name",
    url,
    pooling: "cls",
    normalize: false,
    prefixes: { query: "", document: "d: " },
    maxTokens: 512,
    dtypes: { webgpu: ["fp16"] },
  };
  expect(shape({ models: [{ id: "m", url }, whole], upstream })).toBeUndefined();
  expect(shape({ upstream: { ...upstream, models: "*" } })).toBeUndefined();
});

test.each<[object, RegExp]>([
  [{ models: [{ id: "m" }] }, /^models\[0\]\.url must be a URL\.$/],
  [{ models: [{ url }] }, /^models\[0\]\.id must be a non-empty string/],
  [{ models: [{ id: "m", ulr: url }] }, /'models\[0\]\.ulr' \(did you mean 'models\[0\]\.url'\?\)/],
  [{ models: [{ id: "m", url }, null] }, /^models\[1\] must be an object\.$/],
  [{ models: ["m"] }, /^models\[0\] must be an object\.$/],
  [{ models: [{ id: "m", url, kind: "chat" }] }, /^models\[0\]\.kind must be "embedding", or absent/],
  [
    { models: [{ id: "m", hubId: "org/name" }] },
    /^models\[0\]\.hubId is for embedding models: add kind: "embedding"\. A chat model of the hub is a deployment: call runtime\.deployments\.create\(\{ name, model \}\)\.$/,
  ],
  [{ models: [{ id: "m", toString: 1 }] }, /'models\[0\]\.toString' is not an option/],
  [{ models: [{ id: "m", url: "/relative" }] }, /models\[0\]\.url must be a URL/],
  [{ upstream: { ...upstream, baseUrl: 1 } }, /'upstream\.baseUrl' \(did you mean 'upstream\.baseURL'\?\)/],
  [{ upstream: { apiKey: "k", models: "*" } }, /^upstream\.baseURL must be a URL/],
  [{ upstream: { ...upstream, models: [{ name: "b" }] } }, /upstream\.models\[0\]\.name/],
  [{ models: [{ kind: "embedding", id: "m", poolng: "cls" }] }, /did you mean 'models\[0\]\.pooling'/],
  [{ models: [{ kind: "embedding", id: "m", pooling: "max" }] }, /models\[0\]\.pooling must be "mean"/],
  [{ models: [{ kind: "embedding", id: "m", maxTokens: "9" }] }, /maxTokens must be a whole number/],
  [
    { models: [{ kind: "embedding", id: "m", prefixes: { query: "" } }] },
    /prefixes\.document must be a string/,
  ],
  [
    { models: [{ kind: "embedding", id: "m", dtypes: { webgpu: ["int8"] } }] },
    /dtypes\.webgpu must be a non-empty array/,
  ],
])("%j is told by its place", (options, message) => {
  expect(shape(options)).toMatch(message);
});
