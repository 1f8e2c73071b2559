/** The batches of all accounts. Each state change is one transaction that checks the state first. */

import type { BatchStatus } from "../../src/protocol/events.ts";
import type { Clock } from "../clock.ts";
import type { KeyHolder } from "../usage/keys/key-ring.ts";
import { isVisible } from "./files/file-store.ts";
import { findByRequest } from "./files/idempotency.ts";
import { type ListPage, type ListPageQuery, listPage } from "./files/list-page.ts";
import { isValidBatch, isValidFile, unfinishedBatches } from "./row-schemas.ts";
import type { BatchRow, FileRow, FilesDatabase, FilesTransaction } from "./schema.ts";

/** The only completion window, as in OpenAI's API. */
const WINDOW_MS = 24 * 3_600_000;

/** Input for a new batch. */
export type NewBatch = Pick<
  BatchRow,
  "endpoint" | "input_file_id" | "metadata" | "output_life_s" | "page_options"
>;

const TERMINAL: readonly BatchStatus[] = ["completed", "failed", "expired", "cancelled"];

/** A change of state. */
export interface BatchStep {
  /** The states in which it takes effect. */
  from: readonly BatchStatus[];
  to: BatchStatus;
  change?: Partial<BatchRow>;
  /** Files that become visible with it. */
  files?: readonly FileRow[];
}

export class BatchStore {
  readonly #database: FilesDatabase;
  readonly #clock: Clock;
  readonly #onChange: (batch: BatchRow) => void;

  /** @param onChange called for every batch created or cancelled */
  constructor(database: FilesDatabase, clock: Clock, onChange: (batch: BatchRow) => void) {
    this.#database = database;
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /**
   * Creates a batch, unless the request has created one; undefined if its input is not a readable batch file of the
   * account.
   */
  async create(holder: KeyHolder, batch: NewBatch, requestId: string): Promise<BatchRow | undefined> {
    const created_ms = this.#clock.now();
    const { account } = holder;
    const row: BatchRow = {
      ...batch,
      id: this.#clock.id("batch_", 32),
      account,
      holder,
      request_id: requestId,
      status: "validating",
      errors: [],
      model: null,
      total: 0,
      completed: 0,
      failed: 0,
      input_tokens: 0,
      cached_tokens: 0,
      output_tokens: 0,
      reasoning_tokens: 0,
      created_ms,
      expires_ms: created_ms + WINDOW_MS,
      times: {},
      output_file_id: null,
      error_file_id: null,
      open_ms: created_ms,
    };
    const request = { account, requestId, nowMs: created_ms };
    const created = await this.#database.write(["batches", "files"], async (transaction) => {
      const store = transaction.objectStore("batches");
      const earlier = await findByRequest(store, request, isValidBatch);
      if (earlier) return earlier;
      const file = await transaction.objectStore("files").get(batch.input_file_id);
      if (!isValidFile(file) || file.account !== account || file.purpose !== "batch") return undefined;
      if (!isVisible(file, created_ms)) return undefined;
      await store.put(row);
      return row;
    });
    if (created === row) this.#onChange(row);
    return created;
  }

  /** Cancels a batch; undefined if it has ended or is finalizing. Idempotent. */
  async cancel(row: BatchRow): Promise<BatchRow | undefined> {
    const cancelled = await this.advance(row.id, { from: ["validating", "in_progress"], to: "cancelling" });
    if (cancelled) this.#onChange(cancelled);
    const now = cancelled ?? (await this.get(row.id));
    return now?.status === "cancelling" || now?.status === "cancelled" ? now : undefined;
  }

  async find(account: string, id: string): Promise<BatchRow | undefined> {
    const row = await this.get(id);
    return row?.account === account ? row : undefined;
  }

  async get(id: string): Promise<BatchRow | undefined> {
    const row = await this.#database.read(["batches"], (all) => all.objectStore("batches").get(id));
    return isValidBatch(row) ? row : undefined;
  }

  list(account: string, query: ListPageQuery): Promise<ListPage<BatchRow> | undefined> {
    return this.#database.read(["batches"], (transaction) =>
      listPage(transaction.objectStore("batches"), account, query, { isValid: isValidBatch }),
    );
  }

  /** Batches with work left, oldest first. */
  open(): Promise<BatchRow[]> {
    return this.#database.read(["batches"], unfinishedBatches);
  }

  /**
   * Moves a batch to a state and stores the time. Returns undefined, without effect, unless its state is in `from`, or
   * if one of `files` was deleted meanwhile: then a later server has taken over the batch.
   */
  advance(
    id: string,
    { from, to: status, change = {}, files = [] }: BatchStep,
  ): Promise<BatchRow | undefined> {
    return this.#database.write(["batches", "files"], async (transaction) => {
      const store = transaction.objectStore("batches");
      const row = await store.get(id);
      if (!isValidBatch(row) || !from.includes(row.status)) return undefined;
      const written = await Promise.all(files.map(({ id }) => transaction.objectStore("files").getKey(id)));
      if (written.includes(undefined)) return undefined;
      const times = { ...row.times, [status]: this.#clock.now() };
      const { open_ms, ...closed } = { ...row, ...change, status, times };
      const next: BatchRow = TERMINAL.includes(status) ? closed : { ...closed, open_ms: row.created_ms };
      await store.put(next);
      for (const file of files) await transaction.objectStore("files").put(file);
      return next;
    });
  }

  /** Stores which lines run, or are about to. */
  begin(id: string, lines: readonly number[]): Promise<void> {
    return this.#change(id, (row) => {
      if (lines.length > 0) row.running = [...lines];
      else delete row.running;
    });
  }

  /** Counts a death for each line that the dead server was running. */
  async takeOver(): Promise<void> {
    await this.#database.write(["batches"], async (transaction) => {
      const store = transaction.objectStore("batches");
      for (const { running, ...row } of await unfinishedBatches(transaction)) {
        if (!running) continue;
        const deaths = { ...row.deaths };
        for (const line of running) deaths[line] = (deaths[line] ?? 0) + 1;
        await store.put({ ...row, deaths });
      }
    });
  }

  /** Clears the deaths: every suspect line has run alone, or was given up. */
  clearDeaths(id: string): Promise<void> {
    return this.#change(id, (row) => {
      delete row.deaths;
    });
  }

  /** Relaxed: survives a worker crash, perhaps not a device crash. */
  #change(id: string, change: (row: BatchRow) => void): Promise<void> {
    const write = async (transaction: FilesTransaction): Promise<void> => {
      const store = transaction.objectStore("batches");
      const row = (await store.get(id))!;
      change(row);
      await store.put(row);
    };
    return this.#database.write(["batches"], write, "relaxed");
  }
}
