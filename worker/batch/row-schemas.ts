/** Schemas of stored files and batches: IndexedDB may hold anything. Reads skip what does not match. */

import * as z from "zod/mini";
import type { RowSchema } from "../storage/row-schema.ts";
import { limitsSchema, scopeFields } from "../usage/keys/row-schemas.ts";
import { count, isValidRow } from "../usage/ledger/row-schemas.ts";
import type { BatchRow, FileRow, FilesTransaction, ResultRow } from "./schema.ts";

const timeMs = z.number();
const text = z.string();

const file = z.object({
  id: text,
  account: text,
  purpose: z.enum(["batch", "batch_output"]),
  filename: text,
  bytes: count,
  chunks: count,
  created_ms: timeMs,
  expires_ms: z.nullable(timeMs),
  request_id: z.optional(text),
  writer_id: z.optional(text),
}) satisfies RowSchema<FileRow>;

const batch = z.object({
  id: text,
  account: text,
  endpoint: text,
  input_file_id: text,
  request_id: z.optional(text),
  metadata: z.nullable(z.record(text, text)),
  holder: z.object({
    ...scopeFields,
    accessKey: text,
    account: text,
    limited: z.optional(z.object({ name: text, limits: limitsSchema })),
  }),
  // Any: a batch whose options are corrupt still runs.
  page_options: z.optional(z.record(text, z.unknown())),
  output_life_s: z.nullable(z.number()),
  status: z.enum([
    "validating",
    "in_progress",
    "finalizing",
    "cancelling",
    "completed",
    "failed",
    "expired",
    "cancelled",
  ]),
  ends_as: z.optional(z.enum(["completed", "expired", "failed"])),
  errors: z.array(z.object({ code: text, line: z.nullable(count), message: text, param: z.nullable(text) })),
  model: z.nullable(text),
  total: count,
  completed: count,
  failed: count,
  input_tokens: count,
  cached_tokens: count,
  output_tokens: count,
  reasoning_tokens: count,
  created_ms: timeMs,
  expires_ms: timeMs,
  times: z.record(text, timeMs),
  output_file_id: z.nullable(text),
  error_file_id: z.nullable(text),
  open_ms: z.optional(timeMs),
  running: z.optional(z.array(count)),
  deaths: z.optional(z.record(text, count)),
}) satisfies RowSchema<Omit<BatchRow, "page_options">>;

const result = z.object({
  batch_id: text,
  line: count,
  kind: z.enum(["output", "error"]),
  text,
  // The ledger adds when it recorded it.
  event: z.optional(z.custom((event) => isValidRow("events", { ...Object(event), recorded_ms: 0 }))),
});

export function isValidFile(row: unknown): row is FileRow {
  return file.safeParse(row).success;
}

export function isValidBatch(row: unknown): row is BatchRow {
  return batch.safeParse(row).success;
}

/** Batches with work left, oldest first. */
export async function unfinishedBatches(transaction: FilesTransaction): Promise<BatchRow[]> {
  const rows = await transaction.objectStore("batches").index("by_open").getAll();
  return rows.filter(isValidBatch);
}

export function isValidResult(row: unknown): row is ResultRow {
  return result.safeParse(row).success;
}
