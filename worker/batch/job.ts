/** Runs one batch. After an interruption, the same job resumes from what is stored. */

import type { BatchStatus } from "../../src/protocol/events.ts";
import type { BatchStep } from "./batch-store.ts";
import { UnreadableFile } from "./files/file-store.ts";
import { runGroups } from "./group-pool.ts";
import type { JobServices } from "./job-services.ts";
import { checkInput, missingInput } from "./lines/check-input.ts";
import { groupLines } from "./lines/line-groups.ts";
import { readLines } from "./lines/lines.ts";
import { parseLine, type RequestLine } from "./lines/request-line.ts";
import {
  CANCELLED,
  EXPIRED,
  eventsOf,
  type LineResponse,
  type NotRun,
  notRunResult,
} from "./lines/result-line.ts";
import { runLine } from "./lines/run-line.ts";
import { writeResultFiles } from "./result-files.ts";
import type { BatchRow, ResultRow } from "./schema.ts";

/** Embedding inputs sent together, so that the engine gets full batches. */
const INPUTS_AT_ONCE = 64;

/** Results stored at once for lines that were not run. */
const NOT_RUN_AT_ONCE = 500;

export class BatchJob {
  readonly #services: JobServices;
  readonly #id: string;
  /** Aborts running lines when the batch is cancelled. */
  readonly #cancelled: AbortSignal;
  readonly #ended: AbortSignal;
  /** Of results that are not stored, whose lines will run again. */
  readonly #reversals = new WeakMap<ResultRow, () => Promise<void>>();

  /** @param signals abort running lines: when the batch is cancelled, and when its time is over */
  constructor(
    id: string,
    services: JobServices,
    { cancelled, expired }: Record<"cancelled" | "expired", AbortSignal>,
  ) {
    this.#id = id;
    this.#services = services;
    this.#cancelled = cancelled;
    this.#ended = AbortSignal.any([cancelled, expired]);
  }

  /** @throws {ApiError} if storage fails or a model cannot be downloaded; progress is kept */
  async run(): Promise<void> {
    await this.#inState(["validating"], (batch) => this.#validate(batch));
    await this.#inState(["in_progress"], (batch) => this.#execute(batch));
    await this.#inState(["finalizing", "cancelling"], (batch) => this.#finalize(batch));
  }

