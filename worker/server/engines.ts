/** Composes the engines of one server: a shared memory budget, a chat supervisor and an embedding service. */

import type { EngineEvent, ModelProgressEvent } from "../../src/protocol/events.ts";
import type { ServerOptions } from "../../src/protocol/options/server-options.ts";
import type { UnloadOptions } from "../../src/protocol/rpc/models.ts";
import { type GgufKinds, isOfOtherKind } from "../catalog/gguf-kinds.ts";
import type { CatalogRecord } from "../catalog/model-record.ts";
import type { Clock } from "../clock.ts";
import type { ChatEngine } from "../engine-api/chat-engine.ts";
import type { EmbeddingService } from "../engines/embeddings/embedding-service.ts";
import { createMemory } from "../engines/memory/create-memory.ts";
import { chatMemory } from "../engines/memory/estimate.ts";
import type { LoadableModel, StartEngine } from "../engines/scheduling/start-engine.ts";
import { EngineSupervisor } from "../engines/scheduling/supervisor.ts";
import {
  createEmbeddingService,
  type EngineServices,
} from "../engines/transformers/create-embedding-service.ts";
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

/** @param kinds learns of GGUF files from their loads */
export function openEngines(
  options: ServerOptions,
  serverLock: string,
  kinds: GgufKinds,
  clock: Clock,
  emit: (event: ModelProgressEvent | EngineEvent) => void,
): ServerEngines {
  const services = { options, serverLock, kinds, emit, clock, memory: createMemory(options) };
  return enginesOfKinds(openChat(services), createEmbeddingService(services));
}

function openChat(services: EngineServices): EngineSupervisor {
  const { options, kinds, emit, clock, memory } = services;
  let startChat: StartEngine | undefined;
  return new EngineSupervisor<ChatEngine, LoadableModel>({
    start: async (model, context) => {
      const part = await loadPart(() => import("../engines/chat/start-chat-engine.ts"));
      startChat ??= part.createChatEngineStart(services);
      return kinds.learn(model.builds.llamacpp, "chat", startChat(model, context));
    },
    emit,
    maxQueued: options.maxQueuedRequests,
    clock,
    memory,
    estimate: chatMemory,
  });
}

/** Calls the engines of a model's kind; those of both kinds where only a load can tell it. */
function enginesOfKinds(chat: EngineSupervisor, embeddings: EmbeddingService): ServerEngines {
  const loadAs = (model: CatalogRecord, signal: AbortSignal): Promise<void> =>
    model.kind === "embedding"
      ? embeddings.load(model.embedding, signal)
      : chat.use(model, signal, async () => {});
  const enginesOf = ({ kind, otherwise }: CatalogRecord) =>
    otherwise ? [chat, embeddings] : [kind === "embedding" ? embeddings : chat];
  return {
    chat,
    embeddings,
    async load(model, signal) {
      try {
        await loadAs(model, signal);
      } catch (error) {
        if (!model.otherwise || !isOfOtherKind(error)) throw error;
        await loadAs(model.otherwise, signal);
      }
    },
    async unload(model, options) {
      await Promise.all(enginesOf(model).map((engines) => engines.unload(model.id, options)));
    },
    async release(model) {
      await Promise.all(enginesOf(model).map((engines) => engines.retire(model.id)));
    },
    cancel(model) {
      for (const engines of enginesOf(model)) engines.cancel(model.id);
    },
    // An engine that ends meanwhile keeps nothing.
    retainedTokens: async (modelId) =>
      chat
        .loaded(modelId)
        ?.retainedTokens()
        .catch(() => undefined),
  };
}
