/** Worker side of every engine: lock, connection, and calls that return failures as data. */

import { expose } from "comlink";
import { allowOwnWorkers } from "../../../src/protocol/assets/trusted-types.ts";
import { holdLock, watchLock } from "../../../src/protocol/liveness/liveness.ts";
import { PACKAGE_VERSION } from "../../../src/protocol/package-version.ts";
import type { EngineErrorCode } from "../../engine-api/engine-error.ts";
import type {
  EngineConnectMessage,
  EngineFailure,
  EngineFatalMessage,
  EngineResult,
} from "../../engine-api/engine-wire.ts";
import { type FatalCode, watchDevices } from "../../engine-api/watch-devices.ts";

/**
 * Serves `endpoint` to the server that connects, and closes the worker when that server ends. A GPU failure loses or
 * corrupts the tensors, so the worker then reports the cause and closes.
 */
export function serveEngine<E extends object>(endpoint: E): void {
  // Safe to import outside a worker, for example during server-side rendering.
  if (!("WorkerGlobalScope" in globalThis)) return;
  watchDevices(endEngine);
  self.addEventListener("message", ({ data }: MessageEvent<EngineConnectMessage>) => {
    if (data?.type !== "connect") return;
    // Libraries start workers for their threads.
    allowOwnWorkers();
    const ready = async (): Promise<string> => {
      await holdLock(data.engineLock);
      return PACKAGE_VERSION;
    };
    expose({ ...endpoint, ready, ping() {} }, data.port);
    watchLock(data.serverLock, () => self.close());
  });
}

/** Reports the failure that ends this engine, and closes its worker. */
export function endEngine(code: FatalCode, message: string): void {
  self.postMessage({ type: "fatal", code, message } satisfies EngineFatalMessage);
  self.close();
}

/** Runs a call and returns failures as data. */
type AsResult = <T>(otherwise: EngineErrorCode, work: () => Promise<T>) => Promise<EngineResult<T>>;

/** @param toFailure maps the engine's own errors; `otherwise` is the code for all others */
export function engineResultsWith(
  toFailure: (error: unknown, otherwise: EngineErrorCode) => EngineFailure,
): AsResult {
  return async (otherwise, work) => {
    try {
      return { ok: true, value: await work() };
    } catch (error) {
      return { ok: false, error: toFailure(error, otherwise) };
    }
  };
}