  async #inState(states: readonly BatchStatus[], work: (batch: BatchRow) => Promise<void>): Promise<void> {
    const batch = await this.#services.batches.get(this.#id);
    if (batch && states.includes(batch.status)) await work(batch);
  }

  /** Whether it took effect. */
  async #advance(step: BatchStep): Promise<boolean> {
    const batch = await this.#services.batches.advance(this.#id, step);
    if (batch) this.#services.onProgress(batch);
    return batch !== undefined;
  }

  async #validate({ endpoint, input_file_id }: BatchRow): Promise<void> {
    const { files, knowsModel } = this.#services;
    const file = await files.get(input_file_id);
    const missing = { errors: [missingInput(input_file_id)], total: 0, model: null };
    const lines = file && this.#until(readLines(files.read(file)));
    const { errors, total, model } = lines
      ? await checkInput(lines, { endpoint, knowsModel }).catch((error: unknown) => {
          if (error instanceof UnreadableFile) return missing;
          throw error;
        })
      : missing;
    if (this.#cancelled.aborted) return;
    const from = ["validating"] as const;
    if (errors.length > 0) await this.#advance({ from, to: "failed", change: { errors, model } });
    else await this.#advance({ from, to: "in_progress", change: { total, model } });
  }

  async #execute(batch: BatchRow): Promise<void> {
    const { batches } = this.#services;
    await this.#record(batch.id);
    const isOver = async (): Promise<boolean> =>
      this.#ended.aborted || (await isExpired(batch, this.#services));
    const { deaths } = batch;
    await runGroups(deaths ? this.#suspects(batch, deaths) : this.#groups(batch), {
      places: () => (deaths ? 1 : this.#places(batch)),
      isOver,
      note: (running) => batches.begin(batch.id, running),
      run: (line) => this.#runLine(batch, line),
      store: (rows, running) => this.#store(batch.id, rows, running),
    }).catch(async (error) => {
      // None runs now, though the last results were not stored: a server that ends was not ended by them.
      await batches.begin(batch.id, []).catch(() => {});
      throw error;
    });
    if (this.#cancelled.aborted) return;
    // The other lines run when the runner restarts the batch, alongside other batches.
    if (deaths && !(await isOver())) return batches.clearDeaths(batch.id);
    const { completed, failed, total, input_file_id } = (await batches.get(batch.id))!;
    if (completed + failed === total) return this.#conclude({ ends_as: "completed" });
    if (await isOver()) return this.#conclude({ ends_as: "expired" });
    await this.#conclude({ ends_as: "failed", errors: [missingInput(input_file_id)] });
  }

  async #runLine(batch: BatchRow, line: RequestLine): Promise<ResultRow | undefined> {
    let response: LineResponse | undefined;
    const dispatch: JobServices["dispatch"] = async (sent) => {
      response = await this.#services.dispatch(sent);
      return response;
    };
    const row = await runLine(batch, line, { ...this.#services, dispatch }, this.#ended);
    if (row && response?.reverseUsage) this.#reversals.set(row, response.reverseUsage);
    return row;
  }

  async #store(id: string, rows: readonly ResultRow[], running: readonly number[]): Promise<void> {
    // Stored before it is recorded: a later job records it without running it again.
    const progress = await this.#services.results.add(id, rows, running).catch(async (error) => {
      await Promise.all(rows.map((row) => this.#reversals.get(row)?.()));
      throw error;
    });
    await this.#tryToRecord(rows);
    this.#services.onProgress(progress);
  }

  async #conclude(change: Pick<BatchRow, "ends_as"> & Partial<BatchRow>): Promise<void> {
    await this.#advance({ from: ["in_progress"], to: "finalizing", change });
  }

  #groups(batch: BatchRow): AsyncGenerator<RequestLine[], void> {
    return groupLines(this.#linesLeft(batch), isEmbedding(batch) ? INPUTS_AT_ONCE : 1);
  }

  /** A group of embeddings is what the engine runs at once; of text, each line is a group. */
  #places(batch: BatchRow): number {
    return isEmbedding(batch) || batch.model === null ? 1 : this.#services.placesFor(batch.model);
  }

  /** Lines that may have crashed a server, one at a time. */
  async *#suspects(batch: BatchRow, deaths: Record<number, number>): AsyncGenerator<RequestLine[], void> {
    let left = Object.keys(deaths).length;
    for await (const line of this.#linesLeft(batch)) {
      if (!(line.number in deaths)) continue;
      yield [line];
      if (--left === 0) return;
    }
  }

  async #finalize(batch: BatchRow): Promise<void> {
    if (batch.status === "cancelling") await this.#storeNotRun(batch, CANCELLED);
    else if (batch.ends_as === "expired") await this.#storeNotRun(batch, EXPIRED);
    const isRecorded = await this.#record(batch.id);
    const { output, error } = await writeResultFiles(batch, this.#services);
    const hasEnded = await this.#advance({
      from: [batch.status],
      to: batch.status === "cancelling" ? "cancelled" : (batch.ends_as ?? "completed"),
      change: { output_file_id: output?.id ?? null, error_file_id: error?.id ?? null },
      files: [output, error].filter((file) => file !== undefined),
    });
    // A refused end has no files: the next one writes them from the results.
    if (hasEnded && isRecorded) await this.#services.results.drop(batch.id);
  }

  /** Stores the same result for every line that was not run; a batch not yet validated has none. */
  async #storeNotRun(batch: BatchRow, why: NotRun): Promise<void> {
    if (batch.total === 0) return;
    const { results, clock } = this.#services;
    for await (const lines of groupLines(this.#linesLeft(batch), NOT_RUN_AT_ONCE, () => 1)) {
      const rows = lines.map((line) => notRunResult(batch.id, line, why, clock));
      this.#services.onProgress(await results.add(batch.id, rows));
    }
  }

  /** Requests without a result. All parse: they were validated. Stops at a part that cannot be read. */
  async *#linesLeft({ id, endpoint, input_file_id }: BatchRow): AsyncGenerator<RequestLine, void> {
    const { files, results } = this.#services;
    const done = await results.linesDone(id);
    const file = await files.get(input_file_id);
    if (!file) return;
    try {
      for await (const line of readLines(files.read(file))) {
        if (done.has(line.number)) continue;
        const parsed = parseLine(line, endpoint);
        if (parsed.ok) yield parsed.request;
      }
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
    }
  }

  async *#until<T>(items: AsyncIterable<T>): AsyncGenerator<T, void> {
    for await (const item of items) {
      if (this.#cancelled.aborted) return;
      yield item;
    }
  }

  /** Records all stored results; repeats count once. False if the ledger refused. */
  async #record(id: string): Promise<boolean> {
    let isRecorded = true;
    for await (const rows of this.#services.results.of(id)) {
      isRecorded = (await this.#tryToRecord(rows)) && isRecorded;
    }
    return isRecorded;
  }

  /** Continues without the ledger; results are kept until they are recorded. */
  async #tryToRecord(rows: readonly ResultRow[]): Promise<boolean> {
    try {
      const events = eventsOf(rows);
      if (events.length > 0) await this.#services.record(events);
      return true;
    } catch {
      return false;
    }
  }
}

/** Whether a batch's time is over, by a clock that can be trusted. */
export async function isExpired(
  { expires_ms }: BatchRow,
  { clock, files }: Pick<JobServices, "clock" | "files">,
): Promise<boolean> {
  return clock.now() >= expires_ms && (await files.isClockTrusted());
}

function isEmbedding({ endpoint }: BatchRow): boolean {
  return endpoint === "/v1/embeddings";
}
