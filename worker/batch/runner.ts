/** Runs the batches of all tabs in the tab that holds the lock. If it dies, the next one takes over. */

import type { Timers } from "../clock.ts";
import { ApiError } from "../http/api-error.ts";
import type { LedgerLocks } from "../usage/ledger/locks.ts";
import { Backoff } from "./backoff.ts";
import { BatchJob, isExpired } from "./job.ts";
import type { JobServices } from "./job-services.ts";
import { eventsOf } from "./lines/result-line.ts";
import type { BatchRow } from "./schema.ts";

/** Batches that run concurrently, so that a long one does not block one for another model. */
const MAX_JOBS = 4;

interface RunnerServices extends JobServices {
  locks: LedgerLocks;
  timers: Timers;
  /** Equal for runtimes that share their files. */
  name: string;
  /** Called when a batch cannot continue now, with the reason. It is retried after a pause, or by a wake. */
  onStalled(batch: BatchRow, code: string): void;
}

/** What aborts the lines of a batch that runs. */
interface RunningJob {
  cancelled: AbortController;
  expired: AbortController;
}

export class BatchRunner {
  readonly #services: RunnerServices;
  readonly #jobs = new Map<string, RunningJob>();
  /** Failed batches, until the next try. */
  readonly #stalled = new Set<string>();
  readonly #backoff: Backoff;
  #wakes = 0;
  #isLeader = false;
  #takeOver: Promise<void> | undefined;

  constructor(services: RunnerServices) {
    this.#backoff = new Backoff(services.timers, () => this.#try());
    const record: JobServices["record"] = async (events) => {
      try {
        await services.record(events);
      } catch (error) {
        this.#backoff.pause();
        throw error;
      }
    };
    this.#services = { ...services, record };
  }

  /** Waits for the lock, then runs batches for the lifetime of this worker. */
  start(): void {
    const { locks, name } = this.#services;
    locks
      .exclusive(`infetch:batch-runner:${name}`, async () => {
        this.#isLeader = true;
        this.wake();
        await new Promise(() => {});
      })
      .catch(() => {
        // Never got the lock: another tab runs the batches.
      });
  }

  /** Call on changes: batch created or cancelled, file deleted, network back, an hour passed. */
  wake(): void {
    if (!this.#isLeader) return;
    this.#wakes++;
    this.#backoff.reset();
    this.#try();
  }

  #try(): void {
    this.#stalled.clear();
    void this.#runMaintenance();
    void this.#startJobs();
  }

  async #startJobs(): Promise<void> {
    const open = await this.#open();
    const isStalled = ({ id }: BatchRow): boolean => this.#stalled.has(id);
    // A suspect line runs alone, across all batches: if the next server dies, that line is the cause.
    const maxJobs = open.some((batch) => isSuspect(batch) && !isStalled(batch)) ? 1 : MAX_JOBS;
    const inTurn =
      maxJobs === 1 ? open.toSorted((a, b) => Number(isSuspect(b)) - Number(isSuspect(a))) : open;
    for (const batch of inTurn) {
      const running = this.#jobs.get(batch.id);
      if (running) void this.#endIfOver(batch, running);
      if (running || isStalled(batch) || this.#jobs.size >= maxJobs) continue;
      const job = { cancelled: new AbortController(), expired: new AbortController() };
      this.#jobs.set(batch.id, job);
      void this.#run(batch, job);
    }
  }

  /** Aborts a job whose batch was cancelled or has expired: an upstream may never answer a line. Wakes come hourly. */
  async #endIfOver(batch: BatchRow, { cancelled, expired }: RunningJob): Promise<void> {
    if (batch.status === "cancelling") cancelled.abort();
    else if (await isExpired(batch, this.#services)) expired.abort();
  }

  /** Batches with work left; empty if storage cannot be read now. */
  #open(): Promise<BatchRow[]> {
    const { batches } = this.#services;
    // Once, before anything runs here: lines marked as running were running when the last server died.
    this.#takeOver ??= batches.takeOver().catch((error) => {
      this.#takeOver = undefined;
      throw error;
    });
    return this.#takeOver
      .then(() => batches.open())
      .catch(() => {
        this.#backoff.pause();
        return [];
      });
  }

  async #run(batch: BatchRow, { cancelled, expired }: RunningJob): Promise<void> {
    const signals = { cancelled: cancelled.signal, expired: expired.signal };
    const wakes = this.#wakes;
    let hasProgressed = false;
    const onProgress: JobServices["onProgress"] = (changed) => {
      hasProgressed = true;
      this.#services.onProgress(changed);
    };
    try {
      await new BatchJob(batch.id, { ...this.#services, onProgress }, signals).run();
    } catch (error) {
      // Woken meanwhile, it is tried again: lines that ran beside the failed one ended first, and its cause may be gone.
      if (this.#wakes === wakes) await this.#stall(batch, error, hasProgressed);
    }
    this.#jobs.delete(batch.id);
    await this.#startJobs();
  }

  async #stall(batch: BatchRow, error: unknown, hasProgressed: boolean): Promise<void> {
    this.#stalled.add(batch.id);
    // What stopped it before is over: this pause is a first one.
    if (hasProgressed) this.#backoff.reset();
    this.#backoff.pause();
    const latest = await this.#services.batches.get(batch.id).catch(() => undefined);
    this.#services.onStalled(latest ?? batch, error instanceof ApiError ? error.code : "internal_error");
  }

  /** Deletes expired files, and records what finished batches could not. */
  async #runMaintenance(): Promise<void> {
    const { files, results, record } = this.#services;
    try {
      await files.runMaintenance();
      for (const id of await results.unrecorded()) {
        for await (const rows of results.of(id)) await record(eventsOf(rows));
        await results.drop(id);
      }
    } catch {
      this.#backoff.pause();
    }
  }
}

/** Whether some of its lines ran when a server died and have not run alone since. */
function isSuspect({ status, deaths }: BatchRow): boolean {
  return status === "in_progress" && deaths !== undefined;
}
