import type { StatsEvent } from "../../../src/protocol/events.ts";
import type { Timers } from "../../clock.ts";
import type { ChatEngine } from "../../engine-api/chat-engine.ts";
import type { EngineSupervisor } from "./supervisor.ts";

const INTERVAL_MS = 1_000;

interface Seen {
  engine: ChatEngine;
  atMs: number;
  completionTokens: number;
  /** It ran requests, or had since the report before. */
  isActive: boolean;
}

interface StatsWatch {
  /** Whether anyone listens. */
  isWatched(): boolean;
  emit(event: StatsEvent): void;
  timers: Timers;
}

/** Reports what loaded chat models do, while someone listens: nothing is counted or asked for otherwise. */
export class EngineStats {
  readonly #engines: EngineSupervisor;
  readonly #watch: StatsWatch;
  readonly #seen = new Map<string, Seen>();
  /** Engines whose pages are being asked for. */
  readonly #asked = new Set<ChatEngine>();
  #isTicking = false;
  #isNew = false;

  constructor(engines: EngineSupervisor, watch: StatsWatch) {
    this.#engines = engines;
    this.#watch = watch;
  }

  /** Call for each new listener: it gets the state of all loaded models, idle ones included. */
  begin(): void {
    this.#isNew = true;
    if (!this.#isTicking) this.#tick();
  }

  #tick(): void {
    this.#isTicking = this.#watch.isWatched();
    if (!this.#isTicking) {
      this.#seen.clear();
      return;
    }
    for (const [id, engine] of this.#engines.allLoaded()) void this.#report(id, engine, this.#isNew);
    this.#isNew = false;
    this.#watch.timers.after(INTERVAL_MS, () => this.#tick());
  }

  async #report(id: string, engine: ChatEngine, isNew: boolean): Promise<void> {
    if (this.#asked.has(engine)) return;
    const { running, waiting } = this.#engines.queue(id);
    const { promptTokens, cachedTokens, completionTokens } = engine.counts;
    const atMs = this.#engines.clock.monotonic();
    const seen = this.#seen.get(id);
    const last = seen?.engine === engine ? seen : { atMs, completionTokens, isActive: false };
    const tokens = completionTokens - last.completionTokens;
    const isActive = running + waiting + tokens > 0;
    this.#seen.set(id, { engine, atMs, completionTokens, isActive });
    if (!isActive && !last.isActive && !isNew && last === seen) return;
    this.#asked.add(engine);
    const pages = await engine.pages().catch(() => null);
    this.#asked.delete(engine);
    if (this.#engines.loaded(id) !== engine) return;
    const seconds = (atMs - last.atMs) / 1_000;
    this.#watch.emit({
      type: "stats",
      model: id,
      running,
      waiting,
      tokensPerSecond: seconds > 0 ? tokens / seconds : 0,
      cacheHitRate: promptTokens > 0 ? cachedTokens / promptTokens : null,
      pages,
    });
  }
}
