/** Loads an embedding model on the best backend that passes the self-test. */

import { EngineError, type EngineErrorCode } from "../api/engine-error.ts";
import type { DeviceChoice } from "../api/gpu.ts";
import type { EmbeddingEngine, EmbeddingModel, LoadProgress } from "../api/types.ts";
import type { EngineWorkerOptions } from "../scheduling/engine-worker.ts";
import type { StartContext } from "../scheduling/start-engine.ts";
import { attemptsFor, attemptText, type EmbeddingAttempt } from "./attempts.ts";
import type { EmbeddingLoad } from "./embedding-wire.ts";
import { findFault, PROBES } from "./self-test.ts";

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
 * Tries the backends in order, each in a fresh worker, and keeps the first whose vectors pass the self-test.
 *
 * @param context its `onEnd` is called when the returned engine ends, not a rejected one
 * @throws {EngineError} the last failure if no backend passes, or at once what no backend changes
 * @throws the signal's reason
 */
export async function startEmbeddingEngine(
  start: EmbeddingStart,
  model: EmbeddingModel,
  { onProgress, onEnd, signal }: StartContext,
): Promise<EmbeddingEngine> {
  const attempts = attemptsFor(model, start.device, await start.hasHardwareGpu());
  let failure: EngineError | undefined;
  for (const attempt of attempts) {
    let accepted = false;
    let ended: string | undefined;
    let engine: ProbedEngine | undefined;
    try {
      engine = await startAttempt(start, {
        model,
        attempt,
        onProgress,
        onEnd: (reason) => {
          ended = reason;
          if (accepted) onEnd(reason);
        },
        signal,
      });
      const fault = findFault(engine.probes, await references(start, model, attempt, signal), attempt.dtype);
      accepted = fault === undefined && ended === undefined;
      if (accepted) {
        for (const note of engine.facts.notes ?? []) start.onNote(model.id, note);
        return engine;
      }
      failure = new EngineError("engine_unavailable", `The self-test failed: ${fault ?? ended}.`);
    } catch (error) {
      failure = error instanceof EngineError ? error : new EngineError("model_load_failed", String(error));
    }
    signal.throwIfAborted();
    const reason = `${attemptText(attempt)} failed: ${failure.message}`;
    engine?.dispose(reason);
    // No backend gets what the hub refuses, or runs a model of another kind.
    if (REFUSALS.has(failure.code)) throw failure;
    start.onFallback(model.id, reason);
  }
  throw failure ?? new EngineError("engine_unavailable", `No backend can run ${model.id}.`);
}

interface Attempt {
  model: EmbeddingModel;
  attempt: EmbeddingAttempt;
  onProgress?: (progress: LoadProgress) => void;
  onEnd?: (reason: string) => void;
  signal: AbortSignal;
}

function startAttempt(
  { workerURL, runtimeURL, serverLock, startWorker }: EmbeddingStart,
  { model, attempt, onProgress = () => {}, onEnd = () => {}, signal }: Attempt,
): Promise<ProbedEngine> {
  const probes = model.reference?.map(({ text }) => text) ?? PROBES;
  const name = `infetch-transformers:${model.id}`;
  return startWorker(
    { workerURL, name, serverLock, onEnd, signal },
    { model, attempt, runtimeURL, probes },
    onProgress,
  );
}

/** The stored reference vectors, or for WebGPU the vectors that WASM computes from the same file. */
async function references(
  start: EmbeddingStart,
  model: EmbeddingModel,
  attempt: EmbeddingAttempt,
  signal: AbortSignal,
): Promise<readonly ArrayLike<number>[] | undefined> {
  if (model.reference) return model.reference.map(({ vector }) => vector);
  if (attempt.device === "wasm") return undefined;
  const wasm = await startAttempt(start, { model, attempt: { ...attempt, device: "wasm" }, signal });
  const vectors = wasm.probes;
  wasm.dispose("its vectors are known");
  return vectors;
}
