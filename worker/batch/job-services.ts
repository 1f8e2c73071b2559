/** What batches need of their server. */

import type { PageOptions } from "../../src/protocol/transfer/request-state.ts";
import type { Clock } from "../clock.ts";
import type { KeyHolder } from "../usage/keys/key-ring.ts";
import type { NewEvent } from "../usage/ledger/record.ts";
import type { BatchStore } from "./batch-store.ts";
import type { FileStore } from "./files/file-store.ts";
import type { LineResponse } from "./lines/result-line.ts";
import type { ResultStore } from "./result-store.ts";
import type { BatchRow } from "./schema.ts";

export interface JobServices {
  files: FileStore;
  batches: BatchStore;
  results: ResultStore;
  clock: Clock;
  /** Whether a batch can run the model. */
  knowsModel(name: string): boolean;
  /** How many background requests the model's engine runs at once; at least 1, and 1 until the model has loaded. */
  placesFor(model: string): number;
  /** False if the browser reports no network. */
  isOnline(): boolean;
  /** Sends one line to its endpoint. Never rejects. */
  dispatch(line: DispatchedLine): Promise<LineResponse>;
  /** Records new events. Rejects if the ledger cannot be written. */
  record(events: readonly NewEvent[]): Promise<void>;
  /** Called after every step. */
  onProgress(batch: BatchRow): void;
}

export interface DispatchedLine {
  endpoint: string;
  body: Record<string, unknown>;
  holder: KeyHolder;
  /** Options of the page that created the batch, if known. */
  pageOptions: PageOptions | undefined;
  /** `<batch id>:<line>` */
  transactionId: string;
  signal: AbortSignal;
}
