/** Loads an embedding model on the best backend that passes the self-test. */

import type { EmbeddingEngine } from "../../engine-api/embedding-engine.ts";
import type { EmbeddingModel, ReferenceVector } from "../../engine-api/embedding-model.ts";
import { EngineError, type EngineErrorCode } from "../../engine-api/engine-error.ts";
import type { DeviceChoice } from "../../engine-api/gpu.ts";
import type { LoadProgress } from "../../engine-api/load-progress.ts";
import { findFault, PROBES } from "../embeddings/self-test.ts";
import type { EngineWorkerOptions } from "../scheduling/engine-worker.ts";
import type { StartContext } from "../scheduling/start-engine.ts";
import { attemptsFor, attemptText, type EmbeddingAttempt } from "./attempts.ts";
import type { EmbeddingLoad } from "./embedding-wire.ts";

const REFUSALS: ReadonlySet<EngineErrorCode> = new Set<EngineErrorCode>([
  "model_gated",
  "hub_token_invalid",
  "hub_model_not_found",
  "hub_revision_not_found",
  "rate_limited",
  "unsupported_model",
  "unknown_pooling",
]);

/** An engine with its vectors of the self-test probes. */
export interface ProbedEngine extends EmbeddingEngine {
  readonly probes: readonly Float32Array[];
}

export interface EmbeddingStart {
  workerURL: string;
  runtimeURL: string;
  serverLock: string;
  device: DeviceChoice;
  /** Called once per load. */
  hasHardwareGpu: () => Promise<boolean>;
  startWorker: (
    options: EngineWorkerOptions,
    load: EmbeddingLoad,
    onProgress: (progress: LoadProgress) => void,
  ) => Promise<ProbedEngine>;
  /** Called with the reason when a backend is rejected. */
  onFallback: (modelId: string, reason: string) => void;
  /** Called for each note on an engine that was kept. */
  onNote: (modelId: string, note: string) => void;
}

/**
 * Tries the backends in order, each in a fresh worker, and keeps the first whose vectors pass the self-test. After a
 * failed download, only weights that are cached are tried: others may be several times as large.
 *
 * @param context its `onEnd` is called when the returned engine ends, not a rejected one
 * @throws {EngineError} the last failure if no backend passes, or at once what no backend changes
 * @throws the signal's reason
 */
export async function startEmbeddingEngine(
  start: EmbeddingStart,
  { reference, ...model }: EmbeddingModel,
  context: StartContext,
): Promise<EmbeddingEngine> {
  const known = await reference?.();
  let failure: EngineError | undefined;
  for (const attempt of attemptsFor(model, start.device, await start.hasHardwareGpu())) {
    const isCacheOnly = failure?.code === "model_download_failed";
    const tried = await tryAttempt(start, { model, known, attempt, isCacheOnly, ...context });
    if (!(tried instanceof EngineError)) {
      for (const note of tried.info.notes ?? []) start.onNote(model.id, note);
      return tried;
    }
    if (isCacheOnly) continue;
    failure = tried;
    // No backend gets what the hub refuses, or runs a model of another kind.
    if (REFUSALS.has(failure.code)) throw failure;
    start.onFallback(model.id, failedText(attempt, failure));
  }
  throw failure ?? new EngineError("engine_unavailable", `No backend can run ${model.id}.`);
}

interface Attempt extends StartContext {
  model: EmbeddingLoad["model"];
  /** Stored vectors of the model, if any. */
  known: readonly ReferenceVector[] | undefined;
  attempt: EmbeddingAttempt;
  isCacheOnly: boolean;
}

/**
 * Returns the engine if its vectors pass the self-test; otherwise ends it and returns the failure.
 *
 * @throws the signal's reason
 */
async function tryAttempt(
  start: EmbeddingStart,
  { onEnd, ...of }: Attempt,
): Promise<ProbedEngine | EngineError> {
  const { attempt, signal } = of;
  let engine: ProbedEngine | undefined;
  let isAccepted = false;
  let ended: string | undefined;
  let failure: EngineError;
  const onEngineEnd = (reason: string): void => {
    ended = reason;
    if (isAccepted) onEnd(reason);
  };
  try {
    engine = await startAttempt(start, { ...of, onEnd: onEngineEnd });
    const fault = findFault(engine.probes, await references(start, of), attempt.dtype);
    isAccepted = fault === undefined && ended === undefined;
    if (isAccepted) return engine;
    failure = new EngineError("engine_unavailable", `The self-test failed: ${fault ?? ended}.`);
  } catch (error) {
    failure = error instanceof EngineError ? error : new EngineError("model_load_failed", String(error));
  }
  signal.throwIfAborted();
  engine?.dispose(failedText(attempt, failure));
  return failure;
}

function failedText(attempt: EmbeddingAttempt, { message }: EngineError): string {
  return `${attemptText(attempt)} failed: ${message}`;
}

function startAttempt(
  { workerURL, runtimeURL, serverLock, startWorker }: EmbeddingStart,
  { model, known, attempt, isCacheOnly, onProgress, onEnd, signal }: Attempt,
): Promise<ProbedEngine> {
  const probes = known?.map(({ text }) => text) ?? PROBES;
  const name = `infetch-transformers:${model.id}`;
  return startWorker(
    { workerURL, name, serverLock, onEnd, signal },
    { model, attempt, runtimeURL, probes, isCacheOnly },
    onProgress,
  );
}

/** The stored reference vectors, or for WebGPU the vectors that WASM computes from the same file. */
async function references(
  start: EmbeddingStart,
  of: Omit<Attempt, "onEnd">,
): Promise<readonly ArrayLike<number>[] | undefined> {
  if (of.known) return of.known.map(({ vector }) => vector);
  if (of.attempt.device === "wasm") return undefined;
  const attempt: EmbeddingAttempt = { ...of.attempt, device: "wasm" };
  const wasm = await startAttempt(start, { ...of, attempt, onProgress: () => {}, onEnd: () => {} });
  const vectors = wasm.probes;
  wasm.dispose("its vectors are known");
  return vectors;
}
