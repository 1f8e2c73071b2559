import type { StoredFile } from "../../../model-store/cache/store-file.ts";
import { type FetchModelFileOptions, fetchModelFiles } from "../../../model-store/fetch-model-file.ts";
import { readJson } from "./read-files.ts";

/** The files of a model that were fetched so far. */
export class FetchedFiles {
  readonly #options: FetchModelFileOptions;
  readonly #files: [StoredFile, Blob][] = [];

  constructor(options: FetchModelFileOptions) {
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
    return this.#files.find(([{ file }]) => file.name === name)?.[1];
  }

  /** @throws {EngineError} as {@link readJson} */
  async json(name: string): Promise<Record<string, unknown> | undefined> {
    const blob = this.find(name);
    return blob && readJson(name, blob);
  }
}
