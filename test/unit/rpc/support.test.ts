/** Engine selection per model, on adapters that the test machines lack. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Catalog } from "../../../worker/catalog/catalog.ts";
import type { CatalogRecord } from "../../../worker/catalog/model-record.ts";
import { WEBLLM_LIMITS } from "../../../worker/engine-api/gpu.ts";
import type { ChatBuilds } from "../../../worker/engine-api/model-files.ts";
import { reportSupport } from "../../../worker/rpc/support.ts";

const head = { created: 0, ownedBy: "test", contextWindow: 1 };
const webllm = { sourceURL: "", cacheURL: "", known: [], library: "" };
const llamacpp = { sourceURL: "", cacheURL: "", parts: [] };
const chat = (id: string, builds: ChatBuilds, more: object = {}) =>
  ({ ...head, id, kind: "chat", builds, ...more }) as CatalogRecord;
const embedding = (id: string, webgpu: string[]) =>
  ({
    ...head,
    id,
    kind: "embedding",
    embedding: { dtypes: { webgpu, wasm: ["fp32"] } },
  }) as unknown as CatalogRecord;

const records = [
  chat("both", { webllm, llamacpp }),
  chat("half", { webllm: { ...webllm, features: ["shader-f16"] }, llamacpp }),
  chat(
    "two-builds",
    { webllm: { ...webllm, features: ["shader-f16"] } },
    { withoutF16: { hubName: "mlc-ai/two-q4f32_1-MLC", memoryBytes: 2, files: { ...webllm, features: [] } } },
  ),
  chat("big-buffer", { webllm: { ...webllm, bufferBytes: 201_326_592 }, llamacpp }),
  chat("gpu-only", { webllm }),
  chat("gguf", { llamacpp }),
  chat("forced", { webllm, llamacpp }, { engine: "llamacpp" }),
  chat("unread", {}, { isUnread: true }),
  chat("far", { webllm }),
  embedding("embed", ["fp32"]),
  embedding("embed-wasm", []),
];

/** Of a usual graphics card. */
const LIMITS = { ...WEBLLM_LIMITS, maxBufferSize: 2 ** 31, maxStorageBufferBindingSize: 2 ** 30 };

function adapter({ features = ["shader-f16"], limits = {}, architecture = "ampere" } = {}) {
  const info = { vendor: "nvidia", architecture, description: "", isFallbackAdapter: false };
  return { features: new Set(features), limits: { ...LIMITS, ...limits }, info };
}

type Device = "auto" | "webgpu" | "wasm";

async function support(
  found: object | null | undefined,
  embeddingDevice: Device = "auto",
  llamacppDevice?: Device,
) {
  const gpu = found === undefined ? {} : { gpu: { requestAdapter: async () => found } };
  vi.stubGlobal("navigator", { hardwareConcurrency: 4, ...gpu });
  const devices = { embeddingDevice, llamacppDevice };
  const report = await reportSupport({ catalog: new Catalog(records), forwarded: ["far"], ...devices });
  const models = Object.fromEntries(
    report.models.map(({ id, engine, reason }) => [id, reason === null ? engine : `${engine}: ${reason}`]),
  );
  return { report, models };
}

beforeEach(() => vi.stubGlobal("WebAssembly", { Memory: class {}, Suspending: class {} }));
afterEach(() => vi.unstubAllGlobals());

const EVERYWHERE = {
  gguf: "llamacpp: no build for WebGPU",
  forced: "llamacpp: its options say so",
  unread: "null: its manifest has not been read: GET /v1/models/unread reads it",
  far: "upstream",
};

test("a graphics card with all that is needed", async () => {
  const { report, models } = await support(adapter());
  expect(models).toEqual({
    ...EVERYWHERE,
    both: "webllm",
    half: "webllm",
    "two-builds": "webllm",
    "big-buffer": "webllm",
    "gpu-only": "webllm",
    embed: "transformers",
    "embed-wasm": "transformers: no build for WebGPU",
  });
  expect(report.webgpu).toEqual({
    available: true,
    reason: null,
    adapter: "nvidia ampere",
    isSoftware: false,
    features: ["shader-f16"],
    limits: LIMITS,
  });
  expect(report.wasm).toMatchObject({ available: true, threads: false, cores: 4 });
  expect(report.storage).toEqual({ privateFiles: false, estimate: false });
});

