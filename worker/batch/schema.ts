/** Rows of files and batches, in the database `<storageName>-files`. */

import type { DBSchema } from "idb";
import type { BatchStatus } from "../../src/protocol/events.ts";
import type { PageOptions } from "../../src/protocol/transfer/request-state.ts";
import { ApiError } from "../http/api-error.ts";
import { Database, type Migration, STORAGE_REMEDY } from "../storage/database.ts";
import type { Transaction } from "../storage/transaction.ts";
import type { KeyHolder } from "../usage/keys/key-ring.ts";
import type { NewEvent } from "../usage/ledger/record.ts";
import type { ClockTrustMeta } from "../usage/ledger/schema.ts";
import { filesName } from "./files/files-name.ts";

/** `batch` is uploaded, `batch_output` is generated. */
export type FilePurpose = "batch" | "batch_output";

export interface FileRow {
  id: string;
  account: string;
  purpose: FilePurpose;
  filename: string;
  bytes: number;
  /** Number of rows in `chunks`. */
  chunks: number;
  created_ms: number;
  /** null: never. */
  expires_ms: number | null;
  /** The upload that made it. */
  request_id?: string;
  /** While being written: the writing server, whose lock is `filesOwnerLock(writer_id)`. */
  writer_id?: string;
}

export interface BatchError {
  code: string;
  /** Line of the input file, from 1; null for the whole file. */
  line: number | null;
  message: string;
  param: string | null;
}

/** When a batch entered a state, milliseconds. */
type BatchTimes = Partial<
  Record<
    "in_progress" | "finalizing" | "completed" | "failed" | "expired" | "cancelling" | "cancelled",
    number
  >
>;

export interface BatchRow {
  id: string;
  account: string;
  endpoint: string;
  input_file_id: string;
  /** The request that made it. Absent in rows of earlier builds. */
  request_id?: string;
  metadata: Record<string, string> | null;
  /** Holder of the key that created it, with its permissions then: the key may no longer exist. */
  holder: KeyHolder;
  /** Options of the page that created it. Absent in rows of earlier builds: those of the server apply. */
  page_options?: PageOptions;
  /** Lifetime of its result files, seconds; null: unlimited. */
  output_life_s: number | null;
  status: BatchStatus;
  /** While finalizing: its final status. */
  ends_as?: "completed" | "expired" | "failed";
  errors: BatchError[];
  model: string | null;
  total: number;
  completed: number;
  failed: number;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
  created_ms: number;
  expires_ms: number;
  times: BatchTimes;
  output_file_id: string | null;
  error_file_id: string | null;
  /** `created_ms`, while work is left. */
  open_ms?: number;
  /** Lines that have started and not ended: if their server is dead, one of them may be the cause. */
  running?: number[];
  /** Server deaths while a line ran, by line number. */
  deaths?: Record<number, number>;
}

/** The result of one line. Its key is the transaction id of its usage, in two parts. */
export interface ResultRow {
  batch_id: string;
  line: number;
  /** The file that contains it. */
  kind: "output" | "error";
  /** The line of that file, without line feed. */
  text: string;
  /** The event to record; absent if nothing was used. */
  event?: NewEvent;
}

interface FilesSchema extends DBSchema {
  files: {
    key: string;
    value: FileRow;
    indexes: { by_account: [string, number, string]; by_writer: string };
  };
  chunks: { key: [string, number]; value: Uint8Array<ArrayBuffer> };
  batches: {
    key: string;
    value: BatchRow;
    indexes: { by_account: [string, number, string]; by_open: number };
  };
  results: { key: [string, number]; value: ResultRow };
  /** Only how long the clock has been even. */
  meta: { key: "clock-trust"; value: ClockTrustMeta };
}

export type FilesTransaction = Transaction<FilesSchema>;

const MIGRATIONS: readonly Migration<FilesSchema>[] = [
  ({ db }) => {
    const files = db.createObjectStore("files", { keyPath: "id" });
    files.createIndex("by_account", ["account", "created_ms", "id"]);
    files.createIndex("by_writer", "writer_id");
    db.createObjectStore("chunks");
    const batches = db.createObjectStore("batches", { keyPath: "id" });
    batches.createIndex("by_account", ["account", "created_ms", "id"]);
    batches.createIndex("by_open", "open_ms");
    db.createObjectStore("results", { keyPath: ["batch_id", "line"] });
  },
  ({ db }) => void db.createObjectStore("meta"),
];

/** Its calls throw {@link ApiError}: 413 `storage_quota_exceeded`, 503 `storage_unavailable`. */
export class FilesDatabase extends Database<FilesSchema> {
  /** @param name the database is named `<name>-files` */
  constructor(name: string) {
    super({ name: filesName(name), migrations: MIGRATIONS, errors: { unavailable, blocked } });
  }
}

function unavailable(cause: unknown): ApiError {
  if (cause instanceof Error && cause.name === "QuotaExceededError") {
    const message =
      "This site's storage is full. Delete files that you no longer need, or free space on the device.";
    return new ApiError(413, "storage_quota_exceeded", message, { cause });
  }
  const message = `The database of files is unavailable. ${STORAGE_REMEDY}`;
  return new ApiError(503, "storage_unavailable", message, { cause });
}

function blocked(): ApiError {
  const message = "Another tab blocks the database of files. Close or reload the other tabs of this site.";
  return new ApiError(503, "storage_unavailable", message);
}

/** All keys that start with `id`, whatever follows: an array is after all other keys. */
export function keysOf(id: string): IDBKeyRange {
  return IDBKeyRange.bound([id], [id, []]);
}
