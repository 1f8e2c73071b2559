/** Admits models to memory and evicts others to make room. */

import { systemTimers, type Timers } from "../../clock.ts";
import { totalBytes } from "../../engine-api/byte-sizes.ts";
import { EngineError } from "../../engine-api/engine-error.ts";
import type { MemoryRoom } from "../../engine-api/model-files.ts";
import { admittedBytes, chooseEvictions, pinnedBytes, refusal } from "./eviction.ts";
import type { EvictableModel, MemoryEntry, MemoryLimit } from "./memory-entry.ts";

/**
 * `hold`: the model stays until {@link MemoryBudget.release}. `renew`: the caller already holds the model, whose engine
 * was lost, and is admitted ahead of requests that wait for this model to become idle.
 */
type Purpose = "hold" | "renew";

interface Waiter {
  model: EvictableModel;
  purpose: Purpose;
  settle(error?: EngineError): void;
}

export interface MemoryOptions extends MemoryLimit {
  /** How long an idle model stays in memory; -1 for no limit. */
  keepAliveMs: number;
  /** Maximum number of requests that wait for memory. */
  maxWaiting: number;
  timers: Timers;
}

/**
 * One budget for all engines. A model that fits is admitted immediately; otherwise the least recently used models are
 * evicted. A model in use is never evicted: a request that needs its memory waits until it is idle, and later requests
 * for it queue behind that one, which prevents starvation. A request holds at most one model, which prevents deadlock.
 */
export class MemoryBudget {
  readonly #options: MemoryOptions;
  readonly #entries = new Map<string, MemoryEntry>();
  /** Hold counts by model, kept apart from entries because they survive the loss of an engine. */
  readonly #holds = new Map<string, number>();
  readonly #idleTimers = new Map<string, () => void>();
  readonly #waiting: Waiter[] = [];
  #uses = 0;

  constructor(options: MemoryOptions) {
    this.#options = options;
  }

  /** Models in memory, least recently used first. */
  entries(): readonly MemoryEntry[] {
    return [...this.#entries.values()].sort((a, b) => a.lastUse - b.lastUse);
  }

  /**
   * Waits until the model fits into the budget.
   *
   * @throws {EngineError} `insufficient_memory`, `queue_full`
   * @throws the signal's reason if it aborts first
   */
  async enter(model: EvictableModel, purpose: Purpose, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#isOpenTo(model, purpose)) return this.#admit(model, purpose);
    if (this.#waiting.length >= this.#options.maxWaiting) {
      const message = `The queue of ${this.#options.maxWaiting} for memory is full. Try again in a moment.`;
      throw new EngineError("queue_full", message);
    }
    await new Promise<void>((resolve, reject) => {
      const leave = (error: unknown): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(error);
      };
      const onAbort = (): void => {
        leave(signal.reason);
        this.#serve();
      };
      const waiter: Waiter = {
        model,
        purpose,
        settle: (error) => {
          signal.removeEventListener("abort", onAbort);
          if (error) return leave(error);
          this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
          this.#admit(model, purpose);
          resolve();
        },
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#waiting.push(waiter);
      this.#serve();
    });
  }

  /** Memory for one model beside the others, for its context. */
  roomFor(id: string): MemoryRoom {
    const { limitBytes, isStrict } = this.#options;
    const others = this.entries().filter(({ model }) => model.id !== id);
    const idle = others.filter(({ model, holds }) => holds === 0 && !model.isPinned);
    return {
      freeBytes: Math.max(0, limitBytes - totalBytes(others)),
      idleBytes: totalBytes(idle),
      mostBytes: isStrict ? Math.max(0, limitBytes - pinnedBytes(others)) : Number.POSITIVE_INFINITY,
    };
  }

  /** Releases one hold of a model. */
  release(id: string): void {
    const holds = (this.#holds.get(id) ?? 0) - 1;
    if (holds > 0) this.#holds.set(id, holds);
    else this.#holds.delete(id);
    const entry = this.#entries.get(id);
    if (entry) entry.holds = Math.max(0, holds);
    this.#watchIdle(id);
    // A model that proved larger than estimated could evict none while all were in use.
    this.#trim(id);
    this.#serve();
  }

  /** Removes a model whose engine has ended. */
  leave(id: string): void {
    if (!this.#entries.delete(id)) return;
    this.#stopTimer(id);
    this.#serve();
  }

  /** Records the size of a model that is loaded, or about to be. @param bytes measured or planned; 0 keeps the estimate */
  settle(id: string, bytes: number): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    entry.bytes = Math.max(entry.bytes, bytes);
    this.#watchIdle(id);
    this.#trim(id);
    this.#serve();
  }

  /** Evicts every idle model except one, after the device ran out of memory. */
  evictIdle(exceptId: string, reason: string): void {
    for (const { model, holds } of this.entries()) {
      if (model.id !== exceptId && holds === 0 && !model.isPinned) this.#evict(model.id, reason);
    }
  }

  #isOpenTo({ id }: EvictableModel, purpose: Purpose): boolean {
    const entry = this.#entries.get(id);
    return entry !== undefined && (purpose === "renew" || !entry.isLeaving);
  }

  #admit(model: EvictableModel, purpose: Purpose): void {
    const { id } = model;
    if (purpose === "hold") this.#holds.set(id, (this.#holds.get(id) ?? 0) + 1);
    const entry = this.#entries.get(id) ?? {
      model,
      bytes: admittedBytes(model, this.entries(), this.#options),
      isLeaving: false,
      holds: 0,
      lastUse: 0,
    };
    entry.holds = this.#holds.get(id) ?? 0;
    // Updated on admission only, so that a leaving model, which admits no requests, stays least recently used.
    entry.lastUse = ++this.#uses;
    this.#entries.set(id, entry);
    this.#stopTimer(id);
  }

