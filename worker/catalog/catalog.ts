import type { ModelRecord } from "./model-record.ts";

/** The models that requests may name. */
export class Catalog {
  readonly #models: ReadonlyMap<string, ModelRecord>;

  constructor(models: readonly ModelRecord[]) {
    this.#models = new Map(models.map((model) => [model.id, model]));
  }

  list(): ModelRecord[] {
    return [...this.#models.values()];
  }

  find(id: string): ModelRecord | undefined {
    return this.#models.get(id);
  }
}
