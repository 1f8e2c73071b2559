/**
 * Decides whether the clock is reliable enough to freeze a month or to delete what has expired: after running ten
 * minutes without jumps, over all visits, within the month it shows. Time trusted in one month does not count in
 * another, so a clock that is wrong for five minutes has no effect.
 */

import type { Clock } from "../../clock.ts";
import { isValidRow } from "../ledger/row-schemas.ts";
import type { ClockTrustMeta } from "../ledger/schema.ts";
import { periodOf } from "./invoices/periods.ts";

const NEEDED_MS = 10 * 60_000;
const MAX_JUMP_MS = 60_000;

/** The store that keeps the time counted so far. */
interface TrustStore {
  get(key: "clock-trust"): Promise<unknown>;
  put(row: ClockTrustMeta, key: "clock-trust"): Promise<unknown>;
}

export class ClockTrust {
  readonly #clock: Clock;
  #lastNowMs: number;
  #lastMonotonicMs: number;
  /** Time without jumps in this session, since the last jump or change of month. */
  #ownMs = 0;
  /** What earlier sessions had counted when this one started. */
  #inheritedMs: number | undefined;
  /** Since a jump: what is stored may be from before it, until the last note is read back. */
  #isStoredFromBefore = false;
  #notedMs: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#lastNowMs = clock.now();
    this.#lastMonotonicMs = clock.monotonic();
  }

  /** Adds the time since the last call, stores it and returns whether the clock is trusted. */
  async observe(meta: TrustStore): Promise<boolean> {
    const nowMs = this.#clock.now();
    const monotonicMs = this.#clock.monotonic();
    const elapsedMs = monotonicMs - this.#lastMonotonicMs;
    const jumped = Math.abs(nowMs - this.#lastNowMs - elapsedMs) >= MAX_JUMP_MS;
    const period_start_ms = periodOf(nowMs).startMs;
    const crossedMonth = period_start_ms !== periodOf(this.#lastNowMs).startMs;
    this.#lastNowMs = nowMs;
    this.#lastMonotonicMs = monotonicMs;
    const row = await meta.get("clock-trust");
    const stored =
      row !== undefined && isValidRow("meta", row, "clock-trust") ? (row as ClockTrustMeta) : undefined;
    const storedMs = stored?.period_start_ms === period_start_ms ? stored.trusted_ms : 0;
    if (jumped || crossedMonth) {
      this.#ownMs = 0;
      this.#inheritedMs = 0;
    } else {
      this.#ownMs += elapsedMs;
      this.#inheritedMs ??= storedMs;
    }
    // Concurrent tabs count the same minutes: the longer count is kept, they are never added.
    const ownTotalMs = (this.#inheritedMs ?? 0) + this.#ownMs;
    if (jumped) this.#isStoredFromBefore = true;
    else if (stored?.trusted_ms === this.#notedMs) this.#isStoredFromBefore = false;
    const trusted_ms = this.#isStoredFromBefore ? ownTotalMs : Math.max(storedMs, ownTotalMs);
    // The transaction may fail, or run again.
    this.#notedMs = trusted_ms;
    await meta.put({ period_start_ms, trusted_ms }, "clock-trust");
    return trusted_ms >= NEEDED_MS;
  }
}
