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
import type { Billing } from "./billing/billing.ts";
import { openBooks } from "./books.ts";
import { builtInModels } from "./catalog/built-in.ts";
import { Catalog } from "./catalog/catalog.ts";
import { builtInEmbedding, catalogueEmbeddings, embeddingRecord } from "./catalog/embedding-models.ts";
import { offsetClock, unixSeconds } from "./clock.ts";
import { Connections } from "./connections.ts";
import { requireRecord } from "./endpoints/endpoint.ts";
import { createChatEngineStart } from "./engines/start-chat-engine.ts";
import { EngineSupervisor } from "./engines/supervisor.ts";
import { createEmbeddingService } from "./engines/transformers/create-embedding-service.ts";
import { ReplyMemory } from "./generation/prompt/reply-memory.ts";
import { webLocks } from "./ledger/locks.ts";
import { ledgerNews } from "./ledger-news.ts";

const HOUSEKEEPING_MS = 3_600_000;

async function startServer(options: ServerOptions): Promise<Connections> {
  const serverLock = `infetch:${PROTOCOL_VERSION}:server:${crypto.randomUUID()}`;
  await holdLock(serverLock);
  const clock = offsetClock(options.clockOffsetMs);
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
    createChatEngineStart(options, serverLock),
    emit,
    options.maxQueuedRequests,
    clock,
  );
  const news = options.billing
    ? ledgerNews(options.billing.ledgerName, (event) => connections.broadcast(event))
    : undefined;
  const books = await openBooks(options.billing, {
    clock,
    locks: webLocks,
    isClockTrusted: options.clockOffsetMs !== 0,
    onEvent: (event) => news?.publish(event),
  });
  const { meter, billing } = books;
  const embeddings = createEmbeddingService(options, serverLock, emit, clock);
  const services = {
    clock,
    catalog,
    engines,
    embeddings,
    meter,
    recall: new ReplyMemory(),
    strict: options.strict,
  };
  const app = createApp({ ...services, ...(billing ? { billing } : {}) }, keys);
  const connections: Connections = new Connections({
    app,
    keys,
    clock,
    serverLock,
    optionsFingerprint: JSON.stringify(options),
    areas: { billing: books.page },
    withdraw: books.withdraw,
    load: async (id) => {
      const model = requireRecord(catalog, id);
      if (model.kind === "embedding") await embeddings.load(model.embedding);
      else await engines.engine(model);
    },
    unload: async (id) => {
      const model = requireRecord(catalog, id);
      await (model.kind === "embedding" ? embeddings : engines).unload(model.id);
    },
  });
  if (billing) keepHouse(billing);
  return connections;
}

/** At the start and every hour. Whatever fails is tried again by the next billing read. */
function keepHouse(billing: Billing): void {
  const tidy = () => void billing.keepHouse().catch(() => {});
  tidy();
  setInterval(tidy, HOUSEKEEPING_MS);
}

let server: Promise<Connections> | undefined;

self.addEventListener("message", ({ data }: MessageEvent<ConnectMessage>) => {
  if (data?.type !== "connect") return;
  server ??= startServer(data.options);
  // Reported, a failed start ends this worker in the eyes of the page, which waits for an answer.
  server.then((connections) => connections.accept(data.port)).catch(reportError);
});
