/** `runtime.support()`: browser capabilities and the engine of each model. Downloads nothing. */

import type { ModelSupport, SupportReport } from "../../src/protocol/rpc/support.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { forDevice } from "../catalog/chat/device-build.ts";
import type { CatalogRecord, ChatModelRecord } from "../catalog/model-record.ts";
import type { EmbeddingModel } from "../engine-api/embedding-model.ts";
import { adapterName, type DeviceChoice, isSoftwareAdapter, WEBLLM_LIMITS } from "../engine-api/gpu.ts";
import { findAdapter, type GPUFault } from "../engine-api/gpu-adapter.ts";
import { hasMemory64 } from "../engine-api/wasm-features.ts";
import { chooseEngine, gpuFaultOf } from "../engines/chat/choose-engine.ts";
import { llamaCppFault } from "../engines/chat/llamacpp-device.ts";

const BY_OPTIONS = "its options say so";
const NO_GPU_BUILD = "no build for WebGPU";

export interface SupportServices {
  catalog: Catalog;
  /** Models served by the upstream. */
  forwarded: readonly string[];
  /** The option `embeddings.device`. */
  embeddingDevice: DeviceChoice;
  /** The option `llamacpp.device`. */
  llamacppDevice?: DeviceChoice | undefined;
}

export async function reportSupport(services: SupportServices): Promise<SupportReport> {
  const found = await findAdapter();
  const isSoftware = !("reason" in found) && isSoftwareAdapter(found);
  const forwarded = new Set(services.forwarded);
  const here = services.catalog.list().filter(({ id }) => !forwarded.has(id));
  return {
    webgpu: describeGPU(found, isSoftware),
    wasm: describeWasm(),
    storage: {
      privateFiles: typeof navigator.storage?.getDirectory === "function",
      estimate: typeof navigator.storage?.estimate === "function",
    },
    models: [
      ...here.map((model) => supportOf(model, found, isSoftware, services)),
      ...services.forwarded.map((id) => ({ id, engine: "upstream" as const, device: null, reason: null })),
    ],
  };
}

function describeGPU(found: GPUAdapter | GPUFault, isSoftware: boolean): SupportReport["webgpu"] {
  if ("reason" in found)
    return { available: false, reason: found.reason, adapter: null, isSoftware, features: [], limits: {} };
  const limitOf = (name: string): number => found.limits[name as keyof GPUSupportedLimits] as number;
  return {
    available: true,
    reason: null,
    adapter: adapterName(found),
    isSoftware,
    features: [...found.features].sort(),
    limits: Object.fromEntries(Object.keys(WEBLLM_LIMITS).map((name) => [name, limitOf(name)])),
  };
}

function describeWasm(): SupportReport["wasm"] {
  return {
    available: typeof WebAssembly === "object",
    memory64: hasMemory64(),
    threads: globalThis.crossOriginIsolated === true && typeof SharedArrayBuffer === "function",
    cores: navigator.hardwareConcurrency ?? 1,
  };
}

function supportOf(
  model: CatalogRecord,
  found: GPUAdapter | GPUFault,
  isSoftware: boolean,
  { embeddingDevice, llamacppDevice }: SupportServices,
): ModelSupport {
  if (model.isUnread) {
    const reason = `its manifest has not been read: GET /v1/models/${encodeURIComponent(model.id)} reads it`;
    return { id: model.id, engine: null, device: null, reason };
  }
  if (model.kind === "chat") return chatSupport(model, found, llamacppDevice);
  if (model.embedding.gguf) return { id: model.id, engine: "llamacpp", device: "wasm", reason: NO_GPU_BUILD };
  const reason = embeddingFault(model.embedding, found, isSoftware, embeddingDevice);
  return { id: model.id, engine: "transformers", device: reason === null ? "webgpu" : "wasm", reason };
}

/** Why an embedding model runs in WebAssembly; null if it runs on WebGPU. */
function embeddingFault(
  { dtypes }: EmbeddingModel,
  found: GPUAdapter | GPUFault,
  isSoftware: boolean,
  device: DeviceChoice,
): string | null {
  if ("reason" in found) return found.reason;
  if (device === "wasm") return BY_OPTIONS;
  if (dtypes.webgpu.length === 0) return NO_GPU_BUILD;
  return device === "auto" && isSoftware ? "WebGPU on the processor" : null;
}

function chatSupport(
  listed: ChatModelRecord,
  found: GPUAdapter | GPUFault,
  llamacppDevice: DeviceChoice | undefined,
): ModelSupport {
  const model = forDevice(listed, found);
  const { id } = model;
  const gpuFault = gpuFaultOf(model, found);
  try {
    const engine = chooseEngine(model, { gpuFault, losses: 0 });
    const { insteadBecause = null } = model.builds.webllm ?? {};
    if (engine === "webllm") return { id, engine, device: "webgpu", reason: insteadBecause };
    const llamaFault = llamaCppFault(found, llamacppDevice);
    if (llamaFault && llamacppDevice === "webgpu")
      return { id, engine: null, device: null, reason: llamaFault.reason };
    const device = llamaFault ? "wasm" : "webgpu";
    return { id, engine, device, reason: whyLlamaCpp(model, gpuFault, llamaFault) };
  } catch (error) {
    return { id, engine: null, device: null, reason: gpuFault?.reason ?? (error as Error).message };
  }
}

/** Why web-llm does not run a model, or why llama.cpp computes in WebAssembly. */
function whyLlamaCpp(
  { engine, builds }: ChatModelRecord,
  gpuFault: GPUFault | undefined,
  llamaFault: GPUFault | undefined,
): string | null {
  if (engine) return BY_OPTIONS;
  return (builds.webllm ? gpuFault : llamaFault)?.reason ?? null;
}
