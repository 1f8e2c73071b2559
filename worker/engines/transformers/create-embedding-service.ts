/** Wires the embedding service to its engines. */

import type { EngineEvent, ModelProgressEvent } from "../../../src/protocol/events.ts";
import type { ServerOptions } from "../../../src/protocol/server-options.ts";
import type { Clock } from "../../clock.ts";
import { loadPart } from "../../lazy/part.ts";
import type { EmbeddingEngine } from "../api/embedding-engine.ts";
import type { EmbeddingModel } from "../api/embedding-model.ts";
import { withHubToken } from "../api/hub-token.ts";
import { EmbeddingService } from "../embeddings/embedding-service.ts";
import { embeddingMemory } from "../memory/estimate.ts";
import type { MemoryBudget } from "../memory/memory-budget.ts";
import { EngineSupervisor } from "../scheduling/supervisor.ts";

const part = () => loadPart(() => import("./start-in-browser.ts"));

interface EmbeddingServices {
  options: ServerOptions;
  /** The lock that engine workers watch. */
  serverLock: string;
  emit(event: ModelProgressEvent | EngineEvent): void;
  clock: Clock;
  /** Shared by all engines of the server. */
  memory: MemoryBudget;
}

export function createEmbeddingService({
  options,
  serverLock,
  emit,
  clock,
  memory,
}: EmbeddingServices): EmbeddingService {
  const { runtimeURL, device } = options.embeddings;
  const start = {
    workerURL: options.engineURLs.transformers,
    runtimeURL,
    serverLock,
    device,
    onFallback: (model: string, reason: string) => emit({ type: "engine", model, state: "fallback", reason }),
    onNote: (model: string, reason: string) => emit({ type: "engine", model, state: "note", reason }),
  };
  const engines = new EngineSupervisor<EmbeddingEngine, EmbeddingModel>({
    start: async (model, context) =>
      (await part()).startInBrowser(start, withHubToken(model, options.hub.token), context),
    emit,
    maxQueued: options.maxQueuedRequests,
    clock,
    memory,
    estimate: embeddingMemory,
  });
  return new EmbeddingService(engines, options.maxQueuedRequests);
}
