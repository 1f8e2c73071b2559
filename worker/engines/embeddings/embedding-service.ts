/** Computes embeddings: tokens (`prepare-inputs.ts`) → batches → vectors. Independent of HTTP. */

import { NEVER } from "../../../src/shared/abortable.ts";
import type { EmbeddingEngine, EmbeddingModelInfo } from "../../engine-api/embedding-engine.ts";
import type { EmbeddingModel } from "../../engine-api/embedding-model.ts";
import { loadPart } from "../../lazy/part.ts";
import type { Priority } from "../scheduling/model-queue.ts";
import type { EngineSupervisor } from "../scheduling/supervisor.ts";
import type { EmbeddingBatcher } from "./embedding-batcher.ts";

/** Inputs, tokenized for the model. */
export interface EmbeddingTokens {
  tokens: readonly (readonly number[])[];
  /** Number of the network's adapter for their use, if it has any. */
  task?: number | undefined;
}

export class EmbeddingService {
  readonly #engines: EngineSupervisor<EmbeddingEngine, EmbeddingModel>;
  readonly #maxQueued: number;
  readonly #batchers = new Map<string, EmbeddingBatcher>();

  constructor(engines: EngineSupervisor<EmbeddingEngine, EmbeddingModel>, maxQueued: number) {
    this.#engines = engines;
    this.#maxQueued = maxQueued;
  }

  /** Loads the model if necessary. @throws {EngineError} */
  async load(model: EmbeddingModel, signal = NEVER): Promise<void> {
    await this.use(model, signal, async () => {});
  }

  /** As {@link EngineSupervisor.use}. */
  use<T>(
    model: EmbeddingModel,
    signal: AbortSignal,
    work: (engine: EmbeddingEngine) => Promise<T>,
  ): Promise<T> {
    return this.#engines.use(model, signal, work);
  }

  /** Cancels a load in progress. */
  cancel(modelId: string): void {
    this.#engines.cancel(modelId);
  }

  /** Frees the model's memory at once; what ran or waits reloads it. */
  unload(modelId: string): Promise<void> {
    return this.#engines.unload(modelId, { force: true });
  }

  /** As {@link EngineSupervisor.retire}. */
  async retire(modelId: string): Promise<void> {
    await this.#batchers.get(modelId)?.whenIdle();
    this.#batchers.delete(modelId);
    await this.#engines.retire(modelId);
  }

  /** The model's info, while it is loaded. */
  info(modelId: string): EmbeddingModelInfo | undefined {
    return this.#engines.loaded(modelId)?.info;
  }

  /**
   * Returns one vector per token list, in order.
   *
   * @throws {EngineError}
   * @throws the signal's reason if it aborts first
   */
  async embed(
    model: EmbeddingModel,
    { tokens, task }: EmbeddingTokens,
    signal: AbortSignal,
    priority: Priority = "interactive",
  ): Promise<Float32Array[]> {
    const part = await loadPart(() => import("./embedding-batcher.ts"), signal);
    let batcher = this.#batchers.get(model.id);
    if (!batcher) {
      batcher = new part.EmbeddingBatcher(() => this.#engines.engine(model), this.#maxQueued);
      this.#batchers.set(model.id, batcher);
    }
    const hold = await this.#engines.hold(model, signal);
    try {
      return await batcher.embed(tokens, signal, priority, task);
    } finally {
      hold.release();
    }
  }
}
