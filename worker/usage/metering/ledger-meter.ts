/** Meter that records usage in the ledger. */

import type { Clock, Timers } from "../../clock.ts";
import { type ChargedUse, chargedUse } from "../ledger/charged.ts";
import type { LedgerDatabase } from "../ledger/database.ts";
import {
  attemptOf,
  dropCheckpoint,
  type NewEvent,
  reverseEarlier,
  reverseEvent,
  settleEvents,
  writeCheckpoint,
} from "../ledger/record.ts";
import type { InflightRow, Outcome } from "../ledger/schema.ts";
import { GroupCommit } from "./group-commit.ts";
import {
  isFree,
  type Meter,
  type MeteredRequest,
  NO_TOKENS,
  type RequestMeter,
  type TokenCounts,
} from "./meter.ts";
import { usageColumns, usageEvent } from "./usage-event.ts";

/** A checkpoint is due after this many output tokens or this time: the most a killed tab can lose. */
const CHECKPOINT_TOKENS = 32;
const CHECKPOINT_MS = 1_000;
/** Maximum events kept that could not be recorded. */
const MAX_UNRECORDED = 10_000;

interface LedgerMeterOptions {
  database: LedgerDatabase;
  clock: Clock;
  /** Writes due checkpoints while the reader is paused. Absent: only further reads do. */
  timers?: Timers | undefined;
  /** This worker's id in its in-flight rows; its Web Lock is `ownerLock(ownerId)`. */
  ownerId: string;
  /** Called after each commit. */
  onCommit(): void;
  /** Called when usage could not be written; the request continues. */
  onFailure(error: unknown): void;
}

export class LedgerMeter implements Meter {
  readonly #options: LedgerMeterOptions;
  readonly #settles: GroupCommit<NewEvent>;
  /** What could not be recorded, until a commit succeeds. */
  readonly #unrecorded = new Set<NewEvent>();

  constructor(options: LedgerMeterOptions) {
    this.#options = options;
    this.#settles = new GroupCommit(async (events) => {
      const record = () => settleEvents(options.database, options.clock, events);
      try {
        await record().catch(record);
      } catch (error) {
        for (const event of events) this.#unrecorded.add(event);
        for (const event of [...this.#unrecorded].slice(0, -MAX_UNRECORDED)) this.#unrecorded.delete(event);
        throw error;
      }
      // Not together: while the ledger cannot be written, each settle would try more than the one before.
      await this.#recordLate().catch(() => {});
      options.onCommit();
    });
  }

