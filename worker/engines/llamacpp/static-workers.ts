/**
 * Lets wllama run under `worker-src 'self'`. It starts its worker from a `blob:` address, which such a policy forbids
 * without a word; for as long as it loads, `new Worker` opens the same script from a file instead
 * (`scripts/llamacpp-build.ts`).
 */

import { watchLock } from "../../../src/protocol/liveness.ts";

export interface StaticWorker {
  /** Of the file, with everything that the script reads from its address. */
  url: string;
  /** The lock that the worker holds for life. */
  lock: string;
}

/** What the script says once it holds its lock; the library does not know the word. */
const HOLDS_LOCK = "infetch.holds-lock";

/**
 * @param folder that holds `worker.js`, with a slash at its end
 * @param threads 0 for none beside the worker's own
 */
export function staticWorker(folder: string, threads: number): StaticWorker {
  const lock = `infetch:llamacpp:${crypto.randomUUID()}`;
  const url = new URL("worker.js", folder);
  url.searchParams.set("threads", String(threads));
  url.searchParams.set("lock", lock);
  return { url: url.href, lock };
}

/**
 * Runs `work`, in which the library's workers come from files.
 *
 * @param onEnd once, when such a worker did not start, or is gone
 */
export async function withStaticWorkers<T>(
  { url, lock }: StaticWorker,
  onEnd: (reason: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  const scope = self as { Worker: typeof Worker };
  const Original = scope.Worker;
  scope.Worker = class extends Original {
    constructor(address: string | URL, options?: WorkerOptions) {
      const isInline = String(address).startsWith("blob:");
      if (isInline) URL.revokeObjectURL(String(address));
      super(isInline ? url : address, options);
      this.addEventListener("error", (event) => onEnd(event.message || "its script did not load"));
      this.addEventListener("message", ({ data }) => {
        if (data?.verb === HOLDS_LOCK) watchLock(lock, () => onEnd("its worker ended"));
      });
    }
  };
  try {
    return await work();
  } finally {
    scope.Worker = Original;
  }
}
