/** Owns the engines: one worker per loaded model, started on demand and replaced after a crash. */

import type { EngineEvent, ModelProgressEvent } from "../../../src/protocol/events.ts";
import type { UnloadOptions } from "../../../src/protocol/rpc/models.ts";
import { abortable, NEVER } from "../../../src/shared/abortable.ts";
import type { Clock } from "../../clock.ts";
import type { ChatEngine } from "../../engine-api/chat-engine.ts";
import { retryOnLoss } from "../../engine-api/engine-error.ts";
import type { LoadProgress } from "../../engine-api/load-progress.ts";
import { estimateMemory, type MemoryEstimate } from "../memory/estimate.ts";
import { unlimitedMemory } from "../memory/memory-budget.ts";
import type { EvictableModel } from "../memory/memory-entry.ts";
import type { EngineMemory } from "../memory/memory-of-kind.ts";
import { type EngineEntry, type Hold, loadCancelled, untilEnd } from "./engine-entry.ts";
import type { EnginePace } from "./generate-with-abort-policy.ts";
import { ModelQueue } from "./model-queue.ts";
import type { LoadableModel, MemorySettings, StartEngine } from "./start-engine.ts";

interface SupervisorServices<Engine, Model> {
  start: StartEngine<Engine, Model>;
  emit(event: ModelProgressEvent | EngineEvent): void;
  /** Requests that may wait for one model. */
  maxQueued: number;
  clock: Clock;
  /** Shared by all engines of a server. @default unlimited */
  memory?: EngineMemory;
  /** The memory of a model before its first load. @default none */
  estimate?(model: Model): MemoryEstimate;
}

export class EngineSupervisor<
  Engine extends { readonly info?: object; dispose(reason: string): void } = ChatEngine,
  Model extends MemorySettings & { id: string } = LoadableModel,
