/** Browser part of group f, on the ledger's own code. */

import { type Clock, systemClock } from "../../worker/clock.ts";
import { Billing } from "../../worker/usage/billing/billing.ts";
import type { BreakdownQuery, WindowSize } from "../../worker/usage/billing/invoices/breakdown.ts";
import { Maintenance } from "../../worker/usage/billing/maintenance.ts";
import { applyPricing } from "../../worker/usage/billing/prices/price-list.ts";
import { prepareLedger } from "../../worker/usage/ledger/accounts.ts";
import { LedgerDatabase } from "../../worker/usage/ledger/database.ts";
import { webLocks } from "../../worker/usage/ledger/locks.ts";
import { DAY_MS, HOUR_MS } from "../../worker/usage/ledger/schema.ts";
import { LedgerMeter } from "../../worker/usage/metering/ledger-meter.ts";
import { generateLedger } from "./ledger-generator.ts";

export interface LedgerFigures {
  events: number;
  rollupRows: number;
  generateMs: number;
  closeYearMs: number;
  current: Spread;
  days: Spread;
  hours: Spread;
  record: Spread;
}

/** Milliseconds. The fastest run approximates the time on an idle CPU. */
export interface Spread {
  fastest: number;
  median: number;
}

/** End of a working day, so that all windows have usage. */
const NOW_MS = Date.UTC(2026, 5, 30, 16, 30);
const READS = 25;
const RECORDS = 100;

/** Measures a ledger with that many events, in a temporary database. */
export async function measureLedger(events: number): Promise<LedgerFigures> {
  const clock: Clock = { ...systemClock, now: () => NOW_MS };
  const database = new LedgerDatabase({
    name: `bench-${events}`,
    onOpen: async (transaction) => {
      await prepareLedger(transaction, clock);
      await applyPricing(transaction, "default", clock);
    },
  });
  const terms = { graceMs: 0, charges: true, aliases: () => [] };
  const maintenance = new Maintenance({
    database,
    clock,
    locks: webLocks,
    graceMs: terms.graceMs,
    skipsClockCheck: true,
    closeDuePeriods: (account) => billing.closeDuePeriods(account),
  });
  const prepare = (account: string) => maintenance.prepare(account);
  const billing = new Billing({ database, clock, locks: webLocks, terms, prepare });
  const fail = (error: unknown): never => {
    throw error;
  };
  const meter = new LedgerMeter({ database, clock, ownerId: "bench", onCommit: () => {}, onFailure: fail });
  const generateMs = await timed(() => generateLedger(database, events, NOW_MS));
  const closeYearMs = await timed(() => billing.closeDuePeriods("default"));
  const rollupRows = await database.read(["rollups"], (all) => all.objectStore("rollups").count());
  const breakdown = (windowSize: WindowSize, spanMs: number, limit: number) =>
    billing.breakdown("default", query(windowSize, spanMs, limit));
  let recorded = 0;
  const figures: LedgerFigures = {
    events,
    rollupRows,
    generateMs,
    closeYearMs,
    current: await spread(READS, () => billing.current("default")),
    days: await spread(READS, () => breakdown("day", 35 * DAY_MS, 35)),
    hours: await spread(READS, () => breakdown("hour", DAY_MS, 24)),
    record: await spread(RECORDS, () =>
      meter
        .begin({
          transactionId: `bench-${recorded++}`,
          account: "default",
          endpoint: "/v1/chat/completions",
          tier: "serverless",
          model: "infetch-tiny",
          stream: false,
        })
        .settle("completed", { inputTokens: 100, cachedTokens: 50, outputTokens: 20, reasoningTokens: 0 }),
    ),
  };
  await database.close();
  indexedDB.deleteDatabase(database.name);
  return figures;
}

function query(windowSize: WindowSize, spanMs: number, limit: number): BreakdownQuery {
  const endingBeforeMs = Math.ceil(NOW_MS / HOUR_MS) * HOUR_MS;
  const startingOnMs = Math.floor((endingBeforeMs - spanMs) / DAY_MS) * DAY_MS;
  return {
    windowSize,
    startingOnMs,
    endingBeforeMs: endingBeforeMs + DAY_MS,
    status: undefined,
    skipZeroLines: false,
    limit,
    fromMs: startingOnMs,
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now();
  await work();
  return performance.now() - startedAtMs;
}

async function spread(times: number, work: () => Promise<unknown>): Promise<Spread> {
  await work();
  const taken: number[] = [];
  for (let at = 0; at < times; at++) taken.push(await timed(work));
  taken.sort((a, b) => a - b);
  return { fastest: taken[0]!, median: taken[Math.floor(times / 2)]! };
}
