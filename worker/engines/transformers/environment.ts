/** Configures the library to load nothing from other origins. Call once, before the first session. */

import { env } from "@huggingface/transformers";
import type { EmbeddingDevice } from "../../engine-api/embedding-model.ts";

/** The library's id for this worker's single model. */
export const MODEL_ID = "model";

const LOCAL_PATH = "/";

/** Narrower models run slower with a second thread (measured). */
const HIDDEN_SIZE_FOR_THREADS = 256;

/** URLs of ONNX Runtime's loader and WebAssembly binary. */
export interface RuntimeFiles {
  mjs: string;
  wasm: string;
}

/**
 * The build of ONNX Runtime for a device. Only the larger (asyncify) build supports WebGPU.
 *
 * @param runtimeURL folder of the ONNX Runtime files
 */
export function runtimeFiles(runtimeURL: string, device: EmbeddingDevice): RuntimeFiles {
  const build = `${runtimeURL}ort-wasm-simd-threaded${device === "webgpu" ? ".asyncify" : ""}`;
  return { mjs: `${build}.mjs`, wasm: `${build}.wasm` };
}

/**
 * Configures transformers.js for one model: its files, and ONNX Runtime's.
 *
 * @param hiddenSize width of the model; small ones run on one thread
 * @param fetchFile serves the model's files by their path in the model's folder
 * @returns the number of WASM threads
 * @throws {Error} if ONNX Runtime has no WASM backend
 */
export async function setUpLibrary(
  paths: RuntimeFiles,
  hiddenSize: number,
  fetchFile: (name: string) => Promise<Response>,
): Promise<number> {
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.localModelPath = LOCAL_PATH;
  env.useBrowserCache = false;
  // Otherwise the library imports the loader from a blob: URL, which a strict CSP forbids.
  env.useWasmCache = false;
  env.fetch = (input) => fetchFile(fileName(String(input)));
  const wasm = env.backends.onnx.wasm;
  if (!wasm) throw new Error("ONNX Runtime has no WASM backend.");
  // Without both paths, threads would start from this bundle.
  wasm.wasmPaths = paths;
  wasm.numThreads = await threads(paths.mjs, hiddenSize);
  return wasm.numThreads;
}

function fileName(address: string): string {
  const folder = `${LOCAL_PATH}${MODEL_ID}/`;
  return address.startsWith(folder) ? address.slice(folder.length) : address;
}

/**
 * Threads need shared memory, which requires cross-origin isolation. The loader's own response must also carry the
 * embedder policy, or its threads never start and the load hangs silently.
 */
async function threads(loaderURL: string, hiddenSize: number): Promise<number> {
  if (!globalThis.crossOriginIsolated || hiddenSize < HIDDEN_SIZE_FOR_THREADS) return 1;
  // Not HEAD: service workers that keep the files for offline use answer GET only.
  const loader = await fetch(loaderURL).catch(() => undefined);
  await loader?.arrayBuffer().catch(() => {});
  if (!loader?.headers.has("cross-origin-embedder-policy")) return 1;
  return Math.min(4, Math.ceil(navigator.hardwareConcurrency / 2));
}
