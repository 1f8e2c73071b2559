/** The deployments of this origin: stored rows as records that requests can run on. */

import type { Parallel } from "../../../src/protocol/parallel.ts";
import type { ChatEngineName } from "../../engine-api/chat-engine.ts";
import type { EmbeddingModel } from "../../engine-api/embedding-model.ts";
import type { ChatBuilds } from "../../engine-api/model-files.ts";
import type { CatalogRecord } from "../model-record.ts";
import { isValidDeployment } from "./deployment-schema.ts";
import type { DeploymentStore, StoredDeployment } from "./stored-deployment.ts";

/** Finds the model of a deployment by name and, for GGUF, file. */
type FindBase = (model: string, file?: string) => CatalogRecord | undefined;

export class Deployments {
  readonly #store: DeploymentStore;
  readonly #findBase: FindBase;
  #kept = new Map<string, StoredDeployment>();

  private constructor(store: DeploymentStore, findBase: FindBase) {
    this.#store = store;
    this.#findBase = findBase;
  }

  /**
   * Reads the stored deployments, and again whenever another server of the origin changes them.
   *
   * @param onGone called for a deployment that another server deleted or replaced
   */
  static async open(
    store: DeploymentStore,
    findBase: FindBase,
    onGone: (record: CatalogRecord) => void = () => {},
  ): Promise<Deployments> {
    const deployments = new Deployments(store, findBase);
    await deployments.#read();
    store.watch(async () => {
      const before = deployments.list();
      // A failed read is retried at the next change or start.
      await deployments.#read().catch(() => {});
      for (const one of before) {
        // Another one of its name would run on its engine.
        const isSame = JSON.stringify(deployments.get(one.name)) === JSON.stringify(one);
        const record = isSame ? undefined : deployments.#record(one);
        if (record) onGone(record);
      }
    });
    return deployments;
  }

  /** Reads the database again if it could not be read yet. Never rejects. */
  async retry(): Promise<void> {
    if (this.#store.isUnread) await this.#read().catch(() => {});
  }

  async #read(): Promise<void> {
    const valid = (await this.#store.all()).filter(isValidDeployment);
    this.#kept = new Map(valid.map((deployment) => [deployment.name, deployment]));
  }

  list(): StoredDeployment[] {
    return [...this.#kept.values()].sort((a, b) => a.created - b.created);
  }

  get(name: string): StoredDeployment | undefined {
    return this.#kept.get(name);
  }

  /** Omits deployments whose model is no longer known; they stay stored. */
  records(): CatalogRecord[] {
    return this.list().flatMap((deployment) => this.#record(deployment) ?? []);
  }

  /**
   * Resolves once stored; false if it is in memory only, until the database can be read.
   *
   * @throws the store's error: then it does not exist
   */
  async add(deployment: StoredDeployment): Promise<boolean> {
    const isStored = await this.#store.put(deployment);
    this.#kept.set(deployment.name, deployment);
    return isStored;
  }

  /**
   * Takes effect at once; resolves with its record once the store has deleted it.
   *
   * @throws the store's error: then it still exists
   */
  async remove(deployment: StoredDeployment): Promise<CatalogRecord | undefined> {
    this.#kept.delete(deployment.name);
    try {
      await this.#store.delete(deployment.name);
    } catch (error) {
      this.#kept.set(deployment.name, deployment);
      throw error;
    }
    // A read that was under way has brought it back.
    this.#kept.delete(deployment.name);
    return this.#record(deployment);
  }

  #record(deployment: StoredDeployment): CatalogRecord | undefined {
    const base = this.#findBase(deployment.model, deployment.file ?? undefined);
    return base && toRecord(base, deployment);
  }
}

/** The model under the deployment's name, with its own engine: settings and memory are not shared. */
function toRecord(base: CatalogRecord, deployment: StoredDeployment): CatalogRecord {
  const {
    name,
    model,
    created,
    projector,
    keepLoaded,
    contextWindow,
    engine,
    tools,
    samplingDefaults,
    parseSpecialTokens,
    parallel,
  } = deployment;
  const head = {
    ...{ id: name, created, keepLoaded, baseModel: base.baseModel ?? base.id, deployment: { model } },
    ...(base.otherwise ? { otherwise: toRecord(base.otherwise, deployment) } : {}),
  };
  if (base.kind === "embedding") {
    const embedding = toEmbedding(base.embedding, deployment);
    return { ...base, ...head, contextWindow: contextWindow ?? base.contextWindow, embedding };
  }
  const withImages = projector ? withProjector(base.builds, projector) : base.builds;
  const builds = withParallel(withImages, parallel);
  return {
    ...base,
    ...head,
    contextWindow: contextWindow ?? base.contextWindow,
    ...(tools ? { tools } : {}),
    ...(samplingDefaults ? { samplingDefaults } : {}),
    ...(parseSpecialTokens == null ? {} : { parseSpecialTokens }),
    builds: contextWindow === null ? builds : withContext(builds, contextWindow),
    ...(engine ? { engine: engine as ChatEngineName } : {}),
  };
}

function toEmbedding(
  base: EmbeddingModel,
  { name: id, keepLoaded, contextWindow }: StoredDeployment,
): EmbeddingModel {
  return {
    ...base,
    id,
    // Shares the model's files: they are downloaded once.
    cacheId: base.cacheId ?? base.id,
    keepLoaded,
    ...(contextWindow === null ? {} : { maxTokens: contextWindow }),
  };
}

function withProjector(builds: ChatBuilds, name: string): ChatBuilds {
  const projector = name === "auto" ? name : { name, bytes: 0 };
  return builds.llamacpp ? { ...builds, llamacpp: { ...builds.llamacpp, projector } } : builds;
}

/** llama.cpp runs one reply at a time. */
function withParallel({ webllm, ...others }: ChatBuilds, parallel: Parallel | null = null): ChatBuilds {
  return { ...others, ...(webllm ? { webllm: parallel === null ? webllm : { ...webllm, parallel } } : {}) };
}

function withContext({ webllm, llamacpp }: ChatBuilds, contextWindow: number): ChatBuilds {
  return {
    ...(webllm ? { webllm: { ...webllm, contextWindow } } : {}),
    ...(llamacpp ? { llamacpp: { ...llamacpp, contextWindow } } : {}),
  };
}
