/**
 * Brings the files of an embedding model to transformers.js: from the browser's cache if they are there and
 * whole, else from their source, checked before they are kept. The library's own cache would also keep the
 * page that some servers send in place of a missing file.
 */

import { EngineError } from "../engine-error.ts";
import type { EmbeddingModel, LoadProgress } from "../types.ts";

const CACHE = "infetch/transformers";
/** Part of the whole load that the progress bar gives to the download. */
const DOWNLOAD_SHARE = 0.8;

type StoredModel = Pick<EmbeddingModel, "id" | "sourceURL" | "version" | "known">;

export class ModelStore {
  readonly #model: StoredModel;
  readonly #onProgress: (progress: LoadProgress) => void;
  #loadedBytes = 0;
  #failure: unknown;
  #totalBytes: number;

  /** @param expectedBytes of all files that the load will need, as far as they are known */
  constructor(model: StoredModel, expectedBytes: number, onProgress: (progress: LoadProgress) => void) {
    this.#model = model;
    this.#totalBytes = expectedBytes;
    this.#onProgress = onProgress;
  }

  /**
   * One file, or a 404 where the model has none of that name.
   *
   * @throws {EngineError} `model_download_failed`
   */
  async fetch(name: string): Promise<Response> {
    try {
      return await this.#find(name);
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  /** What the last fetch that failed has thrown. */
  get failure(): unknown {
    return this.#failure;
  }

  async #find(name: string): Promise<Response> {
    const cache = await openCache();
    const key = `https://infetch.invalid/${this.#model.id}/${this.#model.version}/${name}`;
    const cached = await cache?.match(key);
    if (cached) {
      const bytes = await cached.arrayBuffer();
      if (await this.#isWhole(name, bytes)) {
        this.#report(bytes.byteLength);
        return answer(bytes);
      }
      await cache?.delete(key);
    }
    const bytes = await this.#download(name);
    if (!bytes) return new Response(null, { status: 404 });
    if (!(await this.#isWhole(name, bytes))) {
      throw failed(name, "its size or hash is not the one that was published with the model");
    }
    // Where storage is full or forbidden the model still works, it only has to come again the next time.
    await cache?.put(key, answer(bytes)).catch(() => {});
    return answer(bytes);
  }

  /** The JSON of a file, or undefined where the model has none of that name. */
  async json(name: string): Promise<unknown> {
    const response = await this.fetch(name);
    return response.ok ? response.json() : undefined;
  }

  /** Files are in place: what follows is the engine's own work. */
  reportCompile(): void {
    const bytes = this.#loadedBytes;
    this.#onProgress({ phase: "compile", loadedBytes: bytes, totalBytes: bytes, fraction: DOWNLOAD_SHARE });
  }

  async #download(name: string): Promise<ArrayBuffer | undefined> {
    let response: Response;
    try {
      response = await fetch(new URL(name, this.#model.sourceURL));
    } catch (error) {
      throw failed(name, "the server could not be reached", error);
    }
    const isPage = response.headers.get("content-type")?.startsWith("text/html");
    if (response.status === 404 || (response.ok && isPage)) {
      await response.body?.cancel();
      return undefined;
    }
    if (!response.ok || !response.body) throw failed(name, `the server answered ${response.status}`);
    if (!this.#model.known.some((file) => file.name === name)) {
      this.#totalBytes += Number(response.headers.get("content-length") ?? 0);
    }
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    const reader = response.body.getReader();
    try {
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        chunks.push(part.value);
        this.#report(part.value.byteLength);
      }
    } catch (error) {
      throw failed(name, "the connection broke off", error);
    }
    return new Blob(chunks).arrayBuffer();
  }

  #report(bytes: number): void {
    this.#loadedBytes += bytes;
    const totalBytes = Math.max(this.#totalBytes, this.#loadedBytes);
    const fraction = DOWNLOAD_SHARE * (this.#loadedBytes / totalBytes);
    this.#onProgress({ phase: "download", loadedBytes: this.#loadedBytes, totalBytes, fraction });
  }

  async #isWhole(name: string, bytes: ArrayBuffer): Promise<boolean> {
    const file = this.#model.known.find((one) => one.name === name);
    if (!file) return true;
    if (bytes.byteLength !== file.bytes) return false;
    if (!file.sha256) return true;
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("") === file.sha256;
  }
}

/** Undefined where the page may not store anything. */
async function openCache(): Promise<Cache | undefined> {
  try {
    return await caches.open(CACHE);
  } catch {
    return undefined;
  }
}

function answer(bytes: ArrayBuffer): Response {
  return new Response(bytes, { headers: { "content-length": String(bytes.byteLength) } });
}

function failed(name: string, why: string, cause?: unknown): EngineError {
  return new EngineError(
    "model_download_failed",
    `The model file ${name} could not be loaded: ${why}. Send the request again to retry.`,
    { cause },
  );
}
