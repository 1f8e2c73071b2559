/**
 * Brings the files of a model into the caches where web-llm looks for them, before web-llm is asked: with
 * progress in bytes, hashes checked, and nothing broken left behind. web-llm itself has none of these
 * (engines.md A8); it then finds every file in place and fetches nothing.
 */

import { EngineError } from "../engine-error.ts";
import type { LoadProgress, ModelFile, ModelFiles } from "../types.ts";

/** The scopes of web-llm's caches (web-llm 0.2.86, `createArtifactCache`). */
const SCOPES = { config: "webllm/config", model: "webllm/model", library: "webllm/wasm" } as const;

const CONFIG_FILE = "mlc-chat-config.json";
const TENSORS_FILE = "tensor-cache.json";

interface Placed {
  source: string;
  key: string;
  scope: string;
  file: ModelFile;
}

/** Addresses under which web-llm finds what was placed. */
export interface PlacedModel {
  modelURL: string;
  libraryURL: string;
  config: Record<string, unknown>;
}

/** @throws {EngineError} `model_download_failed` */
export async function placeModelFiles(
  files: ModelFiles,
  onProgress: (progress: LoadProgress) => void,
  signal?: AbortSignal,
): Promise<PlacedModel> {
  const known = new Map(files.known.map((file) => [file.name, file]));
  const at = (name: string, scope: string, bytes = 0): Placed => ({
    source: new URL(name, files.sourceURL).href,
    key: name === files.library ? libraryKey(files) : files.cacheURL + name,
    scope,
    file: known.get(name) ?? { name, bytes },
  });
  const configText = await place(at(CONFIG_FILE, SCOPES.config), () => {}, signal);
  const tensorsText = await place(at(TENSORS_FILE, SCOPES.model), () => {}, signal);
  const config = JSON.parse(decode(configText)) as Record<string, unknown>;
  const tensors = JSON.parse(decode(tensorsText)) as { records: { dataPath: string; nbytes: number }[] };
  const wanted = [
    at(files.library, SCOPES.library),
    at(tokenizerFile(config), SCOPES.model),
    ...tensors.records.map((record) => at(record.dataPath, SCOPES.model, record.nbytes)),
  ];
  const small = configText.byteLength + tensorsText.byteLength;
  const totalBytes = wanted.reduce((sum, { file }) => sum + file.bytes, small);
  let loadedBytes = small;
  const report = (bytes: number): void => {
    loadedBytes += bytes;
    const fraction = totalBytes === 0 ? 0 : Math.min(1, loadedBytes / totalBytes) * DOWNLOAD_SHARE;
    onProgress({ phase: "download", loadedBytes, totalBytes, fraction });
  };
  report(0);
  for (const placed of wanted) await place(placed, report, signal);
  return { modelURL: files.cacheURL, libraryURL: libraryKey(files), config };
}

/** Part of the whole load that the progress bar gives to the download. */
export const DOWNLOAD_SHARE = 0.8;

/** The library of a version lies beside the folder of its weights. */
function libraryKey(files: ModelFiles): string {
  return new URL("../../model-library.wasm", files.cacheURL).href;
}

function tokenizerFile(config: Record<string, unknown>): string {
  const names = config.tokenizer_files as string[] | undefined;
  return names?.includes("tokenizer.json") ? "tokenizer.json" : "tokenizer.model";
}

/** One file: from the cache if it is there and whole, else from its source, checked before it is stored. */
async function place(
  placed: Placed,
  report: (bytes: number) => void,
  signal: AbortSignal | undefined,
): Promise<ArrayBuffer> {
  const cache = await caches.open(placed.scope);
  const cached = await cache.match(placed.key);
  if (cached) {
    const bytes = await cached.arrayBuffer();
    if (await isWhole(bytes, placed.file)) {
      report(bytes.byteLength);
      return bytes;
    }
    await cache.delete(placed.key);
  }
  const bytes = await download(placed, report, signal);
  if (!(await isWhole(bytes, placed.file))) {
    throw failed(placed, "its size or hash is not the one that was published with the model");
  }
  const type = placed.key.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
  try {
    await cache.put(placed.key, new Response(bytes.slice(0), { headers: { "content-type": type } }));
  } catch (error) {
    throw failed(placed, `it could not be stored (${(error as Error).message})`, error);
  }
  return bytes;
}

async function download(
  placed: Placed,
  report: (bytes: number) => void,
  signal: AbortSignal | undefined,
): Promise<ArrayBuffer> {
  let response: Response;
  try {
    response = await fetch(placed.source, signal ? { signal } : {});
  } catch (error) {
    throw failed(placed, "the server could not be reached", error);
  }
  if (!response.ok || !response.body) throw failed(placed, `the server answered ${response.status}`);
  const chunks: Uint8Array[] = [];
  const reader = response.body.getReader();
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      report(value.byteLength);
    }
  } catch (error) {
    throw failed(placed, "the connection broke off", error);
  }
  return new Blob(chunks as BlobPart[]).arrayBuffer();
}

async function isWhole(bytes: ArrayBuffer, file: ModelFile): Promise<boolean> {
  if (file.bytes > 0 && bytes.byteLength !== file.bytes) return false;
  if (!file.sha256) return true;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("") === file.sha256;
}

function failed(placed: Placed, why: string, cause?: unknown): EngineError {
  return new EngineError(
    "model_download_failed",
    `The model file ${placed.file.name} could not be loaded: ${why}. Send the request again to retry.`,
    { cause },
  );
}

function decode(bytes: ArrayBuffer): string {
  return new TextDecoder().decode(bytes);
}
