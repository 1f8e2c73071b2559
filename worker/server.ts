/** The server worker: the composition root. Everything that the server is made of is put together here. */

import { holdLock } from "../src/protocol/liveness.ts";
import {
  type ConnectMessage,
  PROTOCOL_VERSION,
  type RuntimeEvent,
  type ServerOptions,
} from "../src/protocol/wire.ts";
import { KeyRing } from "./accounts/keys.ts";
import { createApp } from "./app.ts";
import { builtInModels } from "./catalog/built-in.ts";
import { Catalog } from "./catalog/catalog.ts";
import { builtInEmbedding, catalogueEmbeddings, embeddingRecord } from "./catalog/embedding-models.ts";
import { systemClock as clock, unixSeconds } from "./clock.ts";
import { Connections } from "./connections.ts";
import { requireRecord } from "./endpoints/endpoint.ts";
import { RemoteChatEngine } from "./engines/remote-engine.ts";
import { EngineSupervisor } from "./engines/supervisor.ts";
import { createEmbeddingService } from "./engines/transformers/create-embedding-service.ts";
import { ReplyMemory } from "./generation/prompt/reply-memory.ts";
import { MemoryLedger } from "./ledger/memory-ledger.ts";

async function startServer(options: ServerOptions): Promise<Connections> {
  const serverLock = `infetch:${PROTOCOL_VERSION}:server:${crypto.randomUUID()}`;
  await holdLock(serverLock);
  const keys = new KeyRing();
  const { hubURL, models } = options.embeddings;
  const catalog = new Catalog([
    ...builtInModels(options.modelsURL),
    builtInEmbedding(options.modelsURL),
    ...catalogueEmbeddings(hubURL),
    ...models.map((model) => embeddingRecord(model, hubURL, unixSeconds(clock))),
  ]);
  const emit = (event: RuntimeEvent): void => connections.broadcast(event);
  const engines = new EngineSupervisor(
    (model, onProgress, onEnd) =>
      RemoteChatEngine.start(
        { workerURL: options.engineURLs.webllm, name: `infetch-webllm:${model.id}`, serverLock, onEnd },
        model.files,
        onProgress,
      ),
    emit,
    options.maxQueuedRequests,
    clock,
  );
  const embeddings = createEmbeddingService(options, serverLock, emit, clock);
  const app = createApp(
    { clock, catalog, engines, embeddings, meter: new MemoryLedger(clock), recall: new ReplyMemory() },
    keys,
  );
  const connections: Connections = new Connections({
    app,
    keys,
    clock,
    serverLock,
    optionsFingerprint: JSON.stringify(options),
    load: async (id) => {
      const model = requireRecord(catalog, id);
      if (model.engine === "transformers") await embeddings.load(model.embedding);
      else await engines.engine(model);
    },
    unload: async (id) => {
      const model = requireRecord(catalog, id);
      await (model.engine === "transformers" ? embeddings : engines).unload(model.id);
    },
  });
  return connections;
}

let server: Promise<Connections> | undefined;

self.addEventListener("message", ({ data }: MessageEvent<ConnectMessage>) => {
  if (data?.type !== "connect") return;
  server ??= startServer(data.options);
  // Reported, a failed start ends this worker in the eyes of the page, which waits for an answer.
  server.then((connections) => connections.accept(data.port)).catch(reportError);
});