test.each([
  ["no WebGPU", undefined, "no navigator.gpu"],
  ["no adapter", null, "no WebGPU adapter"],
])("%s", async (_, found, reason) => {
  const { report, models } = await support(found);
  expect(models).toEqual({
    ...EVERYWHERE,
    both: `llamacpp: ${reason}`,
    half: `llamacpp: ${reason}`,
    "two-builds": `null: ${reason}`,
    "big-buffer": `llamacpp: ${reason}`,
    "gpu-only": `null: ${reason}`,
    embed: `transformers: ${reason}`,
    "embed-wasm": `transformers: ${reason}`,
  });
  expect(report.webgpu).toMatchObject({ available: false, reason, adapter: null });
});

test("an adapter that lacks a feature, or allows too little", async () => {
  expect((await support(adapter({ features: [] }))).models).toMatchObject({
    both: "webllm",
    half: "llamacpp: adapter lacks shader-f16",
    "two-builds": "webllm: adapter lacks shader-f16",
  });
  // web-llm gets buffers of 1 GiB or of 128 MiB, never what lies between.
  const small = await support(adapter({ limits: { maxStorageBufferBindingSize: 2 ** 29 } }));
  expect(small.models).toMatchObject({
    both: "webllm",
    "big-buffer": `llamacpp: maxStorageBufferBindingSize ${2 ** 29} < ${2 ** 30}`,
  });
  const reason = "maxStorageBuffersPerShaderStage 8 < 10";
  expect((await support(adapter({ limits: { maxStorageBuffersPerShaderStage: 8 } }))).models).toMatchObject({
    both: `llamacpp: ${reason}`,
    "gpu-only": `null: ${reason}`,
    embed: "transformers",
  });
});

test("embeddings leave a GPU that is computed on the processor, and one that the options rule out", async () => {
  const { report, models } = await support(adapter({ architecture: "swiftshader" }));
  expect(report.webgpu.isSoftware).toBe(true);
  expect(models).toMatchObject({ both: "webllm", embed: "transformers: WebGPU on the processor" });
  expect((await support(adapter(), "wasm")).models.embed).toBe("transformers: its options say so");
});

test("llama.cpp's device where the options allow WebGPU, and why it is not the graphics card", async () => {
  const deviceOf = async (...of: Parameters<typeof support>) => {
    const { report } = await support(...of);
    const { engine, device, reason } = report.models.find(({ id }) => id === "gguf")!;
    return `${engine} ${device} ${reason}`;
  };
  expect(await deviceOf(adapter())).toBe("llamacpp wasm no build for WebGPU");
  expect(await deviceOf(adapter(), "auto", "auto")).toBe("llamacpp webgpu null");
  expect(await deviceOf(adapter({ features: [] }), "auto", "auto")).toBe(
    "llamacpp wasm adapter lacks shader-f16",
  );
  expect(await deviceOf(adapter(), "auto", "wasm")).toBe("llamacpp wasm its options say so");
  const software = adapter({ architecture: "swiftshader" });
  expect(await deviceOf(software, "auto", "auto")).toBe("llamacpp wasm WebGPU on the processor");
  expect(await deviceOf(software, "auto", "webgpu")).toBe("llamacpp webgpu null");
  expect(await deviceOf(null, "auto", "webgpu")).toBe("null null no WebGPU adapter");
  // web-llm asks for more than llama.cpp.
  const small = adapter({ limits: { maxStorageBuffersPerShaderStage: 8 } });
  const { report } = await support(small, "auto", "auto");
  expect(report.models.find(({ id }) => id === "both")).toEqual({
    id: "both",
    engine: "llamacpp",
    device: "webgpu",
    reason: "maxStorageBuffersPerShaderStage 8 < 10",
  });
  vi.stubGlobal("WebAssembly", { Memory: class {} });
  expect(await deviceOf(adapter(), "auto", "auto")).toBe("llamacpp wasm no JSPI");
  vi.stubGlobal("WebAssembly", { Suspending: class {} });
  expect(await deviceOf(adapter(), "auto", "auto")).toBe("llamacpp wasm no 64-bit memory");
});
