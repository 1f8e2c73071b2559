/** The server worker: the composition root. Everything that the server is made of is put together here. */

import { holdLock } from "../src/protocol/liveness.ts";
import { type ConnectMessage, PROTOCOL_VERSION, type ServerOptions } from "../src/protocol/wire.ts";
import { KeyRing } from "./accounts/keys.ts";
import { createApp } from "./app.ts";
import { builtInModels } from "./catalog/built-in.ts";
import { Catalog } from "./catalog/catalog.ts";
import { systemClock as clock } from "./clock.ts";
import { Connections } from "./connections.ts";
import { requireModel } from "./endpoints/endpoint.ts";
import { RemoteChatEngine } from "./engines/remote-engine.ts";
import { EngineSupervisor } from "./engines/supervisor.ts";
import { ReplyMemory } from "./generation/prompt/reply-memory.ts";
import { MemoryLedger } from "./ledger/memory-ledger.ts";

async function startServer(options: ServerOptions): Promise<Connections> {
  const serverLock = `infetch:${PROTOCOL_VERSION}:server:${crypto.randomUUID()}`;
  await holdLock(serverLock);
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
  const app = createApp(
    {
      clock,
      catalog,
      engines,
      meter: new MemoryLedger(clock),
      recall: new ReplyMemory(),
      strict: options.strict,
    },
    keys,
  );
  const connections: Connections = new Connections({
    app,
    keys,
    clock,
    serverLock,
    optionsFingerprint: JSON.stringify(options),
    load: async (model) => void (await engines.engine(requireModel(catalog, model))),
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
