/** Wires the embedding service to its engines. */

import type { EngineEvent, ModelProgressEvent } from "../../../src/protocol/events.ts";
import type { ServerOptions } from "../../../src/protocol/options/server-options.ts";
import type { GgufKinds } from "../../catalog/gguf-kinds.ts";
import type { Clock } from "../../clock.ts";
import type { EmbeddingEngine } from "../../engine-api/embedding-engine.ts";
import type { EmbeddingModel } from "../../engine-api/embedding-model.ts";
import { loadPart } from "../../lazy/part.ts";
import { EmbeddingService } from "../embeddings/embedding-service.ts";
import { embeddingMemory } from "../memory/estimate.ts";
import type { MemoryBudget } from "../memory/memory-budget.ts";
import { memoryOfKind } from "../memory/memory-of-kind.ts";
import { EngineSupervisor } from "../scheduling/supervisor.ts";

const onnxPart = () => loadPart(() => import("./start-in-browser.ts"));
const ggufPart = () => loadPart(() => import("../llamacpp/embeddings/start-gguf-embedding.ts"));

/** What starts the engines of a server. */
export interface EngineServices {
  options: ServerOptions;
  /** The lock that engine workers watch. */
  serverLock: string;
  /** Learns of GGUF files from their loads. */
  kinds: Pick<GgufKinds, "learn">;
  emit(event: ModelProgressEvent | EngineEvent): void;
  clock: Clock;
  /** Shared by all engines of the server. */
  memory: MemoryBudget;
}

export function createEmbeddingService({
  options,
  serverLock,
  kinds,
  emit,
  clock,
  memory,
}: EngineServices): EmbeddingService {
  const own = memoryOfKind("embedding", memory);
  const llamacpp = {
    workerURL: options.engineURLs.llamacpp,
    serverLock,
    hubToken: options.hub.token,
    onNote: (model: string, reason: string) => emit({ type: "engine", model, state: "note", reason }),
    roomFor: own.roomFor,
  };
  const engines = new EngineSupervisor<EmbeddingEngine, EmbeddingModel>({
    start: async (model, context) => {
      const { gguf } = model;
      if (gguf) {
        const { startGgufEmbedding } = await ggufPart();
        // A stated pooling makes an embedding model of any file.
        const learned = model.pooling === undefined ? gguf : undefined;
        return kinds.learn(learned, "embedding", startGgufEmbedding(llamacpp, { ...model, gguf }, context));
      }
      return (await onnxPart()).startInBrowser({ options, serverLock, emit }, model, context);
    },
    emit,
    maxQueued: options.maxQueuedRequests,
    clock,
    memory: own,
    estimate: embeddingMemory,
  });
  return new EmbeddingService(engines, options.maxQueuedRequests);
}
