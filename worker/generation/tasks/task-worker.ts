import { startFault } from "../../../src/protocol/assets/asset-diagnosis.ts";
import type { openWorker } from "../../../src/protocol/assets/start-worker.ts";
import type { Timers } from "../../clock.ts";
import { PartError } from "../../lazy/part.ts";
import { LOADED, type TaskOutcome } from "./task-outcome.ts";

interface TaskLimits<Result> {
  signal: AbortSignal;
  withinMs: number;
  /** The outcome of a task that takes longer. */
  onTimeout: () => Promise<Result>;
}

/** The worker ended in the middle of a task. */
class WorkerCrash extends Error {}

/** A worker for one task at a time, started on demand. Only its end stops a task that was aborted or takes too long. */
export class TaskWorker<Result> {
  readonly #what: "schema" | "image";
  readonly #url: string;
  readonly #timers: Timers;
  readonly #start: typeof openWorker;
  #worker: Worker | undefined;
  #hasLoaded = false;

  constructor(what: "schema" | "image", url: string, timers: Timers, start: typeof openWorker) {
    this.#what = what;
    this.#url = url;
    this.#timers = timers;
    this.#start = start;
  }

  /**
   * Runs a task, and again in a new worker if the first one crashes.
   *
   * @throws {PartError} if the worker's script does not load; the signal's reason; an error if the task crashes both
   */
  async run(task: unknown, limits: TaskLimits<Result>): Promise<Result> {
    try {
      return await this.#attempt(task, limits);
    } catch (error) {
      if (!(error instanceof WorkerCrash) || limits.signal.aborted) throw error;
      return this.#attempt(task, limits);
    }
  }

  #attempt(task: unknown, { signal, withinMs, onTimeout }: TaskLimits<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const worker = this.#worker ?? this.#open();
      // First: it throws for what cannot be sent.
      worker.postMessage(task);
      const finish = (): void => {
        cancelTimer();
        signal.removeEventListener("abort", onAbort);
      };
      const stop = (): void => {
        finish();
        // Not its successor, which may run the next task.
        if (this.#worker === worker) this.end();
      };
      const onAbort = (): void => {
        stop();
        reject(signal.reason);
      };
      const cancelTimer = this.#timers.after(withinMs, () => {
        stop();
        resolve(onTimeout());
      });
      signal.addEventListener("abort", onAbort);
      worker.onmessage = ({ data }: MessageEvent<typeof LOADED | TaskOutcome<Result>>) => {
        this.#hasLoaded = true;
        if (data === LOADED) return;
        finish();
        if ("result" in data) resolve(data.result);
        else reject(new Error(data.failure));
      };
      worker.onerror = async (event) => {
        event.preventDefault();
        const hasLoaded = this.#hasLoaded;
        stop();
        const said = event.message || undefined;
        const fault = hasLoaded ? undefined : await startFault(this.#url, said);
        const crash = `The ${this.#what} worker failed: ${said ?? "without a reason"}.`;
        reject(fault ? new PartError(fault, event) : new WorkerCrash(crash));
      };
    });
  }

  #open(): Worker {
    this.#worker = this.#start(this.#url, `infetch-${this.#what}s`);
    this.#hasLoaded = false;
    return this.#worker;
  }

  /** Frees its memory; the next task starts it again. */
  end(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }
}