> {
  readonly #start: StartEngine<Engine, Model>;
  readonly #emit: (event: ModelProgressEvent | EngineEvent) => void;
  readonly #maxQueued: number;
  readonly #memory: EngineMemory;
  readonly #estimate: (model: Model) => MemoryEstimate;
  readonly #entries = new Map<string, EngineEntry<Engine>>();
  readonly #queues = new Map<string, ModelQueue>();
  readonly #paces = new Map<string, EnginePace>();
  /** Memory needed or measured at each model's last load. */
  readonly #measured = new Map<string, number>();

  readonly clock: Clock;

  constructor({
    start,
    emit,
    maxQueued,
    clock,
    memory = unlimitedMemory(),
    estimate = () => ({ bytes: 0, leastBytes: Number.POSITIVE_INFINITY }),
  }: SupervisorServices<Engine, Model>) {
    this.#start = start;
    this.#emit = emit;
    this.#maxQueued = maxQueued;
    this.clock = clock;
    this.#memory = memory;
    this.#estimate = estimate;
  }

  /** Mutable measurements of a model on this device. */
  pace(modelId: string): EnginePace {
    const pace = this.#paces.get(modelId) ?? { reloadMs: 0, prefillTokensPerSecond: undefined };
    this.#paces.set(modelId, pace);
    return pace;
  }

  /** The queue of a model. It outlives the engine: waiting requests run on its replacement. */
  queue(modelId: string): ModelQueue {
    const queue = this.#queues.get(modelId) ?? new ModelQueue(this.#maxQueued);
    this.#queues.set(modelId, queue);
    return queue;
  }

  /**
   * Waits for memory, starts to load the model if necessary, and prevents its eviction until released.
   *
   * @throws {EngineError} `insufficient_memory`, `queue_full`
   * @throws the signal's reason if it aborts first
   */
  async hold(model: Model, signal: AbortSignal): Promise<Hold> {
    await this.#memory.enter(this.#evictable(model), "hold", signal);
    // A failed load rejects in `engine()`; avoid an unhandled rejection here.
    this.#entry(model).engine.catch(() => {});
    let isHeld = true;
    return {
      release: () => {
        if (isHeld) this.#memory.release(model.id);
        isHeld = false;
      },
    };
  }

  /**
   * Returns the model's engine, loading it if necessary. Concurrent callers share one load and its failure; the next
   * caller retries. Hold the model first, or it may be evicted.
   *
   * @throws {EngineError}
   * @throws the signal's reason if it aborts first
   */
  async engine(model: Model, signal: AbortSignal = NEVER): Promise<Engine> {
    if (!this.#entries.has(model.id)) {
      await this.#memory.enter(this.#evictable(model), "renew", signal);
    }
    return abortable(this.#entry(model).engine, signal);
  }

  /** Runs `work` with the model's engine while holding the model. @throws as {@link hold} and {@link engine} */
  async use<T>(model: Model, signal: AbortSignal, work: (engine: Engine) => Promise<T>): Promise<T> {
    const hold = await this.hold(model, signal);
    try {
      return await work(await this.engine(model, signal));
    } finally {
      hold.release();
    }
  }

  /** The models that are loaded now, with their engines. */
  *allLoaded(): Generator<[modelId: string, engine: Engine], void> {
    for (const [id, { loaded }] of this.#entries) if (loaded) yield [id, loaded];
  }

  /** The model's engine if it is currently loaded. */
  loaded(modelId: string): Engine | undefined {
    return this.#entries.get(modelId)?.loaded;
  }

  /**
   * Ends the model's engine, if any, which frees all its memory, after the requests that run or wait; later ones reload
   * the model. Cancels a load in progress: callers that wait for it fail with `load_cancelled`.
   *
   * @param force at once: running calls fail with `engine_lost`
   */
  async unload(modelId: string, { force = false }: UnloadOptions = {}): Promise<void> {
    if (force || !this.loaded(modelId)) return this.#unload(modelId);
    const turn = await this.queue(modelId).drain();
    // What loads by then is for later requests.
    if (this.loaded(modelId)) this.#unload(modelId);
    turn.release();
  }

  #unload(modelId: string): void {
    this.#end(modelId, "it was unloaded");
    this.#memory.leave(modelId);
  }

  /** Ends the engine of a deleted model after its requests, and forgets its memory: another model may get its name. */
  async retire(modelId: string): Promise<void> {
    // Last, after requests that arrived before the deletion and are not in the queue yet.
    const turn = await this.queue(modelId).drain(true);
    this.#measured.delete(modelId);
    this.#unload(modelId);
    turn.release();
  }

  /** Cancels a load in progress. Downloaded data is kept. */
  cancel(modelId: string): void {
    const entry = this.#entries.get(modelId);
    if (entry && !entry.loaded) this.#unload(modelId);
  }

  #evictable(model: Model): EvictableModel {
    const { id, memoryBytes, keepLoaded = false } = model;
    const { bytes: estimated, leastBytes } = this.#estimate(model);
    const bytes = this.#measured.get(id) ?? memoryBytes ?? estimated;
    return {
      id,
      bytes,
      leastBytes: Math.min(bytes, leastBytes),
      isPinned: keepLoaded,
      evict: (reason) => this.#end(id, reason),
    };
  }

  #end(modelId: string, reason: string): void {
    const entry = this.#entries.get(modelId);
    if (!entry) return;
    this.#entries.delete(modelId);
    entry.end.abort(reason);
    entry.loaded?.dispose(reason);
  }

  #entry(model: Model): EngineEntry<Engine> {
    const running = this.#entries.get(model.id);
    if (running) return running;
    const entry = { end: new AbortController() } as EngineEntry<Engine>;
    this.#entries.set(model.id, entry);
    entry.engine = this.#load(model, entry).catch((error: unknown) => {
      this.#drop(model.id, entry);
      throw error;
    });
    return entry;
  }

  /** Retries a load once if the engine is lost during it, after evicting all idle models. */
  async #load(model: Model, entry: EngineEntry<Engine>): Promise<Engine> {
    const onLoss = (): void => this.#memory.evictIdle(model.id, `its memory was needed for '${model.id}'`);
    try {
      return await retryOnLoss(() => this.#attempt(model, entry), { onLoss });
    } catch (error) {
      throw entry.end.signal.aborted ? loadCancelled(model.id, entry.end.signal.reason) : error;
    }
  }

  async #attempt(model: Model, entry: EngineEntry<Engine>): Promise<Engine> {
    const { id } = model;
    entry.end.signal.throwIfAborted();
    let fileBytes = 0;
    let planned: number | undefined;
    let needed: number | undefined;
    const startedAtMs = this.clock.monotonic();
    const onProgress = ({ memoryBytes, neededBytes, ...progress }: LoadProgress): void => {
      fileBytes = progress.totalBytes;
      needed = neededBytes ?? needed;
      if (memoryBytes !== undefined && memoryBytes !== planned) {
        planned = memoryBytes;
        // Evicts idle models before the memory is taken.
        this.#memory.settle(id, memoryBytes);
      }
      this.#emit({ type: "progress", model: id, ...progress });
    };
    const onEnd = (reason: string): void => {
      const state = entry.end.signal.aborted ? "unloaded" : "lost";
      this.#emit({ type: "engine", model: id, state, reason });
      if (entry.loaded) this.#drop(id, entry);
    };
    const starting = this.#start(model, { onProgress, onEnd, signal: entry.end.signal });
    const engine = await untilEnd(entry, starting);
    entry.loaded = engine;
    this.queue(id).adapt(engine.info ?? {});
    this.pace(id).reloadMs = this.clock.monotonic() - startedAtMs;
    const measured = planned ?? model.memoryBytes ?? estimateMemory(fileBytes);
    this.#measured.set(id, needed ?? measured);
    const ready = { phase: "ready", loadedBytes: fileBytes, totalBytes: fileBytes, fraction: 1 } as const;
    this.#emit({ type: "progress", model: id, ...ready });
    this.#emit({ type: "engine", model: id, state: "loaded" });
    this.#memory.settle(id, measured);
    return engine;
  }

  /** Removes an engine that ended on its own. */
  #drop(modelId: string, entry: EngineEntry<Engine>): void {
    if (this.#entries.get(modelId) !== entry) return;
    this.#entries.delete(modelId);
    this.#memory.leave(modelId);
  }
}
