import type { CatalogRecord } from "./model-record.ts";

/** The models that requests may name. */
export class Catalog {
  readonly #models: ReadonlyMap<string, CatalogRecord>;

  constructor(models: readonly CatalogRecord[]) {
    this.#models = new Map(models.map((model) => [model.id, model]));
  }

  list(): CatalogRecord[] {
    return [...this.#models.values()];
  }

  find(id: string): CatalogRecord | undefined {
    return this.#models.get(id);
  }
}
