/** Downloads images, and decodes them in a separate worker, one at a time: a hostile one never blocks the server. */

import { openWorker } from "../../../src/protocol/assets/start-worker.ts";
import { abortable } from "../../../src/shared/abortable.ts";
import { type Clock, systemClock, systemTimers, type Timers } from "../../clock.ts";
import type { TaskOutcome } from "../tasks/task-outcome.ts";
import { TaskWorker } from "../tasks/task-worker.ts";
import { requireShortURL } from "./data-url.ts";
import { download, isRemote } from "./download.ts";
import { brokenImage, refusal } from "./image-fault.ts";
import type { ImageRequest, ImageResult, ImageTask, ImageTimeBudget } from "./preprocess-image.ts";

/** How an {@link ImageTask} ended. */
export type ImageOutcome = TaskOutcome<ImageResult>;

export class ImageLoader {
  readonly #worker: TaskWorker<ImageResult>;
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #key = crypto.getRandomValues(new Uint8Array(32));
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** @param url of the image worker's script */
  constructor(url: string, timers: Timers = systemTimers, start = openWorker, clock = systemClock) {
    this.#worker = new TaskWorker("image", url, timers, start);
    this.#clock = clock;
  }

  /**
   * @param time reduced by what this image takes
   * @throws {PartError} if the worker's script does not load; the signal's reason
   */
  async load(
    { url, detail, allowsRemote }: ImageRequest,
    signal: AbortSignal,
    time: ImageTimeBudget,
  ): Promise<ImageResult> {
    try {
      requireShortURL(url);
      // Not queued: a slow host delays its own request only.
      const isFetched = allowsRemote && isRemote(url);
      const source = isFetched ? await this.#spend(time, () => download(url, signal, time.leftMs)) : url;
      return await this.#inLine({ source, detail, key: this.#key }, signal, time);
    } catch (error) {
      return refusal(error);
    }
  }

  #inLine(task: ImageTask, signal: AbortSignal, time: ImageTimeBudget): Promise<ImageResult> {
    this.#waiting++;
    const result = this.#last.then(() => {
      signal.throwIfAborted();
      return this.#spend(time, () => this.#run(task, signal, time.leftMs));
    });
    this.#last = result
      .catch(() => {})
      .finally(() => {
        // Only ending the worker frees the memory of its decoders.
        if (--this.#waiting === 0) this.#worker.end();
      });
    return abortable(result, signal);
  }

  async #spend<T>(time: ImageTimeBudget, run: () => Promise<T>): Promise<T> {
    const startedAtMs = this.#clock.monotonic();
    try {
      return await run();
    } finally {
      time.leftMs = Math.max(0, time.leftMs - (this.#clock.monotonic() - startedAtMs));
    }
  }

  #run(task: ImageTask, signal: AbortSignal, withinMs: number): Promise<ImageResult> {
    return this.#worker.run(task, {
      signal,
      withinMs,
      onTimeout: () => Promise.reject(brokenImage("the images of the request take too long")),
    });
  }
}
