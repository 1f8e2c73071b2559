import { env } from "@huggingface/transformers";

/** Has transformers.js find models and its own files beside the package, and nowhere else. @param assetsURL its folder */
export function useLocalModels(assetsURL: string): void {
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.useBrowserCache = false;
  // The library would import its loader from a blob: address, which the strict policy of the page forbids.
  env.useWasmCache = false;
  // A path, not an address: those it takes for remote, and then finds no tokenizer.
  env.localModelPath = new URL("models/", assetsURL).pathname;
  const build = new URL("ort/ort-wasm-simd-threaded", assetsURL).href;
  env.backends.onnx.wasm!.wasmPaths = { mjs: `${build}.mjs`, wasm: `${build}.wasm` };
  env.backends.onnx.wasm!.numThreads = 1;
}
