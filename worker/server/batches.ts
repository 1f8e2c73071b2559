/** Composes files and batches for one server: database, stores and runner. */

import type { BatchEvent } from "../../src/protocol/events.ts";
import { stateOf } from "../../src/protocol/transfer/request-state.ts";
import { BatchStore } from "../batch/batch-store.ts";
import { FileStore } from "../batch/files/file-store.ts";
import type { DispatchedLine } from "../batch/job-services.ts";
import type { LineResponse } from "../batch/lines/result-line.ts";
import { ResultStore } from "../batch/result-store.ts";
import { BatchRunner } from "../batch/runner.ts";
import { type BatchRow, FilesDatabase } from "../batch/schema.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { resolveModel } from "../catalog/resolve.ts";
import { type Clock, systemTimers, type Timers } from "../clock.ts";
import type { LedgerLocks } from "../usage/ledger/locks.ts";
import type { NewEvent } from "../usage/ledger/record.ts";
import { LineMeter } from "../usage/metering/line-meter.ts";
import type { App } from "./app.ts";

export interface BatchesServices {
  name: string;
  /** Stores files and batches. @default the database called `name` */
  database?: FilesDatabase;
  clock: Clock;
  /** @default the system's */
  timers?: Timers;
  locks: LedgerLocks;
  /** Whether the clock is trusted unchecked, as tests that offset it need. @default false */
  skipsClockCheck?: boolean;
  catalog: Catalog;
  record(events: readonly NewEvent[]): Promise<void>;
  /** Whether lines that name a model may go to the upstream. @default none */
  forwards?: (model: string) => boolean;
  /** How many background requests a model of the catalogue runs at once. */
  backgroundPlaces(modelId: string): number;
  /** False if the browser reports that it is offline. */
  isOnline(): boolean;
  /** Called on every change of every batch. */
  onEvent(event: BatchEvent): void;
  /** Wakes the batch runners of other tabs. */
  wakeOthers(): void;
}

export interface ServerBatches {
  files: FileStore;
  batches: BatchStore;
  /** Starts the batch runner; only the tab that holds the lock runs batches. */
  run(app: Pick<App, "dispatch">): void;
  /** Checks for work: another tab changed something, or the maintenance interval elapsed. */
  wake(): void;
}

/** The database is opened on first use. */
export function openBatches(services: BatchesServices): ServerBatches {
  const { name, clock, locks, catalog, record, backgroundPlaces, isOnline, onEvent, wakeOthers } = services;
  const { timers = systemTimers, skipsClockCheck = false, forwards = () => false } = services;
  const { database = new FilesDatabase(name) } = services;
  const report = (batch: BatchRow, code?: string): void => onEvent(batchEvent(batch, code));
  let runner: BatchRunner | undefined;
  const wakeAll = (): void => {
    runner?.wake();
    wakeOthers();
  };
  const files = new FileStore({ database, clock, locks, skipsClockCheck, onDeleted: wakeAll });
  const batches = new BatchStore(database, clock, (batch) => {
    report(batch);
    wakeAll();
  });
  return {
    files,
    batches,
    run(app) {
      runner = new BatchRunner({
        files,
        batches,
        results: new ResultStore(database),
        clock,
        timers,
        locks,
        name,
        record,
        isOnline,
        knowsModel: (model) => forwards(model) || resolveModel(catalog, model, true).length > 0,
        placesFor: (model) => {
          const [resolved] = resolveModel(catalog, model, true);
          return resolved ? backgroundPlaces(resolved.record.id) : 1;
        },
        dispatch: (line) => dispatch(app, clock, line),
        onProgress: report,
        onStalled: report,
      });
      runner.start();
    },
    wake: () => runner?.wake(),
  };
}

async function dispatch(
  app: Pick<App, "dispatch">,
  clock: Clock,
  { endpoint, body, holder, pageOptions, transactionId, signal }: DispatchedLine,
): Promise<LineResponse> {
  const meter = new LineMeter(clock);
  // Never fetched: `Request` needs an absolute URL.
  const request = new Request(`https://infetch.invalid${endpoint}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
  if (pageOptions) stateOf(request).pageOptions = pageOptions;
  const response = await app.dispatch(endpoint, { request, holder, transactionId, meter });
  return {
    status: response.status,
    requestId: clock.id("req_", 32),
    body: await response.json(),
    event: meter.event,
    reverseUsage: async () => void (await stateOf(request).metered?.reverseUsage()),
  };
}

function batchEvent(
  { id, status, total, completed, failed }: BatchRow,
  code: string | undefined,
): BatchEvent {
  return { type: "batch", id, status, total, completed, failed, ...(code === undefined ? {} : { code }) };
}
