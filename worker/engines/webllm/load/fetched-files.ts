import type { StoredFile } from "../../../model-store/cache/store-file.ts";
import type { StoreEnvironment } from "../../../model-store/environment.ts";
import { type FetchModelFileOptions, fetchModelFiles } from "../../../model-store/fetch-model-file.ts";
import { discardUnreadable } from "../../../model-store/maintenance.ts";
import { readJson } from "./read-files.ts";

type Options = FetchModelFileOptions & { environment: StoreEnvironment };

/** The files of a model that were fetched so far. */
export class FetchedFiles {
  readonly #options: Options;
  readonly #files: [StoredFile, Blob][] = [];

  constructor(options: Options) {
    this.#options = options;
  }

  /** All of them, in the order of their downloads. */
  get all(): readonly (readonly [StoredFile, Blob])[] {
    return this.#files;
  }

  get bytes(): number {
    return this.#files.reduce((sum, [, { size }]) => sum + size, 0);
  }

  /** @throws as {@link fetchModelFiles} */
  async fetch(
    files: readonly StoredFile[],
    onProgress: (loadedBytes: number, totalBytes: number) => void = () => {},
  ): Promise<void> {
    const blobs = await fetchModelFiles(files, { ...this.#options, onProgress });
    for (const [at, file] of files.entries()) this.#files.push([file, blobs[at]!]);
  }

  find(name: string): Blob | undefined {
    return this.#entry(name)?.[1];
  }

  /** @throws {EngineError} as {@link readJson} */
  json(name: string): Promise<Record<string, unknown> | undefined> {
    return this.read(name, (blob) => readJson(name, blob));
  }

  /**
   * Reads a file, if there is one of that name.
   *
   * @throws what `read` throws; the next load then fetches the file again, unless it is the published one
   */
  async read<T>(name: string, read: (file: Blob) => Promise<T>): Promise<T | undefined> {
    const [stored, blob] = this.#entry(name) ?? [];
    if (!stored || !blob) return undefined;
    try {
      return await read(blob);
    } catch (error) {
      const { environment, storeLater } = this.#options;
      // Otherwise what is stored is an earlier one.
      if (!storeLater) await discardUnreadable(stored, environment);
      throw error;
    }
  }

  #entry(name: string): [StoredFile, Blob] | undefined {
    return this.#files.find(([{ file }]) => file.name === name);
  }
}
