/** The server worker: the composition root. Everything that the server is made of is put together here. */

import { holdLock } from "../src/protocol/liveness.ts";
import { type ConnectMessage, PROTOCOL_VERSION, type ServerOptions } from "../src/protocol/wire.ts";
import { KeyRing } from "./accounts/keys.ts";
import { createApp } from "./app.ts";
import type { Billing } from "./billing/billing.ts";
import { openBooks } from "./books.ts";
import { builtInModels } from "./catalog/built-in.ts";
import { Catalog } from "./catalog/catalog.ts";
import { offsetClock } from "./clock.ts";
import { Connections } from "./connections.ts";
import { requireModel } from "./endpoints/endpoint.ts";
import { RemoteChatEngine } from "./engines/remote-engine.ts";
import { EngineSupervisor } from "./engines/supervisor.ts";
import { ReplyMemory } from "./generation/prompt/reply-memory.ts";
import { webLocks } from "./ledger/locks.ts";
import { ledgerNews } from "./ledger-news.ts";

const HOUSEKEEPING_MS = 3_600_000;

async function startServer(options: ServerOptions): Promise<Connections> {
  const serverLock = `infetch:${PROTOCOL_VERSION}:server:${crypto.randomUUID()}`;
  await holdLock(serverLock);
  const clock = offsetClock(options.clockOffsetMs);
  const keys = new KeyRing();
  const catalog = new Catalog(builtInModels(options.modelsURL));
  const engines = new EngineSupervisor(
    (model, onProgress, onEnd) =>
      RemoteChatEngine.start(
        { workerURL: options.engineURLs.webllm, name: `infetch-webllm:${model.id}`, serverLock, onEnd },
        model.files,
        onProgress,
      ),
    (event) => connections.broadcast(event),
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
  const services = { clock, catalog, engines, meter, recall: new ReplyMemory(), strict: options.strict };
  const app = createApp({ ...services, ...(billing ? { billing } : {}) }, keys);
  const connections: Connections = new Connections({
    app,
    keys,
    clock,
    serverLock,
    optionsFingerprint: JSON.stringify(options),
    billing: books.page,
    load: async (model) => void (await engines.engine(requireModel(catalog, model))),
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
