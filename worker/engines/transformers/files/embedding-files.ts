/**
 * Serves the files of an embedding model to transformers.js from the browser's cache, or downloads and verifies them.
 * Replaces the library's own cache, which would also store the HTML page that some servers send for a missing file.
 */

import type { EmbeddingModel } from "../../../engine-api/embedding-model.ts";
import { EngineError, type EngineErrorCode } from "../../../engine-api/engine-error.ts";
import { fileAddress } from "../../../engine-api/file-name.ts";
import type { LoadProgress } from "../../../engine-api/load-progress.ts";
import type { StoredFile } from "../../../model-store/cache/store-file.ts";
import { openCache } from "../../../model-store/cache/watched-cache.ts";
import { MissingFileError } from "../../../model-store/download-errors.ts";
import { browserEnvironment, type StoreEnvironment } from "../../../model-store/environment.ts";
import { type FetchModelFileOptions, fetchModelFile } from "../../../model-store/fetch-model-file.ts";
import { AbsentFiles } from "./absent-files.ts";
import { dtypesAmong, isPartOf, weightsFile } from "./weights-files.ts";

export const EMBEDDING_CACHE = "infetch/transformers";
/** Fraction of the load progress assigned to the download. */
const DOWNLOAD_SHARE = 0.8;

/** The fields of a model that say where its files are. */
export type EmbeddingSource = Pick<
  EmbeddingModel,
  "id" | "cacheId" | "sourceURL" | "hub" | "version" | "known" | "isSealed"
> &
  Partial<Pick<EmbeddingModel, "dtypes">>;

interface EmbeddingFilesOptions extends Pick<FetchModelFileOptions, "environment" | "storeLater"> {
  /** Cache URL prefix of the files. */
  folder: string;
  /** Total size of the files that the load needs, as far as known. */
  expectedBytes: number;
  onProgress: (progress: LoadProgress) => void;
}

export class EmbeddingFiles {
  /** Rejects when a file that has a part of the weights (`onnx/model.onnx_data`) is missing or could not be fetched. */
  readonly lostPart: Promise<never>;
  #losePart: (error: unknown) => void = () => {};
  readonly #model: EmbeddingSource;
  readonly #folder: string;
  readonly #onProgress: (progress: LoadProgress) => void;
  readonly #environment: StoreEnvironment;
  readonly #storeLater: FetchModelFileOptions["storeLater"];
  /** Loaded bytes by file: the library fetches several files in parallel, and some twice. */
  readonly #loaded = new Map<string, number>();
  readonly #notes: AbsentFiles;
  /** Names of requested files that the model does not have. */
  readonly #absent = new Set<string>();
  readonly #provided = new Map<string, string>();
  #failure: unknown;
  #totalBytes: number;
  /** Fetches in progress. */
  #pending = 0;
  #hasWeights = false;

  constructor(
    model: EmbeddingSource,
    {
      folder,
      expectedBytes,
      onProgress,
      environment = browserEnvironment(),
      storeLater,
    }: EmbeddingFilesOptions,
  ) {
    this.#model = model;
    this.#folder = folder;
    this.#environment = environment;
    this.#notes = new AbsentFiles(folder, () => openCache(environment, EMBEDDING_CACHE));
    this.#storeLater = storeLater;
    this.#totalBytes = expectedBytes;
    this.#onProgress = onProgress;
    this.lostPart = new Promise((_, reject) => {
      this.#losePart = reject;
    });
    this.lostPart.catch(() => {});
  }

