/** A browser with files, batches and a ledger: one clock, one set of databases, any number of tabs. */

import "fake-indexeddb/auto";
import { openDB } from "idb";
import OpenAI from "openai";
import { mintKey } from "../../../src/port/page-key.ts";
import type { BatchEvent, LedgerEvent } from "../../../src/protocol/events.ts";
import { type PageOptions, stateOf } from "../../../src/protocol/transfer/request-state.ts";
import { FilesDatabase } from "../../../worker/batch/schema.ts";
import { Catalog } from "../../../worker/catalog/catalog.ts";
import type { EmbeddingModelRecord } from "../../../worker/catalog/model-record.ts";
import type { Timers } from "../../../worker/clock.ts";
import { EngineSupervisor } from "../../../worker/engines/scheduling/supervisor.ts";
import { createApp } from "../../../worker/server/app.ts";
import { openBatches, type ServerBatches } from "../../../worker/server/batches.ts";
import { openLedger } from "../../../worker/server/ledger.ts";
import { KeyRing } from "../../../worker/usage/keys/key-ring.ts";
import type { NewEvent } from "../../../worker/usage/ledger/record.ts";
import { FakeClock } from "../../fakes/fake-clock.ts";
import { FakeEmbeddingEngine } from "../../fakes/fake-embedding-engine.ts";
import { type FakeBehaviour, FakeEngine } from "../../fakes/fake-engine.ts";
import { FakeLockManager } from "../../fakes/fake-locks.ts";
import { fakeServices } from "../fake-services.ts";
import { plain, thinker } from "../test-app.ts";

const PRICES = {
  "infetch-tiny": { input: "1", output: "2" },
  "fake-embed": { embedding: "0.02" },
};

type Book = (events: readonly NewEvent[]) => Promise<void>;

export interface TabOptions {
  behaviour?: Partial<FakeBehaviour>;
  /** Account of the tab's key. */
  account?: string;
  /** Wraps the ledger's `record`. */
  record?: (record: Book) => Book;
  maxQueued?: number;
  /** Runs before the chat model loads. */
  load?: () => Promise<void>;
  isOnline?: () => boolean;
  /** Timers of the batch runner. @default none of them ends */
  timers?: Timers;
  /** Options of the page that sends the tab's requests. @default those of the server */
  pageOptions?: PageOptions;
}

/** Database of a server that can die: pending operations then never settle. */
class MortalDatabase extends FilesDatabase {
  isDead = false;

  override read: FilesDatabase["read"] = (...of) => this.#unlessDead(super.read(...of));
  override write: FilesDatabase["write"] = (...of) =>
    this.isDead ? new Promise(() => {}) : this.#unlessDead(super.write(...of));

  #unlessDead<T>(result: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const unlessDead = (settle: () => void) => (): void => void (this.isDead || settle());
      result.then(
        (value) => unlessDead(() => resolve(value))(),
        (error) => unlessDead(() => reject(error))(),
      );
    });
  }
}

let worlds = 0;

export class BatchWorld {
  readonly clock = new FakeClock("2026-03-10T12:00:00Z");
  readonly locks = new FakeLockManager();
  readonly name = `batch-world-${++worlds}`;
  readonly #tabs: ServerBatches[] = [];