  /** Admits waiting requests that fit, in order of arrival. */
  #serve(): void {
    for (const entry of this.#entries.values()) entry.isLeaving = false;
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      if (!this.#entries.has(first.model.id) && !this.#makeRoom(first)) break;
      if (this.#waiting[0] === first) first.settle();
    }
    for (const waiter of [...this.#waiting.slice(1)]) {
      if (this.#isOpenTo(waiter.model, waiter.purpose)) waiter.settle();
    }
  }

  /** Makes room or refuses a model that can never fit. @returns false if models in use must become idle first */
  #makeRoom(first: Waiter): boolean {
    const { model } = first;
    const entries = this.entries();
    const bytes = admittedBytes(model, entries, this.#options);
    const evicted = chooseEvictions(entries, bytes, this.#options);
    if (!evicted) {
      first.settle(refusal(model, entries, this.#options));
      return true;
    }
    if (evicted.some(({ holds }) => holds > 0)) {
      for (const one of evicted) one.isLeaving = true;
      return false;
    }
    for (const one of evicted) this.#evict(one.model.id, neededFor(model));
    return true;
  }

  /** Evicts idle models while the budget is exceeded, after a model proved larger than estimated. */
  #trim(id: string): void {
    for (const { model, holds } of this.entries()) {
      if (totalBytes(this.entries()) <= this.#options.limitBytes) return;
      if (model.id !== id && holds === 0 && !model.isPinned) {
        this.#evict(model.id, neededFor(this.#entries.get(id)?.model ?? { id }));
      }
    }
  }

  #evict(id: string, reason: string): void {
    const entry = this.#entries.get(id);
    this.#entries.delete(id);
    this.#stopTimer(id);
    entry?.model.evict(reason);
  }

  /** Evicts the model after `keepAliveMs` without use. */
  #watchIdle(id: string): void {
    const { keepAliveMs, timers } = this.#options;
    const entry = this.#entries.get(id);
    if (!entry || entry.holds > 0 || entry.model.isPinned || keepAliveMs < 0) return;
    this.#stopTimer(id);
    const end = (): void => {
      this.#evict(id, `it was idle for ${keepAliveMs / 1000} s`);
      this.#serve();
    };
    if (keepAliveMs === 0) end();
    else this.#idleTimers.set(id, timers.after(keepAliveMs, end));
  }

  #stopTimer(id: string): void {
    this.#idleTimers.get(id)?.();
    this.#idleTimers.delete(id);
  }
}

function neededFor({ id, name = id }: Pick<EvictableModel, "id" | "name">): string {
  return `its memory was needed for '${name}'`;
}

/** A budget without a limit, in which models stay loaded. */
export function unlimitedMemory(): MemoryBudget {
  const limit = { limitBytes: Number.POSITIVE_INFINITY, isStrict: false };
  const maxWaiting = Number.POSITIVE_INFINITY;
  return new MemoryBudget({ ...limit, keepAliveMs: -1, maxWaiting, timers: systemTimers });
}
