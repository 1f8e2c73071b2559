/** The app with one fake embedding model, for tests in Node. */

import { mintKey } from "../../src/port/page-key.ts";
import { Catalog } from "../../worker/catalog/catalog.ts";
import type { ChatModelRecord, EmbeddingModelRecord } from "../../worker/catalog/model-record.ts";
import { systemClock as clock } from "../../worker/clock.ts";
import type { Services } from "../../worker/endpoints/endpoint.ts";
import type { EmbeddingEngine } from "../../worker/engine-api/embedding-engine.ts";
import type { EmbeddingModel } from "../../worker/engine-api/embedding-model.ts";
import { EmbeddingService } from "../../worker/engines/embeddings/embedding-service.ts";
import { EngineSupervisor } from "../../worker/engines/scheduling/supervisor.ts";
import { type App, createApp } from "../../worker/server/app.ts";
import { KeyRing } from "../../worker/usage/keys/key-ring.ts";
import { FakeEmbeddingEngine } from "../fakes/fake-embedding-engine.ts";
import { MemoryLedger } from "../fakes/memory-ledger.ts";

interface EmbeddingApp {
  app: App;
  ledger: MemoryLedger;
  embeddings: EmbeddingService;
  /** Every engine that was started, in order. */
  engines: FakeEmbeddingEngine[];
  post(body: unknown, init?: RequestInit): Promise<Response>;
  get(path: string): Promise<Response>;
}

export const FAKE_MODEL = "fake-embed";

export async function embeddingApp(
  start: () => FakeEmbeddingEngine = () => new FakeEmbeddingEngine(),
  record: Partial<EmbeddingModel> = {},
): Promise<EmbeddingApp> {
  const engines: FakeEmbeddingEngine[] = [];
  const supervisor = new EngineSupervisor<EmbeddingEngine, EmbeddingModel>({
    start: async (_model, { onEnd }) => {
      const engine = start();
      const dispose = engine.dispose.bind(engine);
      engine.dispose = (reason) => {
        dispose(reason);
        onEnd(reason);
      };
      engines.push(engine);
      return engine;
    },
    emit: () => {},
    maxQueued: 8,
    clock,
  });
  const key = await mintKey();
  const keys = new KeyRing();
  keys.register(key.registration);
  const ledger = new MemoryLedger(clock);
  const services = {
    clock,
    catalog: new Catalog([embeddingRecord(record), chatRecord]),
    embeddings: new EmbeddingService(supervisor, 8),
    meter: ledger,
  } as unknown as Services;
  const app = createApp(services, keys);
  const send = (path: string, init: RequestInit): Promise<Response> =>
    app.fetch(
      new Request(`https://app.test${path}`, { ...init, headers: { authorization: `Bearer ${key.apiKey}` } }),
    );
  return {
    app,
    ledger,
    embeddings: services.embeddings,
    engines,
    post: (body, init = {}) =>
      send("/v1/embeddings", { method: "POST", body: JSON.stringify(body), ...init }),
    get: (path) => send(path, {}),
  };
}

function embeddingRecord(record: Partial<EmbeddingModel>): EmbeddingModelRecord {
  const embedding: EmbeddingModel = {
    id: FAKE_MODEL,
    sourceURL: "https://app.test/models/",
    version: "1",
    known: [],
    dtypes: { webgpu: [], wasm: ["fp32"] },
    ...record,
  };
  return {
    id: FAKE_MODEL,
    kind: "embedding",
    created: 1,
    ownedBy: "test",
    contextWindow: undefined,
    embedding,
  };
}

const chatRecord = {
  id: "fake-chat",
  kind: "chat",
  created: 1,
  ownedBy: "test",
  contextWindow: 1,
} as ChatModelRecord;
