/** Which models `"*"` forwards, on graphics cards that the test machines lack. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Catalog } from "../../../worker/catalog/catalog.ts";
import type { CatalogRecord } from "../../../worker/catalog/model-record.ts";
import { openUpstream } from "../../../worker/endpoints/upstream/open-upstream.ts";
import type { DeviceChoice } from "../../../worker/engine-api/gpu.ts";
import { WEBLLM_LIMITS } from "../../../worker/engine-api/gpu.ts";
import type { ChatBuilds } from "../../../worker/engine-api/model-files.ts";

const webllm = { sourceURL: "", cacheURL: "", known: [], library: "" };
const llamacpp = { sourceURL: "", cacheURL: "", parts: [] };
const chat = (id: string, builds: ChatBuilds) =>
  ({ id, kind: "chat", builds, created: 0, ownedBy: "test", contextWindow: 1 }) as CatalogRecord;
const records = [chat("gguf", { llamacpp }), chat("both", { webllm, llamacpp }), chat("mlc", { webllm })];

const info = { vendor: "any", architecture: "", description: "", isFallbackAdapter: false };
const CARD = { features: new Set(["shader-f16"]), limits: WEBLLM_LIMITS, info };
const WITHOUT_F16 = { ...CARD, features: new Set() };

/** The names that go to the upstream. */
async function forwarded(adapter: object | null, device?: DeviceChoice): Promise<string[]> {
  vi.stubGlobal("navigator", { gpu: { requestAdapter: async () => adapter } });
  const catalog = new Catalog(records);
  const to = { baseURL: "https://far.test/v1", apiKey: "sk-any", models: ["*"] };
  const upstream = openUpstream(to, device ? { llamacpp: { device } } : {}, catalog, 0);
  const names = await Promise.all(records.map(({ id }) => upstream.nameOf(id, catalog, false)));
  return names.filter((name) => name !== undefined);
}

beforeEach(() => vi.stubGlobal("WebAssembly", { Memory: class {}, Suspending: class {} }));
afterEach(() => vi.unstubAllGlobals());

test("a model is forwarded if no engine runs it here: without WebGPU, one with an MLC build alone", async () => {
  expect(await forwarded(CARD)).toEqual([]);
  expect(await forwarded(null)).toEqual(["mlc"]);
  expect(await forwarded(null, "auto")).toEqual(["mlc"]);
});

test("so are GGUF files, where the options demand a WebGPU that llama.cpp cannot use", async () => {
  expect(await forwarded(CARD, "webgpu")).toEqual([]);
  expect(await forwarded(WITHOUT_F16, "webgpu")).toEqual(["gguf"]);
  expect(await forwarded(null, "webgpu")).toEqual(["gguf", "both", "mlc"]);
});
