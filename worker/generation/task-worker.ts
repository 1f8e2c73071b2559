import type { openWorker } from "../../src/protocol/assets.ts";
import type { Timers } from "../clock.ts";
import { startFault } from "../lazy/diagnosis.ts";
import { PartError } from "../lazy/part.ts";

/** How a worker's task ended. */
export type TaskOutcome<Result> = { result: Result } | { failure: string };

interface TaskLimits<Result> {
  signal: AbortSignal;
  withinMs: number;
  /** The outcome of a task that takes longer. */
  onTimeout: () => Promise<Result>;
}

/** A worker for one task at a time, started on demand. Only its end stops a task that was aborted or takes too long. */
export class TaskWorker<Result> {
  readonly #what: "schema" | "image";
  readonly #url: string;
  readonly #timers: Timers;
  readonly #start: typeof openWorker;
  #worker: Worker | undefined;

  constructor(what: "schema" | "image", url: string, timers: Timers, start: typeof openWorker) {
    this.#what = what;
    this.#url = url;
    this.#timers = timers;
    this.#start = start;
  }

  /** @throws {PartError} if the worker's script does not load; the signal's reason; an error if the task crashes it */
  run(task: unknown, { signal, withinMs, onTimeout }: TaskLimits<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const worker = this.#worker ?? this.#start(this.#url, `infetch-${this.#what}s`);
      this.#worker = worker;
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
      worker.onmessage = ({ data }: MessageEvent<TaskOutcome<Result>>) => {
        finish();
        if ("result" in data) resolve(data.result);
        else reject(new Error(data.failure));
      };
      worker.onerror = (event) => {
        event.preventDefault();
        stop();
        const said = event.message || undefined;
        startFault(this.#url, said).then((fault) =>
          reject(
            fault ? new PartError(fault, event) : new Error(`The ${this.#what} worker failed: ${said}.`),
          ),
        );
      };
    });
  }

  /** Frees its memory; the next task starts it again. */
  end(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }
}
