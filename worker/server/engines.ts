/** Composes the engines of one server: a shared memory budget, a chat supervisor and an embedding service. */

import type { EngineEvent, ModelProgressEvent } from "../../src/protocol/events.ts";
import type { UnloadOptions } from "../../src/protocol/models.ts";
import type { ServerOptions } from "../../src/protocol/server-options.ts";
import type { CatalogRecord } from "../catalog/model-record.ts";
import type { Clock } from "../clock.ts";
import type { ChatEngine } from "../engines/api/chat-engine.ts";
import type { EmbeddingService } from "../engines/embeddings/embedding-service.ts";
import { createMemory } from "../engines/memory/create-memory.ts";
import { chatMemory } from "../engines/memory/estimate.ts";
import type { LoadableModel, StartEngine } from "../engines/scheduling/start-engine.ts";
import { EngineSupervisor } from "../engines/scheduling/supervisor.ts";
import { createEmbeddingService } from "../engines/transformers/create-embedding-service.ts";
import { loadPart } from "../lazy/part.ts";

export interface ServerEngines {
  chat: EngineSupervisor;
  embeddings: EmbeddingService;
  /** Loads a model, or joins a load in progress. Rejects when the signal aborts. */
  load(model: CatalogRecord, signal: AbortSignal): Promise<void>;
  /** Terminates a model's engine, after its pending requests or at once. */
  unload(model: CatalogRecord, options?: UnloadOptions): Promise<void>;
  /** Terminates the engine of a deleted model after its pending requests. */
  release(model: CatalogRecord): Promise<void>;
  /** Cancels a model's load in progress. */
  cancel(model: CatalogRecord): void;
  /** Tokens that a chat model keeps for later prompts; undefined while it is not loaded. */
  retainedTokens(modelId: string): Promise<number | undefined>;
}

export function openEngines(
  options: ServerOptions,
  serverLock: string,
  clock: Clock,
  emit: (event: ModelProgressEvent | EngineEvent) => void,
): ServerEngines {
  const memory = createMemory(options);
  let startChat: StartEngine | undefined;
  const chat = new EngineSupervisor<ChatEngine, LoadableModel>({
    start: async (model, context) => {
      const part = await loadPart(() => import("../engines/chat/start-chat-engine.ts"));
      startChat ??= part.createChatEngineStart({ options, serverLock, emit, memory });
      return startChat(model, context);
    },
    emit,
    maxQueued: options.maxQueuedRequests,
    clock,
    memory,
    estimate: chatMemory,
  });
  const embeddings = createEmbeddingService({ options, serverLock, emit, clock, memory });
  const engineOf = ({ kind }: CatalogRecord) => (kind === "embedding" ? embeddings : chat);
  return {
    chat,
    embeddings,
    load: (model, signal) =>
      model.kind === "embedding"
        ? embeddings.load(model.embedding, signal)
        : chat.use(model, signal, async () => {}),
    unload: (model, options) => engineOf(model).unload(model.id, options),
    release: (model) => engineOf(model).retire(model.id),
    cancel: (model) => engineOf(model).cancel(model.id),
    // An engine that ends meanwhile keeps nothing.
    retainedTokens: async (modelId) =>
      chat
        .loaded(modelId)
        ?.retainedTokens()
        .catch(() => undefined),
  };
}
