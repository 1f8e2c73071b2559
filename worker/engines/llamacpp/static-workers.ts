/**
 * Lets wllama run under `worker-src 'self'`. It starts its worker from a `blob:` URL, which such a policy blocks
 * silently; during the load, `new Worker` opens the same script from a file instead (`scripts/build/llamacpp.ts`).
 */

import { ENGINE_START_TIMEOUT_MS, isUnresponsive } from "../../../src/protocol/assets/start-worker.ts";
import { watchLock } from "../../../src/protocol/liveness/liveness.ts";
import type { FatalCode } from "../../engine-api/watch-devices.ts";

export interface StaticWorker {
  url: string;
  /** Additional threads; 0 for none. */
  threads: number;
  /** Whether the worker may use WebGPU. */
  onGPU: boolean;
  /** Called when it has a WebGPU device, or with the reason why it was refused one. */
  onDevice: (refusal?: string) => void;
  /** Called when that device fails, memory is refused, or the worker never runs its first line. */
  onFault: (code: FatalCode, reason: string) => void;
  /** Called when the worker fails to start, aborts or ends. */
  onEnd: (reason: string) => void;
}

/** Sent by the script once it holds its lock; ignored by the library. */
const HOLDS_LOCK = "infetch.holds-lock";

/** Sent by the script when it has a WebGPU device or was refused one. */
const DEVICE = "infetch.device";

/** Sent by the script when that device fails, or the browser refuses WebAssembly more memory. */
const FAILED = "infetch.failed";

/** Sent by the script when WebAssembly aborts. */
const ABORTED = "signal.abort";

/** Runs `work` while the library's workers are loaded from the file at `url`. */
export async function withStaticWorkers<T>(
  { url, threads, onGPU, onDevice, onFault, onEnd }: StaticWorker,
  work: () => Promise<T>,
): Promise<T> {
  const lock = `infetch:llamacpp:${crypto.randomUUID()}`;
  // Passed in the worker's name, not its URL: only the plain URL is cached for offline use.
  const name = JSON.stringify({ threads, lock, onGPU });
  const scope = self as { Worker: typeof Worker };
  const Original = scope.Worker;
  let hasEnded = false;
  scope.Worker = class extends Original {
    constructor(address: string | URL, options?: WorkerOptions) {
      const isInline = String(address).startsWith("blob:");
      if (isInline) URL.revokeObjectURL(String(address));
      super(isInline ? url : address, isInline ? { ...options, name } : options);
      let hasResponded = false;
      this.addEventListener("error", (event) => {
        hasResponded = true;
        // It would go on to the server, which would end this engine before the cause is found.
        event.preventDefault();
        onEnd(event.message || "its script did not load");
      });
      this.addEventListener("message", (event) => {
        hasResponded = true;
        const { data } = event;
        if (data?.verb === HOLDS_LOCK) watchLock(lock, () => onEnd("its worker ended"));
        if (data?.verb === DEVICE) onDevice(data.refusal);
        if (data?.verb === FAILED) onFault(data.code, data.reason);
        if (data?.verb !== ABORTED || typeof data.args?.[1] === "string") return;
        // The library reads causes as texts, and fails at errors that WebAssembly threw.
        event.stopImmediatePropagation();
        const cause = data.args?.[1] as Error | undefined;
        onEnd(String(cause?.message ?? cause));
      });
      void isUnresponsive(url, ENGINE_START_TIMEOUT_MS, () => hasResponded || hasEnded).then(
        (isDead) => isDead && onFault("engine_lost", "llama.cpp's worker did not start"),
      );
    }
  };
  try {
    return await work();
  } finally {
    hasEnded = true;
    scope.Worker = Original;
  }
}
