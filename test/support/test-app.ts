import { mintKey } from "../../src/port/page-key.ts";
import type { EngineEvent, ModelProgressEvent } from "../../src/protocol/events.ts";
import { Catalog, type CatalogSources } from "../../worker/catalog/catalog.ts";
import type { ChatModelRecord, EmbeddingModelRecord } from "../../worker/catalog/model-record.ts";
import type { Clock } from "../../worker/clock.ts";
import type { Services } from "../../worker/endpoints/endpoint.ts";
import { EngineSupervisor } from "../../worker/engines/scheduling/supervisor.ts";
import { type App, createApp } from "../../worker/server/app.ts";
import { KeyRing } from "../../worker/usage/keys/key-ring.ts";
import { type FakeBehaviour, FakeEngine } from "../fakes/fake-engine.ts";
import { MemoryLedger } from "../fakes/memory-ledger.ts";
import { checkAnswer, checkEvent } from "./check-answer.ts";
import { fakeServices } from "./fake-services.ts";
import { unusedBatches } from "./unused-batches.ts";

/** A deterministic clock: each `now()` advances it by 1 ms. */
function testClock(): Clock {
  let ids = 0;
  let time = 1_800_000_000_000;
  return {
    now: () => ++time,
    monotonic: () => time,
    id: (prefix, length = 29) => prefix + String(++ids).padStart(length, "0"),
  };
}

const files = {
  sourceURL: "https://models.test/",
  cacheURL: "https://models.test/resolve/main/",
  known: [],
  library: "x",
};

export const thinker: ChatModelRecord = {
  id: "infetch-tiny",
  kind: "chat",
  created: 1_700_000_000,
  ownedBy: "infetch",
  contextWindow: 4096,
  maxContextWindow: 4096,
  reasoning: { type: "system-line", line: "/think", open: "<think>", close: "</think>" },
  builds: { webllm: files },
};

/** The same model without reasoning. */
export const plain: ChatModelRecord = (({ reasoning: _, ...rest }) => ({ ...rest, id: "plain" }))(thinker);

export const embedder: EmbeddingModelRecord = {
  id: "infetch-tiny-embed",
  kind: "embedding",
  created: 1_700_000_000,
  ownedBy: "infetch",
  contextWindow: 512,
  embedding: {
    id: "infetch-tiny-embed",
    sourceURL: "https://models.test/embed/",
    version: "1",
    known: [],
    dtypes: { webgpu: [], wasm: ["fp32"] },
  },
};

export interface TestApp {
  app: App;
  engine: FakeEngine;
  /** Of the chat engines, in order. */
  events: (EngineEvent | ModelProgressEvent)[];
  ledger: MemoryLedger;
  apiKey: string;
  services: Services;
  /** Sends a JSON body with the key. */
  post(path: string, body: unknown, init?: RequestInit): Promise<Response>;
  get(path: string): Promise<Response>;
}

interface TestAppOptions {
  /** @default 256 */
  maxQueued?: number;
  /** @default false */
  strict?: boolean;
  sources?: Partial<CatalogSources>;
}

/** The real app on a fake engine, in Node. */
export async function testApp(
  behaviour: Partial<FakeBehaviour> = {},
  { maxQueued = 256, strict = false, sources }: TestAppOptions = {},
): Promise<TestApp> {
  const clock = testClock();
  const keys = new KeyRing();
  const { apiKey, registration } = await mintKey();
  keys.register(registration);
  const engine = new FakeEngine({ reply: () => ["Hello", " ", "there", "!"], ...behaviour });
  const events: TestApp["events"] = [];
  const engines = new EngineSupervisor({
    start: async (model, { onProgress, signal }) => {
      await behaviour.load?.(model, onProgress, signal, engine);
      return engine;
    },
    emit: (event) => events.push(event),
    maxQueued,
    clock,
  });
  const ledger = new MemoryLedger(clock);
  const catalog = new Catalog([thinker, plain, embedder], sources);
  const services = {
    clock,
    catalog,
    engines,
    meter: ledger,
    strict,
    ...fakeServices(clock, maxQueued),
    ...unusedBatches(clock, catalog),
  };
  const app = createApp(services, keys);
  const authorization = `Bearer ${apiKey}`;
  return {
    app,
    engine,
    events,
    ledger,
    apiKey,
    services,
    post: async (path, body, init = {}) =>
      checkAnswer(
        path,
        await app.fetch(
          new Request(`https://app.test${path}`, {
            method: "POST",
            headers: { authorization, "content-type": "application/json" },
            body: typeof body === "string" ? body : JSON.stringify(body),
            ...init,
          }),
        ),
      ),
    get: (path) => app.fetch(new Request(`https://app.test${path}`, { headers: { authorization } })),
  };
}

/** Parses and validates each `data:` line. `done`: whether the stream ended with `[DONE]`. */
export async function readEvents<T>(response: Response): Promise<{ events: T[]; done: boolean }> {
  const lines = (await response.text()).split("\n\n").filter((line) => line !== "");
  const data = lines.map((line) => line.slice(line.indexOf("data: ") + 6));
  const events = data.filter((one) => one !== "[DONE]").map((one) => JSON.parse(one) as T);
  events.forEach(checkEvent);
  return { events, done: data.at(-1) === "[DONE]" };
}
