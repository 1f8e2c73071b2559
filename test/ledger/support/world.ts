/** A browser with a ledger: one clock, one database name, and as many tabs (connections) as a test opens. */

import "fake-indexeddb/auto";
import { mintKey } from "../../../src/port/page-key.ts";
import type { LedgerEvent } from "../../../src/protocol/events.ts";
import type { Pricing } from "../../../src/protocol/rpc/billing.ts";
import type { Result } from "../../../src/protocol/rpc/result.ts";
import type { Services } from "../../../worker/endpoints/endpoint.ts";
import { createApp } from "../../../worker/server/app.ts";
import { openLedger } from "../../../worker/server/ledger.ts";
import { KeyRing } from "../../../worker/usage/keys/key-ring.ts";
import type { Outcome } from "../../../worker/usage/ledger/schema.ts";
import type { MeteredRequest, TokenCounts } from "../../../worker/usage/metering/meter.ts";
import { FakeClock } from "../../fakes/fake-clock.ts";
import { FakeLockManager } from "../../fakes/fake-locks.ts";

let worlds = 0;
let requests = 0;

export interface WorldOptions {
  now?: string;
  graceMs?: number;
  pricing?: Pricing;
  skipsClockCheck?: boolean;
  billing?: boolean;
  /** @default models have no other names */
  aliases?: (model: string) => readonly string[];
}

/** Prices of the fixture ledger: input 0.05, output 0.20 USD per million tokens. */
const FIXTURE_PRICES: Pricing = { m: { input: "0.05", output: "0.2" } };

export class World {
  readonly clock: FakeClock;
  readonly locks = new FakeLockManager();
  readonly name = `world-${++worlds}`;
  readonly options: WorldOptions;

  constructor(options: WorldOptions = {}) {
    this.options = options;
    this.clock = new FakeClock(options.now ?? "2025-02-10T15:20:00Z");
  }

  async openTab() {
    const agent = this.locks.agent();
    const events: LedgerEvent[] = [];
    const { graceMs = 0, pricing = FIXTURE_PRICES, skipsClockCheck = false, billing = true } = this.options;
    const { aliases = () => [] } = this.options;
    const ledger = await openLedger(billing && { storageName: this.name, pricing, graceMs }, {
      clock: this.clock,
      locks: agent,
      skipsClockCheck,
      onEvent: (event) => events.push(event),
      aliases,
    });
    const keys = new KeyRing();
    const key = await mintKey();
    keys.register(key.registration);
    const app = createApp({ clock: this.clock, ...ledger } as unknown as Services, keys);
    const call = async (path: string, init: RequestInit = {}) => {
      const headers = new Headers(init.headers);
      if (!headers.has("authorization")) headers.set("authorization", `Bearer ${key.apiKey}`);
      if (headers.get("authorization") === "none") headers.delete("authorization");
      const response = await app.fetch(new Request(`http://page${path}`, { ...init, headers }));
      // biome-ignore lint/suspicious/noExplicitAny: tests look into every corner of the answer
      const body: any = await response.json();
      return { status: response.status, body, error: body.error, headers: response.headers };
    };
    return { ...ledger, agent, events, keys, apiKey: key.apiKey, call, get: call, close: () => agent.die() };
  }
}

export type Tab = Awaited<ReturnType<World["openTab"]>>;

export function request(over: Partial<MeteredRequest> = {}): MeteredRequest {
  return {
    // Of equal length: events of one time come in the order of their ids.
    transactionId: `request-${String(++requests).padStart(6, "0")}`,
    account: "default",
    endpoint: "/v1/chat/completions",
    tier: "serverless",
    model: "m",
    stream: true,
    ...over,
  };
}

export function counts(inputTokens: number, outputTokens: number, cachedTokens = 0): TokenCounts {
  return { inputTokens, outputTokens, cachedTokens, reasoningTokens: 0 };
}

/** Meters and settles one request at the current time. */
export async function use(
  tab: Tab,
  inputTokens: number,
  outputTokens: number,
  over: Partial<MeteredRequest> = {},
  outcome: Outcome = "completed",
): Promise<MeteredRequest> {
  const metered = request(over);
  await tab.meter.begin(metered).settle(outcome, counts(inputTokens, outputTokens));
  return metered;
}

export function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw Object.assign(new Error(result.error.message), { code: result.error.code });
  return result.value;
}

/** Fixture ledger: four requests, a price change on 5 February; the time is 10 February 2025, 15:20 UTC. */
export async function fixture(options: WorldOptions = {}) {
  const world = new World(options);
  const { clock } = world;
  clock.set("2025-01-03T10:15:00Z");
  const tab = await world.openTab();
  await use(tab, 1000, 500);
  clock.set("2025-01-31T23:59:59.999Z");
  await use(tab, 10, 10);
  clock.set("2025-02-01T00:00:00.000Z");
  await use(tab, 20, 20);
  unwrap(
    await tab.rpc.scheduleRate({
      product: "text-input-tokens",
      model: "m",
      price: "0.10",
      effectiveAt: "2025-02-05T00:00:00Z",
    }),
  );
  clock.set("2025-02-10T15:05:00Z");
  await use(tab, 100, 50);
  clock.set(options.now ?? "2025-02-10T15:20:00Z");
  return { world, clock, tab, get: tab.get };
}

/** Exact sum of JSON amounts: all test amounts are whole pico-USD. */
export function sum(rows: { total: number }[]): number {
  return rows.reduce((pico, row) => pico + Math.round(row.total * 1e12), 0) / 1e12;
}

export const BREAKDOWNS = "/v1/billing/invoices/breakdowns";

/** The path of a breakdown query. A bound without a time means midnight UTC. */
export function breakdowns(from: string, to: string, more: Record<string, string> = {}): string {
  const full = (text: string) => (text.includes("T") ? text : `${text}T00:00:00Z`);
  return `${BREAKDOWNS}?${new URLSearchParams({ starting_on: full(from), ending_before: full(to), ...more })}`;
}
