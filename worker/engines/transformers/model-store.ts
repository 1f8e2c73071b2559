/**
 * Serves the files of an embedding model to transformers.js from the browser's cache, or downloads and verifies them.
 * Replaces the library's own cache, which would also store the HTML page that some servers send for a missing file.
 */

import { MissingFileError } from "../../model-store/download.ts";
import type { StoreEnvironment } from "../../model-store/environment.ts";
import { type FetchModelFileOptions, fetchModelFile } from "../../model-store/fetch-model-file.ts";
import { EngineError } from "../api/engine-error.ts";
import type { EmbeddingModel, LoadProgress } from "../api/types.ts";

export const EMBEDDING_CACHE = "infetch/transformers";
/** Fraction of the load progress assigned to the download. */
const DOWNLOAD_SHARE = 0.8;

type StoredModel = Pick<
  EmbeddingModel,
  "id" | "cacheId" | "sourceURL" | "hub" | "version" | "known" | "isSealed"
>;

export class ModelStore {
  readonly #model: StoredModel;
  readonly #onProgress: (progress: LoadProgress) => void;
  readonly #environment: StoreEnvironment | undefined;
  readonly #storeLater: FetchModelFileOptions["storeLater"];
  /** Loaded bytes by file: the library fetches several files in parallel, and some twice. */
  readonly #loaded = new Map<string, number>();
  /** Names of requested files that the model does not have. */
  readonly #absent = new Set<string>();
  #failure: unknown;
  #totalBytes: number;

  /**
   * @param expectedBytes total size of the files that the load needs, as far as known
   * @param storeLater as for {@link fetchModelFile}
   */
  constructor(
    model: StoredModel,
    expectedBytes: number,
    onProgress: (progress: LoadProgress) => void,
    environment?: StoreEnvironment,
    storeLater?: FetchModelFileOptions["storeLater"],
  ) {
    this.#model = model;
    this.#environment = environment;
    this.#storeLater = storeLater;
    this.#totalBytes = expectedBytes;
    this.#onProgress = onProgress;
  }

  /**
   * Returns one file, or a 404 response if the model does not have it.
   *
   * @throws {EngineError} `model_download_failed`
   */
  async fetch(name: string): Promise<Response> {
    try {
      const response = await this.#find(name);
      if (!response.ok) this.#absent.add(name);
      return response;
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  /** The cause behind a library error: a failed fetch or a missing file named in the message. */
  explain(error: unknown): unknown {
    const name = [...this.#absent].find((one) => String(error).includes(`/${one}"`));
    return this.#failure ?? (name === undefined ? error : this.absent(name));
  }

  /** The error for a missing required file. */
  absent(name: string): EngineError {
    const message = `${this.#model.id} has no ${name}: ${this.addressOf(name)} was not found.`;
    return new EngineError("model_load_failed", message);
  }

  async #find(name: string): Promise<Response> {
    const file = this.#model.known.find((one) => one.name === name);
    if (!file && this.#model.isSealed) return new Response(null, { status: 404 });
    const url = this.addressOf(name);
    const blob = await fetchModelFile(
      {
        url,
        cache: EMBEDDING_CACHE,
        key: embeddingKey(this.#model, name),
        file: file ?? { name, bytes: 0 },
        hub: this.#model.hub,
      },
      {
        ...(this.#environment ? { environment: this.#environment } : {}),
        // If storage is full or forbidden, the model still works but is downloaded again next time.
        mayStayUnstored: true,
        storeLater: this.#storeLater,
        onLoaded: (bytes) => {
          this.#loaded.set(name, bytes);
          this.#report();
        },
        onSize: (bytes) => {
          this.#totalBytes += bytes;
        },
      },
    );
    if (!blob && file) throw MissingFileError.at(url);
    if (!blob) return new Response(null, { status: 404 });
    return new Response(blob, { headers: { "content-length": String(blob.size) } });
  }

  addressOf(name: string): string {
    return new URL(name, this.#model.sourceURL).href;
  }

  /** Whether the model may have a file with such a name: false if its list of files is complete and has none. */
  mayHave(name: RegExp): boolean {
    const { isSealed, known } = this.#model;
    return !isSealed || known.some((file) => name.test(file.name));
  }

  /** The parsed JSON of a file, or undefined if the model does not have it. */
  async json(name: string): Promise<unknown> {
    const response = await this.fetch(name);
    return response.ok ? response.json() : undefined;
  }

  /** Reports that all files are loaded and the engine compiles. */
  reportCompile(): void {
    const bytes = this.loadedBytes;
    this.#onProgress({ phase: "compile", loadedBytes: bytes, totalBytes: bytes, fraction: DOWNLOAD_SHARE });
  }

  /** Size of all files loaded so far. */
  get loadedBytes(): number {
    return [...this.#loaded.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  #report(): void {
    const loadedBytes = this.loadedBytes;
    const totalBytes = Math.max(this.#totalBytes, loadedBytes);
    const fraction = totalBytes === 0 ? 0 : DOWNLOAD_SHARE * (loadedBytes / totalBytes);
    this.#onProgress({ phase: "download", loadedBytes, totalBytes, fraction });
  }
}

/** The cache key of one file of one model version. */
export function embeddingKey(
  { id, cacheId = id, version }: Pick<EmbeddingModel, "id" | "cacheId" | "version">,
  name: string,
): string {
  return `https://infetch.invalid/${cacheId}/${version}/${name}`;
}