  async openTab({
    behaviour,
    account,
    record: wrap = (record) => record,
    maxQueued = 256,
    load,
    isOnline = () => true,
    timers = { after: () => () => {} },
    pageOptions,
  }: TabOptions = {}) {
    const { clock, name } = this;
    const locks = this.locks.agent();
    const events: BatchEvent[] = [];
    const ledgerEvents: LedgerEvent[] = [];
    const ledger = await openLedger(
      { storageName: name, pricing: PRICES, graceMs: 0 },
      { clock, locks, skipsClockCheck: true, onEvent: (event) => ledgerEvents.push(event) },
    );
    const engine = new FakeEngine({ reply: () => ["Hello", " ", "there", "!"], ...behaviour });
    const chat = new EngineSupervisor({
      start: async () => {
        await load?.();
        return engine;
      },
      emit: () => {},
      maxQueued,
      clock,
    });
    const embedder = new FakeEmbeddingEngine();
    const catalog = new Catalog([thinker, plain, fakeEmbed], {
      deployments: () => [],
      fromHub: (id) => (id.startsWith("acme/") ? { ...fakeEmbed, id } : undefined),
      readOwn: (id) => Promise.reject(new Error(id)),
    });
    const database = new MortalDatabase(name);
    const server = openBatches({
      name,
      database,
      clock,
      timers,
      locks,
      catalog,
      record: wrap(ledger.record),
      backgroundPlaces: (id) => chat.queue(id).backgroundPlaces,
      isOnline: () => isOnline(),
      onEvent: (event) => events.push(event),
      wakeOthers: () => {
        for (const other of this.#tabs) if (other !== server) other.wake();
      },
    });
    this.#tabs.push(server);
    const keys = new KeyRing();
    const { apiKey, registration } = await mintKey();
    keys.register(registration, account);
    const app = createApp(
      {
        clock,
        catalog,
        engines: chat,
        meter: ledger.meter,
        ...fakeServices(clock, maxQueued, () => embedder),
        strict: false,
        stores: async () => server,
        ...(ledger.billing ? { billing: ledger.billing } : {}),
      },
      keys,
    );
    const fetchApp = (url: string | URL | Request, init?: RequestInit) => {
      const request = new Request(url, init);
      if (pageOptions) stateOf(request).pageOptions = pageOptions;
      return app.fetch(request);
    };
    const openai = new OpenAI({
      apiKey,
      baseURL: "https://app.test/v1",
      fetch: fetchApp as typeof fetch,
      maxRetries: 0,
    });
    const call = (path: string, init: RequestInit = {}) =>
      fetchApp(`https://app.test${path}`, {
        ...init,
        headers: { authorization: `Bearer ${apiKey}`, ...init.headers },
      });
    server.run(app);
    const die = (): void => {
      database.isDead = true;
      const never = () => new Promise<never>(() => {});
      Object.assign(ledger.database!, { read: never, write: never });
      locks.die();
    };
    const { wake } = server;
    return { app, keys, apiKey, openai, call, events, ledgerEvents, engine, embedder, ledger, wake, die };
  }

  /** Row count of each store of the files database. */
  async rows(): Promise<Record<string, number>> {
    const database = await openDB(`${this.name}-files`);
    const counts: Record<string, number> = {};
    for (const store of database.objectStoreNames) counts[store] = await database.count(store);
    database.close();
    return counts;
  }
}

export type Tab = Awaited<ReturnType<BatchWorld["openTab"]>>;

const fakeEmbed: EmbeddingModelRecord = {
  id: "fake-embed",
  kind: "embedding",
  created: 1,
  ownedBy: "test",
  contextWindow: 20,
  embedding: {
    id: "fake-embed",
    sourceURL: "https://app.test/models/",
    version: "1",
    known: [],
    dtypes: { webgpu: [], wasm: ["fp32"] },
  },
};

/** Yields one turn of the event loop. */
export const turn = (): Promise<void> => new Promise((resume) => setImmediate(resume));

/** A gate that holds back the lines with this text until they are aborted. */
export const stuckAt =
  (text: string) =>
  async ({ prompt }: { prompt: string | readonly number[] }, signal: AbortSignal): Promise<void> => {
    if (!String(prompt).includes(text) || signal.aborted) return;
    await new Promise((resume) => signal.addEventListener("abort", resume, { once: true }));
  };

/** Waits until the batch reaches one of the states. The test timeout bounds the wait. */
export async function until(
  tab: Tab,
  id: string,
  ...states: OpenAI.Batch["status"][]
): Promise<OpenAI.Batch> {
  while (true) {
    const batch = await tab.openai.batches.retrieve(id);
    if (states.includes(batch.status)) return batch;
    await turn();
  }
}
