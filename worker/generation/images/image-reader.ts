/** Reads images in a separate worker, one at a time, so that a hostile one never blocks the server. */

import { explainStart } from "../../../src/protocol/asset-fault.ts";
import { openWorker } from "../../../src/protocol/assets.ts";
import { type Clock, systemClock, systemTimers, type Timers } from "../../clock.ts";
import { abortable } from "../../engines/api/abortable.ts";
import { PartError } from "../../lazy/part.ts";
import { download, isRemote } from "./download.ts";
import { brokenImage, refusal } from "./image-fault.ts";
import type { ImageRequest, ImageResult, ImageTask, ReadingTime } from "./read-image.ts";
import { requireShort } from "./read-url.ts";

/** The worker's answer to an {@link ImageTask}. */
export type ImageAnswer = { result: ImageResult } | { failure: string };

export class ImageReader {
  readonly #url: string;
  readonly #start: typeof openWorker;
  readonly #timers: Timers;
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #key = crypto.getRandomValues(new Uint8Array(32));
  #worker: Worker | undefined;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** @param url of the image worker's script */
  constructor(url: string, timers: Timers = systemTimers, start = openWorker, clock = systemClock) {
    this.#url = url;
    this.#start = start;
    this.#timers = timers;
    this.#clock = clock;
  }

  /**
   * @param time is spent
   * @throws {PartError} if the worker's script does not load; the signal's reason
   */
  async read(
    { url, detail, allowsRemote }: ImageRequest,
    signal: AbortSignal,
    time: ReadingTime,
  ): Promise<ImageResult> {
    try {
      requireShort(url);
      // Not in line: a slow host holds up its own request only.
      const isFetched = allowsRemote && isRemote(url);
      const source = isFetched ? await this.#spend(time, () => download(url, signal, time.leftMs)) : url;
      return await this.#inLine({ source, detail, key: this.#key }, signal, time);
    } catch (error) {
      return refusal(error);
    }
  }

  #inLine(task: ImageTask, signal: AbortSignal, time: ReadingTime): Promise<ImageResult> {
    this.#waiting++;
    const result = this.#last.then(() => {
      signal.throwIfAborted();
      return this.#spend(time, () => this.#run(task, signal, time.leftMs));
    });
    this.#last = result
      .catch(() => {})
      .finally(() => {
        // Only the worker's end returns the memory of its decoders.
        if (--this.#waiting === 0) this.#end();
      });
    return abortable(result, signal);
  }

  async #spend<T>(time: ReadingTime, run: () => Promise<T>): Promise<T> {
    const startedAtMs = this.#clock.monotonic();
    try {
      return await run();
    } finally {
      time.leftMs = Math.max(0, time.leftMs - (this.#clock.monotonic() - startedAtMs));
    }
  }

  #end(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  #run(task: ImageTask, signal: AbortSignal, withinMs: number): Promise<ImageResult> {
    return new Promise((resolve, reject) => {
      const worker = this.#worker ?? this.#start(this.#url, "infetch-images");
      this.#worker = worker;
      const onAbort = (): void => {
        finish();
        // Nothing else stops a decoder.
        this.#end();
        reject(signal.reason);
      };
      const cancelTimer = this.#timers.after(withinMs, () => {
        finish();
        this.#end();
        reject(brokenImage("the images of the request take too long"));
      });
      const finish = (): void => {
        cancelTimer();
        signal.removeEventListener("abort", onAbort);
      };
      signal.addEventListener("abort", onAbort);
      worker.onmessage = ({ data }: MessageEvent<ImageAnswer>) => {
        finish();
        if ("result" in data) resolve(data.result);
        else reject(new Error(data.failure));
      };
      worker.onerror = (event) => {
        event.preventDefault();
        finish();
        this.#end();
        const said = event.message || undefined;
        explainStart(this.#url, said)
          .catch(() => undefined)
          .then((fault) => reject(new PartError(fault ?? `The image worker failed: ${said}.`, event)));
      };
      worker.postMessage(task);
    });
  }
}
