/** Puts the embedding side of the server together. */

import type { EngineEvent, ProgressEvent, ServerOptions } from "../../../src/protocol/wire.ts";
import type { Clock } from "../../clock.ts";
import { EmbeddingService } from "../embedding-service.ts";
import { embeddingMemory } from "../memory/estimate.ts";
import type { MemoryBudget } from "../memory/memory-budget.ts";
import { EngineSupervisor } from "../supervisor.ts";
import type { EmbeddingEngine, EmbeddingModel } from "../types.ts";
import { hasHardwareGpu } from "./attempts.ts";
import { RemoteEmbeddingEngine } from "./remote-embedding-engine.ts";
import { startEmbeddingEngine } from "./start-embedding-engine.ts";

export function createEmbeddingService(
  options: ServerOptions,
  serverLock: string,
  emit: (event: ProgressEvent | EngineEvent) => void,
  clock: Clock,
  memory: MemoryBudget,
): EmbeddingService {
  const { runtimeURL, device } = options.embeddings;
  const start = {
    workerURL: options.engineURLs.transformers,
    runtimeURL,
    serverLock,
    device,
    hasHardwareGpu: () => hasHardwareGpu(navigator.gpu),
    startWorker: RemoteEmbeddingEngine.start,
    onFallback: (model: string, reason: string) => emit({ type: "engine", model, state: "fallback", reason }),
  };
  const engines = new EngineSupervisor<EmbeddingEngine, EmbeddingModel>(
    (model, onProgress, onEnd, signal) => startEmbeddingEngine(start, model, onProgress, onEnd, signal),
    emit,
    options.maxQueuedRequests,
    clock,
    memory,
    embeddingMemory,
  );
  return new EmbeddingService(engines, options.maxQueuedRequests);
}
