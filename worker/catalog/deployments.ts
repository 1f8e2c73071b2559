/** The deployments of this origin: what the store keeps, as records that requests can run on. */

import type { Deployment } from "../../src/protocol/deployments.ts";
import type { ChatBuilds, ChatEngineName } from "../engines/types.ts";
import type { DeploymentStore } from "./deployment-store.ts";
import type { CatalogRecord } from "./model-record.ts";

/** The model that a deployment is of, by its name and, for GGUF, its file. */
export type FindBase = (model: string, file?: string) => CatalogRecord | undefined;

export class Deployments {
  readonly #store: DeploymentStore;
  readonly #kept = new Map<string, Deployment>();
  readonly #records = new Map<string, CatalogRecord>();

  private constructor(store: DeploymentStore) {
    this.#store = store;
  }

  /** Reads what is kept. A deployment of a model that is no longer known stays, but nothing runs on it. */
  static async open(store: DeploymentStore, findBase: FindBase): Promise<Deployments> {
    const deployments = new Deployments(store);
    for (const deployment of await store.all()) {
      const base = findBase(deployment.model, deployment.file ?? undefined);
      deployments.#kept.set(deployment.name, deployment);
      if (base) deployments.#records.set(deployment.name, toRecord(base, deployment));
    }
    return deployments;
  }

  list(): Deployment[] {
    return [...this.#kept.values()].sort((a, b) => a.created - b.created);
  }

  get(name: string): Deployment | undefined {
    return this.#kept.get(name);
  }

  records(): CatalogRecord[] {
    return [...this.#records.values()];
  }

  /** Resolves once it is kept. @throws what the store throws: then it does not exist */
  async add(deployment: Deployment, base: CatalogRecord): Promise<CatalogRecord> {
    await this.#store.put(deployment);
    const record = toRecord(base, deployment);
    this.#kept.set(deployment.name, deployment);
    this.#records.set(deployment.name, record);
    return record;
  }

  /** From the call on it is unknown; resolves once the store has forgotten it too. */
  async remove(name: string): Promise<CatalogRecord | undefined> {
    const record = this.#records.get(name);
    this.#records.delete(name);
    this.#kept.delete(name);
    await this.#store.delete(name);
    return record;
  }
}

/** The model under the deployment's name, with an engine of its own: settings and memory are not shared. */
function toRecord(base: CatalogRecord, deployment: Deployment): CatalogRecord {
  const { name, model, created, keepLoaded, contextWindow, engine } = deployment;
  const head = { id: name, created, keepLoaded, baseModel: base.baseModel ?? base.id, deployment: { model } };
  if (base.kind === "embedding") {
    const embedding = {
      ...base.embedding,
      id: name,
      // The files are the model's, not the deployment's: they are downloaded once.
      cacheId: base.embedding.cacheId ?? base.embedding.id,
      keepLoaded,
      ...(contextWindow === null ? {} : { maxTokens: contextWindow }),
    };
    return { ...base, ...head, contextWindow: contextWindow ?? base.contextWindow, embedding };
  }
  const tokens = contextWindow ?? base.contextWindow;
  return {
    ...base,
    ...head,
    contextWindow: tokens,
    builds: withContext(base.builds, tokens),
    ...(engine ? { engine: engine as ChatEngineName } : {}),
  };
}

function withContext(builds: ChatBuilds, tokens: number): ChatBuilds {
  const { webllm } = builds;
  if (!webllm) return builds;
  return {
    ...builds,
    webllm: { ...webllm, overrides: { ...webllm.overrides, context_window_size: tokens } },
  };
}
