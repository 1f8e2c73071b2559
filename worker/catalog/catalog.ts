import type { GPUFault } from "../engine-api/gpu-adapter.ts";
import { forDevice } from "./chat/device-build.ts";
import type { CatalogRecord } from "./model-record.ts";

/** The dynamic parts of a catalogue. */
export interface CatalogSources {
  /** The current deployments. */
  deployments(): readonly CatalogRecord[];
  /** The record of a hub model that an engine here can run. */
  fromHub(name: string, file?: string): CatalogRecord | undefined;
  /** Reads the deployments again if they could not be read yet. Never rejects. */
  retry(): Promise<void>;
  /** Reads a model of the options. @throws {EngineError} */
  readOwn(id: string): Promise<CatalogRecord>;
  /** The graphics card, which decides between builds; undefined: each model's first build. */
  adapter(): Promise<GPUAdapter | GPUFault | undefined>;
}

const NO_SOURCES: CatalogSources = {
  deployments: () => [],
  retry: () => Promise.resolve(),
  fromHub: () => undefined,
  readOwn: () => Promise.reject(new Error("There are no models to read.")),
  adapter: () => Promise.resolve(undefined),
};

/** The models that requests may name. */
export class Catalog {
  readonly #models: Map<string, CatalogRecord>;
  readonly #sources: CatalogSources;

  constructor(models: readonly CatalogRecord[], sources: Partial<CatalogSources> = {}) {
    this.#models = new Map(models.map((model) => [model.id, model]));
    this.#sources = { ...NO_SOURCES, ...sources };
  }

  /** The catalogue's own models, then the deployments. */
  list(): CatalogRecord[] {
    return [...this.#models.values(), ...this.#sources.deployments()];
  }

  /** Reads the deployments again if they could not be read yet. Never rejects. */
  retry(): Promise<void> {
    return this.#sources.retry();
  }

  /** The model or deployment with that id. */
  find(id: string): CatalogRecord | undefined {
    return this.#models.get(id) ?? this.#sources.deployments().find((model) => model.id === id);
  }

  /**
   * The same model with everything that is known before loading, in the build for this device.
   *
   * @throws {EngineError} if its manifest cannot be read
   */
  async complete(record: CatalogRecord): Promise<CatalogRecord> {
    if (!record.isUnread) return this.onDevice(record);
    const own = await this.#sources.readOwn(record.deployment?.model ?? record.id);
    this.#models.set(own.id, own);
    return this.find(record.id) ?? own;
  }

  /** The same model with the build that this device's graphics card can run. */
  async onDevice(record: CatalogRecord): Promise<CatalogRecord> {
    if (record.kind === "embedding" || !record.withoutF16) return record;
    const found = await this.#sources.adapter();
    return found ? forDevice(record, found) : record;
  }

  /** An unlisted hub model: `<org>/<model>`. */
  fromHub(name: string): CatalogRecord | undefined {
    return this.#sources.fromHub(name);
  }

  /** A deployable model: from the catalogue or the hub; with `file`, one of its GGUF files. */
  base(name: string, file?: string): CatalogRecord | undefined {
    const listed = file === undefined ? this.#models.get(name) : undefined;
    return listed ?? this.#sources.fromHub(name, file);
  }
}
