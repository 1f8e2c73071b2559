/** Owns the engines: one worker per loaded model, started on demand, replaced after it died. */

import type { EngineEvent, ProgressEvent } from "../../src/protocol/wire.ts";
import type { Clock } from "../clock.ts";
import type { EnginePace } from "./attended-generate.ts";
import { ModelQueue } from "./model-queue.ts";
import type { ChatBuilds, ChatEngine, ChatEngineName, LoadProgress } from "./types.ts";

/** What the supervisor must know of a model. */
export interface LoadableModel {
  id: string;
  builds: ChatBuilds;
  engine?: ChatEngineName;
  /** Never evicted. */
  keepLoaded?: boolean;
}

/** Starts an engine for a model; `onEnd` fires once when it is gone. */
export type StartEngine<Engine = ChatEngine, Model = LoadableModel> = (
  model: Model,
  onProgress: (progress: LoadProgress) => void,
  onEnd: (reason: string) => void,
) => Promise<Engine>;

interface Slot<Engine> {
  engine: Promise<Engine>;
  /** The engine once it is loaded. */
  loaded?: Engine;
  /** Its end was wanted. */
  unloading?: boolean;
}

export class EngineSupervisor<
  Engine extends { dispose(reason: string): void } = ChatEngine,
  Model extends { id: string } = LoadableModel,
> {
  readonly #start: StartEngine<Engine, Model>;
  readonly #emit: (event: ProgressEvent | EngineEvent) => void;
  readonly #maxQueued: number;
  readonly #slots = new Map<string, Slot<Engine>>();
  readonly #queues = new Map<string, ModelQueue>();
  readonly #paces = new Map<string, EnginePace>();
  readonly clock: Clock;

  constructor(
    start: StartEngine<Engine, Model>,
    emit: (event: ProgressEvent | EngineEvent) => void,
    maxQueued: number,
    clock: Clock,
  ) {
    this.#start = start;
    this.#emit = emit;
    this.#maxQueued = maxQueued;
    this.clock = clock;
  }

  /** What was measured of a model on this device. Whoever measures more writes it here. */
  pace(modelId: string): EnginePace {
    let pace = this.#paces.get(modelId);
    if (!pace) {
      pace = { reloadMs: 0, prefillTokensPerSecond: undefined };
      this.#paces.set(modelId, pace);
    }
    return pace;
  }

  /** The queue of a model. It outlives the engine: who waits is served by the next one. */
  queue(modelId: string): ModelQueue {
    let queue = this.#queues.get(modelId);
    if (!queue) {
      queue = new ModelQueue(this.#maxQueued);
      this.#queues.set(modelId, queue);
    }
    return queue;
  }

  /**
   * The model's engine, loading it at first need. Concurrent callers share one load; a failed one is told to
   * all of them, and the next caller starts afresh.
   *
   * @throws {EngineError}
   */
  engine(model: Model): Promise<Engine> {
    const running = this.#slots.get(model.id);
    if (running) return running.engine;
    const slot = {} as Slot<Engine>;
    slot.engine = this.#load(model, slot);
    this.#slots.set(model.id, slot);
    slot.engine.then(
      (engine) => {
        slot.loaded = engine;
      },
      () => this.#drop(model.id, slot),
    );
    return slot.engine;
  }

  /** The model's engine if it is loaded now. */
  loaded(modelId: string): Engine | undefined {
    return this.#slots.get(modelId)?.loaded;
  }

  /**
   * Ends the model's engine, if it has one, and so frees all its memory. Calls that run fail with
   * `engine_lost`; the next request loads the model again.
   */
  async unload(modelId: string): Promise<void> {
    const slot = this.#slots.get(modelId);
    if (!slot) return;
    slot.unloading = true;
    const engine = await slot.engine.catch(() => undefined);
    engine?.dispose("it was unloaded");
  }

  async #load(model: Model, slot: Slot<Engine>): Promise<Engine> {
    const onProgress = (progress: LoadProgress): void =>
      this.#emit({ type: "progress", model: model.id, ...progress });
    let loadedBytes = 0;
    const startedAtMs = this.clock.monotonic();
    const engine = await this.#start(
      model,
      (progress) => {
        loadedBytes = progress.totalBytes;
        onProgress(progress);
      },
      (reason) => {
        this.#drop(model.id, slot);
        this.#emit({ type: "engine", model: model.id, state: slot.unloading ? "unloaded" : "lost", reason });
      },
    );
    this.pace(model.id).reloadMs = this.clock.monotonic() - startedAtMs;
    this.#emit({
      type: "progress",
      model: model.id,
      phase: "ready",
      loadedBytes,
      totalBytes: loadedBytes,
      fraction: 1,
    });
    this.#emit({ type: "engine", model: model.id, state: "loaded" });
    return engine;
  }

  #drop(modelId: string, slot: Slot<Engine>): void {
    if (this.#slots.get(modelId) === slot) this.#slots.delete(modelId);
  }
}
