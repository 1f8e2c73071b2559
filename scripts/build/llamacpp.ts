/**
 * Lays out llama.cpp's files for `worker-src 'self'`. wllama stores its worker script as text and starts it from a
 * `blob:` URL; each build writes that text to plain files. The compiled code is wllama's, except for the token counts
 * of penalties (`llamacpp-penalties.ts`) and invalid UTF-8 (`llamacpp-text.ts`).
 */

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { LLAMA_CPP_WORKER_CODE, WLLAMA_EMSCRIPTEN_CODE } from "@wllama/wllama/src/workers-code/generated.ts";
import { transform } from "esbuild";
import { COMPAT_CODE, MAIN_CODE, patchPenalties } from "./llamacpp-penalties.ts";
import { COMPAT_TEXT, MAIN_TEXT, patchText } from "./llamacpp-text.ts";

/** The main build requires JSPI and 64-bit memory; the compat build does not, at less than half the speed. */
export async function copyLlamaCpp(target: string): Promise<void> {
  const main = dirname(fileURLToPath(import.meta.resolve("@wllama/wllama/esm/wasm/wllama.wasm")));
  const compat = dirname(fileURLToPath(import.meta.resolve("@wllama/wllama-compat/wasm/wllama.wasm")));
  await writeBuild(target, resolve(main, "wllama.wasm"), WLLAMA_EMSCRIPTEN_CODE, false);
  const script = await readFile(resolve(compat, "wllama.js"), "utf8");
  await writeBuild(resolve(target, "compat"), resolve(compat, "wllama.wasm"), script, true);
}

async function writeBuild(folder: string, wasm: string, emscripten: string, compat: boolean): Promise<void> {
  await mkdir(folder, { recursive: true });
  const text = patchText(await readFile(wasm), compat ? COMPAT_TEXT : MAIN_TEXT);
  const patched = patchPenalties(text, compat ? COMPAT_CODE : MAIN_CODE);
  await writeFile(resolve(folder, "wllama.wasm"), patched);
  const module = STAND_IN_FOR_JSPI + replaceOnce(emscripten, ...REFUSED_MEMORY);
  await writeFile(resolve(folder, "thread.js"), NO_WEBGPU + module);
  await writeFile(
    resolve(folder, "worker.js"),
    workerScript((await policyScript()) + (await gpuScript()), module, compat),
  );
}

/** The script that wllama assembles at run time (`ProxyToWorker.moduleInit`), with files instead of blobs. */
function workerScript(before: string, module: string, compat: boolean): string {
  const options =
    `const ADDRESS = new URL(self.location.href);\n` +
    // Not in the query: a service worker caches the file under its URL without one.
    `const START = JSON.parse(self.name);\n` +
    // The engine is granted this lock when the worker is gone.
    `navigator.locks.request(START.lock, () => {\n` +
    `  postMessage({ verb: "infetch.holds-lock" });\n  return new Promise(() => {});\n});\n` +
    `const RUN_OPTIONS = { pathConfig: { "wllama.wasm": new URL("wllama.wasm", ADDRESS).href }, ` +
    `nbThread: START.threads, compat: ${compat} }`;
  return [
    options,
    before,
    `function wModuleInit() { ${replaceOnce(module, "var Module", "var ___Module")}; return Module; }`,
    WORKER_EDITS.reduce((text, edit) => replaceOnce(text, ...edit), LLAMA_CPP_WORKER_CODE),
  ].join(";\n\n");
}

/**
 * If C++ throws, the first four bytes of the request ("GLUE") are not overwritten. wllama then reads them as the
 * response length, 1.1 GB: an error that differs by browser, or none if memory is that large.
 */
const GLUE = 0x45554c47;

const WORKER_EDITS: readonly [found: string, replacement: string][] = [
  ["const argMainScriptBlob = args[0];", 'const argMainScriptBlob = new URL("thread.js", ADDRESS).href;'],
  [
    "const outputBuffer = new Uint8Array(outputLen);",
    `if (outputLen === ${GLUE}) throw new Error("llama.cpp threw an exception and returned nothing");\n    const outputBuffer = new Uint8Array(outputLen);`,
  ],
];

/**
 * Reports memory that the browser refuses, as phones do. wllama would go on with address 0: it writes files and requests
 * there, and takes a C++ exception for an unreadable model or a lost answer.
 */
const REFUSED_MEMORY: [found: string, replacement: string] = [
  "if(replacement){return true}}return false}",
  "if(replacement){return true}}" +
    'if(!ENVIRONMENT_IS_PTHREAD)postMessage({verb:"infetch.failed",code:"out_of_memory",' +
    'reason:"the browser gives WebAssembly no more than "+(oldSize/1048576|0)+" MB of memory. Close other tabs, ' +
    'or use a smaller contextWindow or model"});return false}',
];

/** A module of this repository as a global variable. */
async function asScript(path: string, globalName: string): Promise<string> {
  const source = await readFile(resolve(import.meta.dirname, "../..", path), "utf8");
  return (await transform(source, { loader: "ts", format: "iife", globalName, minify: true })).code;
}

/** Lets the worker start its threads where Trusted Types are required. */
async function policyScript(): Promise<string> {
  return `${await asScript("src/protocol/assets/trusted-types.ts", "TYPES")}TYPES.allowOwnWorkers();\n`;
}

/** Reports the WebGPU device and its failures, or keeps llama.cpp from asking for one. */
async function gpuScript(): Promise<string> {
  const code = await asScript("worker/engine-api/watch-devices.ts", "DEVICES");
  return (
    `if (!START.onGPU) { ${NO_WEBGPU} } else {\n${code}` +
    `DEVICES.watchDevices((code, reason) => postMessage({ verb: "infetch.failed", code, reason }));\n` +
    `const { requestDevice } = GPUAdapter.prototype;\n` +
    `GPUAdapter.prototype.requestDevice = async function (...values) {\n` +
    `  const tell = (refusal) => postMessage({ verb: "infetch.device", refusal });\n` +
    `  const asked = requestDevice.apply(this, values);\n` +
    `  asked.then(() => tell(), (error) => tell(String(error?.message || error)));\n` +
    `  return asked;\n};\n}`
  );
}

/** Without this, llama.cpp takes every adapter, and aborts on one without `shader-f16`. */
const NO_WEBGPU =
  'try{Object.defineProperty(WorkerNavigator.prototype,"gpu",{get:()=>({requestAdapter:async()=>null})})}catch{}';

/** Without JSPI, files are in memory and nothing suspends, so the wrappers can be no-ops. */
const STAND_IN_FOR_JSPI =
  "if(!WebAssembly.Suspending){WebAssembly.Suspending=function(call){return call};" +
  "WebAssembly.promising=(call)=>async(...values)=>call(...values)}";

/** @throws if wllama's text differs, as in another version */
function replaceOnce(text: string, found: string, replacement: string): string {
  const parts = text.split(found);
  if (parts.length < 2) throw new Error(`wllama's worker has no "${found}" any more.`);
  return parts[0]! + replacement + parts.slice(1).join(found);
}