  begin(request: MeteredRequest): RequestMeter {
    return new LedgerRequestMeter(request, this.#options, this.#settles, (event) => this.#reverse(event));
  }

  /** Records what could not be recorded before. @throws {LedgerError} */
  async flush(): Promise<void> {
    if (await this.#recordLate()) this.#options.onCommit();
  }

  /**
   * Reverses what earlier attempts of a request have recorded, or have still to record. Returns what it was. Never
   * rejects.
   */
  async reverseEarlier(transactionId: string, attempt: number): Promise<ChargedUse | undefined> {
    let unrecorded: NewEvent | undefined;
    for (const event of this.#unrecorded) {
      if (event.transaction_id !== transactionId || attemptOf(event) >= attempt) continue;
      this.#unrecorded.delete(event);
      unrecorded = event;
    }
    try {
      const reversed = await reverseEarlier(this.#options.database, transactionId, attempt);
      if (reversed) return reversed;
    } catch (error) {
      this.#options.onFailure(error);
    }
    return unrecorded && chargedUse(unrecorded);
  }

  /** Returns whether it was charged until then. Never rejects. */
  async #reverse(event: NewEvent): Promise<boolean> {
    const wasUnrecorded = this.#unrecorded.delete(event);
    try {
      const isReversed = await reverseEvent(this.#options.database, event);
      this.#options.onCommit();
      return isReversed || wasUnrecorded;
    } catch (error) {
      this.#options.onFailure(error);
      return wasUnrecorded;
    }
  }

  /** Returns whether there was anything. */
  async #recordLate(): Promise<boolean> {
    const late = [...this.#unrecorded];
    if (late.length === 0) return false;
    await settleEvents(this.#options.database, this.#options.clock, late);
    for (const event of late) this.#unrecorded.delete(event);
    return true;
  }
}

class LedgerRequestMeter implements RequestMeter {
  readonly #request: MeteredRequest;
  readonly #options: LedgerMeterOptions;
  readonly #settles: GroupCommit<NewEvent>;
  readonly #startedMs: number;
  #latest: TokenCounts | undefined;
  /** As of the last checkpoint. */
  #written: TokenCounts | undefined;
  #writtenAtMs: number;
  #isWriting = false;
  #settled: Promise<TokenCounts | undefined> | undefined;
  #stopTimer = (): void => {};
  readonly #reverse: (event: NewEvent) => Promise<boolean>;
  #event: NewEvent | undefined;

  constructor(
    request: MeteredRequest,
    options: LedgerMeterOptions,
    settles: GroupCommit<NewEvent>,
    reverse: (event: NewEvent) => Promise<boolean>,
  ) {
    this.#request = request;
    this.#options = options;
    this.#settles = settles;
    this.#reverse = reverse;
    this.#startedMs = options.clock.now();
    this.#writtenAtMs = options.clock.monotonic();
  }

  checkpoint(counts: TokenCounts): void {
    this.#latest = counts;
    if (this.#request.stream) this.#writeIfDue();
  }

  settle(outcome: Outcome, counts: TokenCounts): Promise<TokenCounts | undefined> {
    this.#stopTimer();
    this.#settled ??= this.#settle(
      outcome,
      outcome === "interrupted" ? (this.#written ?? NO_TOKENS) : counts,
    );
    return this.#settled;
  }

  async reverseUsage(): Promise<boolean> {
    await this.#settled;
    return this.#event ? this.#reverse(this.#event) : false;
  }

  async #settle(outcome: Outcome, counts: TokenCounts): Promise<TokenCounts | undefined> {
    const free = isFree(outcome, counts, this.#request.stream);
    try {
      if (!free) {
        this.#event = usageEvent(this.#request, outcome, counts, this.#options.clock.now());
        await this.#settles.add(this.#event);
      } else {
        await this.#recordNothing();
      }
    } catch (error) {
      this.#options.onFailure(error);
    }
    return free ? undefined : counts;
  }

  /** Of what was written for the request, nothing stays, either by this server or by an earlier one that woke meanwhile. */
  async #recordNothing(): Promise<void> {
    const { transactionId, attempt = 0 } = this.#request;
    const { database } = this.#options;
    if (attempt > 0) await reverseEarlier(database, transactionId, attempt);
    if (this.#written) await dropCheckpoint(database, transactionId);
  }

  /** Runs one write at a time; later counts are part of the next one. */
  #writeIfDue(): void {
    const { clock, database } = this.#options;
    const counts = this.#latest;
    const writtenTokens = this.#written?.outputTokens ?? 0;
    if (this.#isWriting || this.#settled || !counts || counts.outputTokens <= writtenTokens) return;
    const waitMs = CHECKPOINT_MS - (clock.monotonic() - this.#writtenAtMs);
    this.#stopTimer();
    if (counts.outputTokens - writtenTokens < CHECKPOINT_TOKENS && waitMs > 0) {
      this.#stopTimer = this.#options.timers?.after(waitMs, () => this.#writeIfDue()) ?? this.#stopTimer;
      return;
    }
    this.#isWriting = true;
    this.#written = counts;
    this.#writtenAtMs = clock.monotonic();
    writeCheckpoint(database, this.#inflightRow(counts))
      .catch((error) => this.#options.onFailure(error))
      .finally(() => {
        this.#isWriting = false;
        this.#writeIfDue();
      });
  }

  #inflightRow(counts: TokenCounts): InflightRow {
    return {
      ...usageColumns(this.#request, counts),
      owner_id: this.#options.ownerId,
      stream: this.#request.stream,
      started_ms: this.#startedMs,
      checkpoint_ms: this.#options.clock.now(),
      phase: "delivering",
    };
  }
}
