/**
 * An origin with a ledger, keys and a fake engine: one clock and one pair of databases, and as many tabs
 * (servers) as a test opens. Only the engine, the clock and the locks are fake.
 */

import "fake-indexeddb/auto";
import OpenAI from "openai";
import { mintKey } from "../../src/port/page-key.ts";
import type { UpstreamOptions } from "../../src/protocol/options/upstream.ts";
import type { Pricing } from "../../src/protocol/rpc/billing.ts";
import type { CreatedKey, KeyRequest } from "../../src/protocol/rpc/keys.ts";
import { requestIdOf, stateOf } from "../../src/protocol/transfer/request-state.ts";
import { Catalog } from "../../worker/catalog/catalog.ts";
import type { CatalogRecord } from "../../worker/catalog/model-record.ts";
import { systemTimers, type Timers } from "../../worker/clock.ts";
import { Upstream } from "../../worker/endpoints/upstream/upstream.ts";
import { EngineSupervisor } from "../../worker/engines/scheduling/supervisor.ts";
import { createApp } from "../../worker/server/app.ts";
import { openAuth } from "../../worker/server/auth.ts";
import { openBatches } from "../../worker/server/batches.ts";
import { openLedger } from "../../worker/server/ledger.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import { type FakeBehaviour, FakeEngine } from "../fakes/fake-engine.ts";
import { FakeLockManager } from "../fakes/fake-locks.ts";
import { unwrap } from "../ledger/support/world.ts";
import { fakeServices } from "./fake-services.ts";
import { plain, thinker } from "./test-app.ts";

let origins = 0;

/** Input 1, output 2 USD per million tokens: an input token costs 0.000001 USD. */
const PRICES: Pricing = { "infetch-tiny": { input: "1", output: "2" } };

interface TabOptions {
  /** @default true */
  billing?: boolean;
  upstream?: UpstreamOptions;
  /** Models besides the usual ones. */
  models?: readonly CatalogRecord[];
  /** Timers of the batch runner. @default the system's */
  timers?: Timers;
}

export class Origin {
  readonly clock = new FakeClock("2026-03-10T12:00:00Z");
  readonly locks = new FakeLockManager();
  readonly name = `origin-${++origins}`;
  #tabs = 0;

  async openTab(
    behaviour: Partial<FakeBehaviour> = {},
    { billing = true, upstream: forwarded, models = [], timers = systemTimers }: TabOptions = {},
  ) {
    const { clock } = this;
    const agent = this.locks.agent();
    const workerLock = `server-${this.name}-${++this.#tabs}`;
    await agent.hold(workerLock);
    const options = { storageName: this.name, pricing: PRICES, graceMs: 0 };
    const ledger = await openLedger(billing && options, {
      clock,
      locks: agent,
      skipsClockCheck: false,
      onEvent: () => {},
    });
    const auth = openAuth({ name: this.name, clock, locks: agent, workerLock, ledger: ledger.database });
    const newEngine = () => new FakeEngine({ reply: () => ["Hello", " ", "there", "!"], ...behaviour });
    const engine = newEngine();
    const engines = new EngineSupervisor({
      // One engine per model, as in a browser: two models may run concurrently.
      start: async ({ id }) => (id === thinker.id ? engine : newEngine()),
      emit: () => {},
      maxQueued: 256,
      clock,
    });
    const catalog = new Catalog([thinker, plain, ...models]);
    const upstream = forwarded && new Upstream(forwarded, { fetch, canRun: async () => true, created: 1 });
    const batches = openBatches({
      name: this.name,
      clock,
      timers,
      locks: agent,
      catalog,
      record: ledger.record,
      forwards: (model) => upstream?.forwards(model) ?? false,
      backgroundPlaces: (id) => engines.queue(id).backgroundPlaces,
      isOnline: () => true,
      onEvent: () => {},
      wakeOthers: () => {},
    });
    const app = createApp(
      {
        clock,
        catalog,
        engines,
        meter: ledger.meter,
        ...(ledger.billing ? { billing: ledger.billing } : {}),
        ...fakeServices(clock, 256),
        strict: false,
        ...(upstream ? { upstream } : {}),
        stores: async () => batches,
      },
      auth.keys,
      auth.limiter,
    );
    const page = await mintKey();
    auth.keys.register(page.registration);
    const send = (apiKey: string, path: string, body?: unknown, init: RequestInit = {}): Promise<Response> =>
      app.fetch(
        new Request(`https://app.test${path}`, {
          headers: { authorization: `Bearer ${apiKey}` },
          ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
          ...init,
        }),
      );
    return {
      app,
      ledger,
      engine,
      send,
      keys: auth.rpc,
      pageKey: page.apiKey,
      create: async (request: Partial<KeyRequest> = {}): Promise<CreatedKey> =>
        unwrap(await auth.rpc.create({ name: "test", ...request })),
      /** An unmodified SDK on this server. `onAnswer` receives every response before the SDK does. */
      openai: (apiKey: string, maxRetries = 0, onAnswer: (response: Response) => void = () => {}) =>
        new OpenAI({
          apiKey,
          baseURL: "https://app.test/v1",
          maxRetries,
          fetch: async (input, init) => {
            const response = await app.fetch(new Request(input, init));
            onAnswer(response);
            return response;
          },
        }),
      /** As the server does for a resent request. */
      reverseUsage: async (request: Request) => {
        const used = await ledger.reverseEarlier(requestIdOf(request), stateOf(request).attempt);
        if (used) await auth.onReversal(request, used);
      },
      runBatches: () => batches.run(app),
      die: () => agent.die(),
    };
  }
}

export type KeyedTab = Awaited<ReturnType<Origin["openTab"]>>;

export const CHAT = "/v1/chat/completions";
export const hello = { model: "infetch-tiny", messages: [{ role: "user" as const, content: "Hi" }] };
