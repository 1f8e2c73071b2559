import { EngineError } from "../engine-error.ts";
import type { GgufFiles, LoadProgress } from "../types.ts";
import { requireParts } from "./plan-memory.ts";

const CACHE = "infetch/gguf";
/** Part of the whole load that the progress bar gives to the download. */
const DOWNLOAD_SHARE = 0.9;

/** @throws {EngineError} `model_download_failed`, or `out_of_memory` before the first byte */
export async function bringGguf(
  files: GgufFiles,
  onProgress: (progress: LoadProgress) => void,
): Promise<Blob[]> {
  requireParts(files.parts.map(({ bytes }) => bytes));
  const totalBytes = files.parts.reduce((sum, part) => sum + part.bytes, 0);
  const cache = await caches.open(CACHE);
  const blobs: Blob[] = [];
  let loadedBytes = 0;
  for (const part of files.parts) {
    const key = files.cacheURL + part.name;
    let response = await cache.match(key);
    if (!response) {
      response = await fetch(new URL(part.name, files.sourceURL));
      if (!response.ok)
        throw new EngineError("model_download_failed", `The server answered ${response.status}.`);
      await cache.put(key, response.clone());
    }
    const blob = await response.blob();
    loadedBytes += blob.size;
    onProgress({
      phase: "download",
      loadedBytes,
      totalBytes,
      fraction: (loadedBytes / Math.max(1, totalBytes)) * DOWNLOAD_SHARE,
    });
    blobs.push(blob);
  }
  onProgress({ phase: "compile", loadedBytes, totalBytes, fraction: DOWNLOAD_SHARE });
  return blobs;
}
