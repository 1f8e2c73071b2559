/** Composes metering and billing for one server: database, meter, invoices, maintenance. */

import type { LedgerEvent } from "../../src/protocol/events.ts";
import type { BillingServerOptions } from "../../src/protocol/options/server-options.ts";
import type { BillingEndpoint } from "../../src/protocol/rpc/billing-endpoint.ts";
import type { MeteredUse } from "../../src/protocol/transfer/request-state.ts";
import type { Clock, Timers } from "../clock.ts";
import { loadPart } from "../lazy/part.ts";
import { lazyRpc, rpcGroup } from "../rpc/lazy-rpc.ts";
import type { Billing } from "../usage/billing/billing.ts";
import { Maintenance } from "../usage/billing/maintenance.ts";
import { picoToUsd } from "../usage/billing/money.ts";
import { applyPricing } from "../usage/billing/prices/price-list.ts";
import { usagePricing } from "../usage/billing/prices/price-usage.ts";
import type { Aliases } from "../usage/billing/prices/rate-card.ts";
import { prepareLedger } from "../usage/ledger/accounts.ts";
import type { ChargedUse } from "../usage/ledger/charged.ts";
import { LedgerDatabase } from "../usage/ledger/database.ts";
import { LedgerError } from "../usage/ledger/ledger-error.ts";
import { type LedgerLocks, ownerLock } from "../usage/ledger/locks.ts";
import { type NewEvent, settleEvents } from "../usage/ledger/record.ts";
import { LedgerMeter } from "../usage/metering/ledger-meter.ts";
import type { Meter } from "../usage/metering/meter.ts";
import { noMeter } from "../usage/metering/no-meter.ts";

interface LedgerServices {
  clock: Clock;
  timers?: Timers;
  locks: LedgerLocks;
  /** Whether the clock is trusted unchecked, as tests that offset it need. */
  skipsClockCheck: boolean;
  onEvent(event: LedgerEvent): void;
  /** Aliases of a model, which share its price. @default none */
  aliases?: Aliases;
}

interface ServerLedger {
  meter: Meter;
  /** Loaded on first use. Absent if billing is off. */
  billing?: () => Promise<Billing>;
  runMaintenance(): Promise<void>;
  rpc: BillingEndpoint;
  /** Records events that were metered elsewhere; idempotent. Rejects if the ledger cannot be written. */
  record(events: readonly NewEvent[]): Promise<void>;
  /**
   * Reverses what earlier attempts of a request used. Returns what was charged until then. Never rejects, so that
   * inference does not fail.
   */
  reverseEarlier(requestId: string, attempt: number): Promise<ChargedUse | undefined>;
  /** Cost of a metered request, in USD. Never rejects. */
  costUsd(use: MeteredUse): Promise<number>;
  database?: LedgerDatabase;
}

/** The database is opened on first use; if it fails, inference still works. */
export async function openLedger(
  options: BillingServerOptions | false,
  services: LedgerServices,
): Promise<ServerLedger> {
  if (!options) return billingOff();
  const { clock, timers, locks, aliases = noAliases } = services;
  const reports = reportsTo(services.onEvent);
  const database = openDatabase(options, services, reports.onQuarantine);
  const ownerId = clock.id("server_");
  // Before the first row: a row whose owner's lock is free is recovered as a dead server's.
  await locks.hold(ownerLock(ownerId));
  const meter = new LedgerMeter({ database, clock, timers, ownerId, ...reports });
  const price = usagePricing(database, clock, aliases);
  return {
    ...openBilling(options, services, database, meter),
    meter,
    database,
    async record(events) {
      await settleEvents(database, clock, events);
      reports.onCommit();
    },
    reverseEarlier: (requestId, attempt) => meter.reverseEarlier(requestId, attempt),
    costUsd: async ({ endpoint, tier, model, recorded }) =>
      recorded ? picoToUsd(await price({ endpoint, tier, model, ...recorded.tokens })) : 0,
  };
}

const noAliases: Aliases = () => [];

function reportsTo(onEvent: LedgerServices["onEvent"]) {
  return {
    onCommit: (): void => onEvent({ type: "ledger", state: "changed" }),
    onFailure(error: unknown): void {
      const code = error instanceof LedgerError ? error.code : "ledger_unavailable";
      onEvent({ type: "ledger", state: "write_failed", code });
    },
    onQuarantine: (): void =>
      onEvent({ type: "ledger", state: "row_quarantined", code: "ledger_row_quarantined" }),
  };
}

function openDatabase(
  { storageName: name, pricing }: BillingServerOptions,
  { clock, aliases = noAliases }: LedgerServices,
  onQuarantine: () => void,
): LedgerDatabase {
  return new LedgerDatabase({
    name,
    onQuarantine,
    onOpen: async (transaction) => {
      await prepareLedger(transaction, clock);
      await applyPricing(transaction, pricing, clock, aliases);
    },
  });
}

/** Invoices, their maintenance, and the calls of `runtime.billing`. */
function openBilling(
  { graceMs, pricing }: BillingServerOptions,
  { clock, locks, skipsClockCheck, aliases = noAliases }: LedgerServices,
  database: LedgerDatabase,
  meter: LedgerMeter,
) {
  const terms = { graceMs, charges: pricing !== "none", aliases };
  const maintenance = new Maintenance({
    database,
    clock,
    locks,
    graceMs,
    skipsClockCheck,
    closeDuePeriods: async (account) => (await billing()).closeDuePeriods(account),
  });
  // Invoices include what could not be recorded before.
  const prepare = async (account: string) => {
    await meter.flush();
    return maintenance.prepare(account);
  };
  const billing = async (): Promise<Billing> => {
    const part = await loadPart(() => import("../usage/billing/billing.ts"));
    return new part.Billing({ database, clock, locks, terms, prepare });
  };
  return {
    billing,
    async runMaintenance(): Promise<void> {
      await meter.flush();
      await maintenance.run();
    },
    rpc: lazyRpc("billing", async () => {
      const { billingRpc } = await import("../rpc/billing.ts");
      return billingRpc({ database, clock, billing: await billing(), terms });
    }),
  };
}

/** Meters nothing; every call returns `billing_not_configured`. */
function billingOff(): ServerLedger {
  const rpc = rpcGroup("billing", () => async () => ({
    ok: false,
    error: {
      name: "BillingError",
      code: "billing_not_configured",
      message: "Billing is disabled. Create the runtime without `billing: false`.",
    },
  }));
  const nothing = async (): Promise<void> => {};
  return {
    meter: noMeter,
    runMaintenance: nothing,
    rpc,
    record: nothing,
    reverseEarlier: async () => undefined,
    costUsd: async () => 0,
  };
}
