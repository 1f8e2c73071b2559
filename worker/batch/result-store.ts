/** Results of the lines of batches, from their run until the batch has ended and they are recorded. */

import { isValidBatch, isValidResult } from "./row-schemas.ts";
import { type BatchRow, type FilesDatabase, keysOf, type ResultRow } from "./schema.ts";

/** Results read at once: few if they are large, many if they are small. */
const MIN_PER_READ = 8;
const MAX_PER_READ = 512;
const READ_CHARACTERS = 1_000_000;

export class ResultStore {
  readonly #database: FilesDatabase;

  constructor(database: FilesDatabase) {
    this.#database = database;
  }

  /** Stores each result once, counts it, notes what still runs. Strictly durable: stored results may be recorded. */
  add(id: string, results: readonly ResultRow[], running: readonly number[] = []): Promise<BatchRow> {
    return this.#database.write(["batches", "results"], async (transaction) => {
      const row = (await transaction.objectStore("batches").get(id))!;
      const store = transaction.objectStore("results");
      for (const result of results) {
        if (await store.getKey([id, result.line])) continue;
        await store.put(result);
        count(row, result);
      }
      if (running.length > 0) row.running = [...running];
      else delete row.running;
      await transaction.objectStore("batches").put(row);
      return row;
    });
  }

  /** The lines that have a result. */
  async linesDone(id: string): Promise<Set<number>> {
    const keys = await this.#database.read(["results"], (transaction) =>
      transaction.objectStore("results").getAllKeys(keysOf(id)),
    );
    return new Set(keys.map(([, line]) => line));
  }

  /** The results of a batch in the order of its lines, some at a time. */
  async *of(id: string): AsyncGenerator<ResultRow[], void> {
    let perRead = MIN_PER_READ;
    for (let after = 0; ; ) {
      const range = IDBKeyRange.bound([id, after], keysOf(id).upper, true);
      const rows = await this.#database.read(["results"], (transaction) =>
        transaction.objectStore("results").getAll(range, perRead),
      );
      const last = rows.at(-1);
      if (!last) return;
      yield rows.filter(isValidResult);
      after = last.line;
      const characters = rows.reduce((sum, { text }) => sum + String(text).length, 0);
      perRead = characters < READ_CHARACTERS / 2 ? perRead * 2 : perRead / 2;
      perRead = Math.min(MAX_PER_READ, Math.max(MIN_PER_READ, perRead));
    }
  }

  drop(id: string): Promise<void> {
    return this.#database.write(["results"], (transaction) =>
      transaction.objectStore("results").delete(keysOf(id)),
    );
  }

  /** Finished batches with stored results: recording failed, or the server died meanwhile. */
  async unrecorded(): Promise<string[]> {
    const found: string[] = [];
    await this.#database.read(["batches", "results"], async (transaction) => {
      const store = transaction.objectStore("results");
      for (let cursor = await store.openKeyCursor(); cursor; ) {
        const [id] = cursor.key;
        const batch = await transaction.objectStore("batches").get(id);
        if (isValidBatch(batch) && batch.open_ms === undefined) found.push(id);
        const { upper } = keysOf(id);
        cursor = await (indexedDB.cmp(upper, cursor.key) > 0 ? cursor.continue(upper) : cursor.continue());
      }
    });
    return found;
  }
}

function count(row: BatchRow, { kind, event }: ResultRow): void {
  if (kind === "output") row.completed++;
  else row.failed++;
  if (!event) return;
  row.input_tokens += event.input_tokens;
  row.cached_tokens += event.cached_tokens;
  row.output_tokens += event.output_tokens;
  row.reasoning_tokens += event.reasoning_tokens;
}
