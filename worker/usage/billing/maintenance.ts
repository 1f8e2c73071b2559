/** What keeps the accounts of a ledger in order: recovery, closing, retention, quarantine. */

import type { Clock } from "../../clock.ts";
import { loadPart } from "../../lazy/part.ts";
import { readAccountMeta } from "../ledger/accounts.ts";
import type { LedgerDatabase } from "../ledger/database.ts";
import type { LedgerLocks } from "../ledger/locks.ts";
import { quarantineInvalid } from "../ledger/quarantine-invalid.ts";
import { recoverOrphans } from "../ledger/recovery.ts";
import { firstHourWithUsage } from "../ledger/rollups.ts";
import { ClockTrust } from "./clock-trust.ts";
import { periodOf, statusOf } from "./invoices/periods.ts";

interface MaintenanceOptions {
  database: LedgerDatabase;
  clock: Clock;
  locks: LedgerLocks;
  /** How long a period stays open after its end. */
  graceMs: number;
  /** Whether the clock is trusted unchecked, as tests that offset it need: months then close by it at once. */
  skipsClockCheck: boolean;
  /** Freezes every due period of an account. */
  closeDuePeriods(account: string): Promise<unknown>;
}

export class Maintenance {
  readonly #options: MaintenanceOptions;
  readonly #trust: ClockTrust;

  constructor(options: MaintenanceOptions) {
    this.#options = options;
    this.#trust = new ClockTrust(options.clock);
  }

  /**
   * At open and every hour, for every account: recovery, closing, retention; then quarantine of corrupt rows. An account
   * that fails does not stop the others: the next run tries it again.
   *
   * @throws the first failure, at the end
   */
  async run(): Promise<void> {
    const { database, clock } = this.#options;
    const accounts = await database.read(["accounts"], (transaction) =>
      transaction.objectStore("accounts").getAllKeys(),
    );
    const failures: unknown[] = [];
    for (const account of accounts) {
      try {
        // What a wrong clock deletes does not come back.
        if (!(await this.prepare(account))) continue;
        const { dropOldEvents } = await loadPart(() => import("../ledger/retention.ts"));
        await dropOldEvents(database, account, clock.now());
      } catch (error) {
        failures.push(error);
      }
    }
    await quarantineInvalid(database, { withEvents: false });
    if (failures.length > 0) throw failures[0];
  }

  /** Recovers orphans and, by a trusted clock, closes what is due. Returns whether the clock is trusted. */
  async prepare(account: string): Promise<boolean> {
    const { database, locks, clock, skipsClockCheck } = this.#options;
    await recoverOrphans(database, locks, clock);
    const observed = await database.write(
      ["meta"],
      (all) => this.#trust.observe(all.objectStore("meta")),
      "relaxed",
    );
    if (!observed && !skipsClockCheck) return false;
    if (await this.#hasDuePeriod(account)) await this.#options.closeDuePeriods(account);
    return true;
  }

  /** Whether the oldest open period is due, without reading its usage. */
  #hasDuePeriod(account: string): Promise<boolean> {
    const { database, clock, graceMs } = this.#options;
    return database.read(["rollups", "invoices", "meta"], async (transaction) => {
      const { open_from_ms } = await readAccountMeta(transaction, account);
      const hour = await firstHourWithUsage(transaction, account, open_from_ms);
      const nowMs = Math.max(clock.now(), open_from_ms);
      return hour !== undefined && statusOf(periodOf(hour), nowMs, graceMs) === "FINALIZED";
    });
  }
}
