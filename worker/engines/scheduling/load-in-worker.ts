/** Loads a model in an engine's worker. */

import { type Remote, transfer } from "comlink";
import { AwakeTimeout } from "../../../src/protocol/liveness/awake-timeout.ts";
import type { EngineResult } from "../../engine-api/engine-wire.ts";
import type { LoadProgress } from "../../engine-api/load-progress.ts";
import type { EngineWorker } from "./engine-worker.ts";

/** Upper bound for the time that an engine needs for a model whose files are there, without any progress. */
const LOAD_TIMEOUT_MS = 180_000;
/** More for larger models: a slow disk reads 2^30 bytes in less. */
const LOAD_TIMEOUT_MS_PER_GIB = 120_000;
const PING_MS = 60_000;

/**
 * Ends the worker if the load fails or hangs.
 *
 * @param load starts the load, which posts its progress to the port
 * @throws {EngineError} the load's own failure; `engine_lost` if it hangs
 */
export async function loadInWorker<T>(
  worker: Pick<EngineWorker<never>, "call" | "end"> & { readonly endpoint: unknown },
  load: (progress: MessagePort) => Promise<EngineResult<T>>,
  onProgress: (progress: LoadProgress) => void,
): Promise<T> {
  const { port1: local, port2: remote } = new MessageChannel();
  let totalBytes = 0;
  const newTimeout = () => {
    const limitMs = LOAD_TIMEOUT_MS + LOAD_TIMEOUT_MS_PER_GIB * (totalBytes / 2 ** 30);
    return new AwakeTimeout(limitMs, () => worker.end("its load did not end"));
  };
  let timeout = newTimeout();
  const restart = (): void => {
    timeout.clear();
    timeout = newTimeout();
  };
  let isDownload = true;
  let isOver = false;
  local.onmessage = ({ data }: MessageEvent<LoadProgress>) => {
    isDownload = data.phase === "download";
    totalBytes = data.totalBytes;
    restart();
    onProgress(data);
  };
  // Downloads have limits of their own: they may take any time while the worker answers.
  const onAnswer = (): void => {
    if (isDownload && !isOver) restart();
  };
  const pings = setInterval(() => {
    if (isDownload) ping(worker).then(onAnswer, onAnswer);
  }, PING_MS);
  try {
    return await worker.call(load(transfer(remote, [remote])));
  } catch (error) {
    worker.end("it could not load its model");
    throw error;
  } finally {
    isOver = true;
    timeout.clear();
    clearInterval(pings);
    local.close();
  }
}

/** Settles once the worker handles messages; `serveEngine` adds this call to each endpoint. */
export function ping({ endpoint }: { readonly endpoint: unknown }): Promise<void> {
  return (endpoint as Remote<{ ping(): void }>).ping();
}