  /**
   * Returns one file, or a 404 response if the model does not have it.
   *
   * @throws {EngineError} `model_download_failed`
   */
  async fetch(name: string): Promise<Response> {
    this.#pending++;
    const all = this.#weights();
    const isPart = !all.includes(name) && all.some((weights) => isPartOf(weights, name));
    const isWeights = isPart || all.includes(name);
    try {
      const response = await this.#find(name);
      if (!response.ok) {
        this.#absent.add(name);
        if (isPart) this.#losePart(this.absent(name));
      } else if (isWeights) {
        if (!this.#model.isSealed) await this.#notes.note([...this.#absent].filter(isJSON));
        this.#hasWeights = true;
      }
      // The library then creates its session, which a hung GPU process never ends.
      if (this.#hasWeights && this.#pending === 1) this.reportCompile();
      return response;
    } catch (error) {
      this.#failure = error;
      if (isPart) this.#losePart(error);
      throw error;
    } finally {
      this.#pending--;
    }
  }

  /** Serves `text` as a file that the model does not have. */
  provide(name: string, text: string): void {
    this.#provided.set(name, text);
  }

  /** The cause of a library error: a failed fetch or a missing file named in the message. */
  explain(error: unknown): unknown {
    const name = [...this.#absent].find((one) => String(error).includes(`/${one}"`));
    return this.#failure ?? (name === undefined ? error : this.absent(name));
  }

  /** The error for a missing required file. */
  absent(name: string): EngineError {
    const missed = `${this.#model.id} has no ${name}: ${this.addressOf(name)} was not found.`;
    const isWeights = this.#weights().includes(name);
    // Other weights are tried before the hub is asked whether a later commit has these.
    const hasOthers = isWeights && this.#weights().some((one) => this.#has(one));
    const dtypes = isWeights && !hasOthers ? dtypesAmong(this.#model.known).join(", ") : "";
    const remedy = " Set dtypes to one of these, in its entry of the option models or in its manifest.";
    const message = dtypes === "" ? missed : `${missed} Its weights are ${dtypes}.${remedy}`;
    if (!this.#model.hub || hasOthers) return new EngineError("model_load_failed", message);
    return this.missing(name, message, "hub_file_not_found");
  }

  /** An error after which the hub is asked whether a later commit has the file. */
  missing(name: string, message: string, code: EngineErrorCode, options?: { param: string }): EngineError {
    return new MissingFileError(message, this.addressOf(name), code, options);
  }

  /** Paths of the weights that are tried. */
  #weights(): string[] {
    return Object.values(this.#model.dtypes ?? {}).flatMap((dtypes) =>
      dtypes.map((dtype) => weightsFile(dtype, this.#model.known)),
    );
  }

  #has(name: string): boolean {
    return this.#model.known.some((file) => file.name === name);
  }

  async #find(name: string): Promise<Response> {
    const provided = this.#provided.get(name);
    if (provided !== undefined) return new Response(provided);
    const isKnown = this.#known(name) !== undefined;
    if (!isKnown && (this.#model.isSealed || (await this.#notes.isNoted(name))))
      return new Response(null, { status: 404 });
    const blob = await fetchModelFile(this.#stored(name), {
      environment: this.#environment,
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
    });
    if (!blob && isKnown) throw MissingFileError.at(this.addressOf(name));
    if (!blob) return new Response(null, { status: 404 });
    return new Response(blob, { headers: { "content-length": String(blob.size) } });
  }

  /** Where the JSON files that were loaded are stored. */
  get storedJSON(): StoredFile[] {
    return [...this.#loaded.keys()].filter(isJSON).map((name) => this.#stored(name));
  }

  #stored(name: string): StoredFile {
    return {
      url: this.addressOf(name),
      cache: EMBEDDING_CACHE,
      key: fileAddress(this.#folder, name),
      file: this.#known(name) ?? { name, bytes: 0 },
      hub: this.#model.hub,
    };
  }

  #known(name: string): EmbeddingSource["known"][number] | undefined {
    return this.#model.known.find((one) => one.name === name);
  }

  addressOf(name: string): string {
    return fileAddress(this.#model.sourceURL, name);
  }

  /** Files that are known; all that there are if {@link isListed}. */
  get known(): EmbeddingSource["known"] {
    return this.#model.known;
  }

  /** Whether the list of files is complete. */
  get isListed(): boolean {
    return this.#model.isSealed === true;
  }

  /**
   * The parsed JSON of a file, or undefined if the model does not have it.
   *
   * @throws {EngineError} also `model_load_failed` if it is not JSON, or a text or number
   */
  async json(name: string): Promise<object | undefined> {
    const response = await this.fetch(name);
    if (!response.ok) return undefined;
    const unusable = (why: string, cause?: unknown) =>
      new EngineError(
        "model_load_failed",
        `${this.#model.id} cannot be used: its ${name} is ${why} (${this.addressOf(name)}).`,
        { cause },
      );
    const value: unknown = await response.json().catch((cause: unknown) => {
      throw unusable("not valid JSON", cause);
    });
    if (typeof value !== "object" || value === null) throw unusable("no JSON object");
    return value;
  }

  /** Reports that the weights are loaded and the engine compiles. */
  reportCompile(): void {
    this.#report("compile");
  }

  /** Size of all files loaded so far. */
  get loadedBytes(): number {
    return [...this.#loaded.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  #report(phase: LoadProgress["phase"] = "download"): void {
    const { loadedBytes } = this;
    const totalBytes = Math.max(this.#totalBytes, loadedBytes);
    const loaded = phase === "compile" ? 1 : loadedBytes / (totalBytes || 1);
    this.#onProgress({ phase, loadedBytes, totalBytes, fraction: DOWNLOAD_SHARE * loaded });
  }
}

function isJSON(name: string): boolean {
  return name.endsWith(".json");
}
