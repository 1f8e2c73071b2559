/** Loads a model in an engine's worker. */

import { transfer } from "comlink";
import { AwakeTimeout } from "../../../src/protocol/awake-timeout.ts";
import type { EngineResult } from "../api/engine-wire.ts";
import type { LoadProgress } from "../api/load-progress.ts";
import type { EngineWorker } from "./engine-worker.ts";

/** Upper bound for the time that an engine needs for a model whose files are there, without any progress. */
const LOAD_TIMEOUT_MS = 600_000;

/**
 * Ends the worker if the load fails or hangs.
 *
 * @param load starts the load, which posts its progress to the port
 * @throws {EngineError} the load's own failure; `engine_lost` if it hangs
 */
export async function loadInWorker<T>(
  worker: Pick<EngineWorker<never>, "call" | "end">,
  load: (progress: MessagePort) => Promise<EngineResult<T>>,
  onProgress: (progress: LoadProgress) => void,
): Promise<T> {
  const { port1: local, port2: remote } = new MessageChannel();
  let timeout: AwakeTimeout | undefined;
  local.onmessage = ({ data }: MessageEvent<LoadProgress>) => {
    timeout?.clear();
    // Downloads have limits of their own.
    if (data.phase !== "download")
      timeout = new AwakeTimeout(LOAD_TIMEOUT_MS, () => worker.end("its load did not end"));
    onProgress(data);
  };
  try {
    return await worker.call(load(transfer(remote, [remote])));
  } catch (error) {
    worker.end("it could not load its model");
    throw error;
  } finally {
    timeout?.clear();
    local.close();
  }
}
