/** Reads images in a separate worker, one at a time, so that a hostile one never blocks the server. */

import { explainStart } from "../../../src/protocol/asset-fault.ts";
import { openWorker } from "../../../src/protocol/assets.ts";
import { systemTimers, type Timers } from "../../clock.ts";
import { abortable } from "../../engines/api/abortable.ts";
import { PartError } from "../../lazy/part.ts";
import type { ImageRequest, ImageResult, KeyedImageRequest } from "./read-image.ts";

/** The worker's answer to a {@link KeyedImageRequest}. */
export type ImageAnswer = { result: ImageResult } | { failure: string };

/** Longer than any allowed image takes on a slow device, its download included. */
const MAX_READ_MS = 60_000;

export class ImageReader {
  readonly #url: string;
  readonly #start: typeof openWorker;
  readonly #timers: Timers;
  readonly #key = crypto.getRandomValues(new Uint8Array(32));
  #worker: Worker | undefined;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** @param url of the image worker's script */
  constructor(url: string, timers: Timers = systemTimers, start = openWorker) {
    this.#url = url;
    this.#start = start;
    this.#timers = timers;
  }

  /**
   * @throws {PartError} if the worker's script does not load; the signal's reason
   */
  read(request: ImageRequest, signal: AbortSignal): Promise<ImageResult> {
    this.#waiting++;
    const result = this.#last.then(() => {
      signal.throwIfAborted();
      return this.#run(request);
    });
    this.#last = result
      .catch(() => {})
      .finally(() => {
        // Only the worker's end returns the memory of its decoders.
        if (--this.#waiting === 0) this.#end();
      });
    return abortable(result, signal);
  }

  #end(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  #run(request: ImageRequest): Promise<ImageResult> {
    return new Promise((resolve, reject) => {
      const worker = this.#worker ?? this.#start(this.#url, "infetch-images");
      this.#worker = worker;
      const cancelTimer = this.#timers.after(MAX_READ_MS, () => {
        this.#end();
        const message = `The image cannot be read: it takes longer than ${MAX_READ_MS / 1000} s.`;
        resolve({ ok: false, code: "image_parse_error", message });
      });
      worker.onmessage = ({ data }: MessageEvent<ImageAnswer>) => {
        cancelTimer();
        if ("result" in data) resolve(data.result);
        else reject(new Error(data.failure));
      };
      worker.onerror = (event) => {
        event.preventDefault();
        cancelTimer();
        this.#end();
        const said = event.message || undefined;
        explainStart(this.#url, said)
          .catch(() => undefined)
          .then((fault) => reject(new PartError(fault ?? `The image worker failed: ${said}.`, event)));
      };
      worker.postMessage({ ...request, key: this.#key } satisfies KeyedImageRequest);
    });
  }
}
