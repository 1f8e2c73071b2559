/** Response schemas of the smaller endpoints. Those of generation endpoints are beside their contract tests. */

import { z } from "zod";

const seconds = z.int();
const secondsOrNull = seconds.nullable();
const count = z.int().min(0);
const timestamp = z.string().describe("RFC 3339, UTC");

export const model = z.object({
  id: z.string(),
  object: z.literal("model"),
  created: seconds,
  owned_by: z.string(),
  infetch: z.looseObject({}).describe("What is known of the model beyond OpenAI's fields."),
});

export const modelList = z.strictObject({ object: z.literal("list"), data: z.array(model) });

export const prompt = z.strictObject({
  object: z.literal("chat.completion.prompt"),
  model: z.string(),
  prompt: z.string(),
  prompt_tokens: count,
  tool_format: z.string().nullable().describe("How the model writes calls; null if it has no tools."),
  reasoning_format: z.string().nullable().describe("What begins a thought; null if the model has none."),
  stop: z.array(z.string()),
});

export const inputTokens = z.strictObject({
  object: z.literal("response.input_tokens"),
  input_tokens: count,
});

export const embeddingList = z.strictObject({
  object: z.literal("list"),
  data: z.array(
    z.strictObject({
      object: z.literal("embedding"),
      index: count,
      embedding: z.union([z.array(z.number()), z.string().describe("little-endian float32, base64")]),
    }),
  ),
  model: z.string(),
  usage: z.strictObject({ prompt_tokens: count, total_tokens: count }),
});

export const file = z.strictObject({
  id: z.string(),
  object: z.literal("file"),
  bytes: count,
  created_at: seconds,
  expires_at: secondsOrNull,
  filename: z.string(),
  purpose: z.string(),
  status: z.literal("processed"),
  status_details: z.null(),
});

const listOf = (item: z.ZodType) =>
  z.strictObject({
    object: z.literal("list"),
    data: z.array(item),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
  });

export const fileList = listOf(file);

export const deletedFile = z.strictObject({
  id: z.string(),
  object: z.literal("file"),
  deleted: z.literal(true),
});

export const batch = z.strictObject({
  id: z.string(),
  object: z.literal("batch"),
  endpoint: z.string(),
  model: z.string().nullable(),
  errors: z.strictObject({ object: z.literal("list"), data: z.array(z.looseObject({})) }).nullable(),
  input_file_id: z.string(),
  completion_window: z.literal("24h"),
  status: z.enum([
    "validating",
    "failed",
    "in_progress",
    "finalizing",
    "completed",
    "expired",
    "cancelling",
    "cancelled",
  ]),
  output_file_id: z.string().nullable(),
  error_file_id: z.string().nullable(),
  created_at: seconds,
  in_progress_at: secondsOrNull,
  expires_at: secondsOrNull,
  finalizing_at: secondsOrNull,
  completed_at: secondsOrNull,
  failed_at: secondsOrNull,
  expired_at: secondsOrNull,
  cancelling_at: secondsOrNull,
  cancelled_at: secondsOrNull,
  request_counts: z.strictObject({ total: count, completed: count, failed: count }),
  usage: z.strictObject({
    input_tokens: count,
    input_tokens_details: z.strictObject({ cached_tokens: count }),
    output_tokens: count,
    output_tokens_details: z.strictObject({ reasoning_tokens: count }),
    total_tokens: count,
  }),
  metadata: z.record(z.string(), z.string()).nullable(),
});

export const batchList = listOf(batch);

const lineItem = z.strictObject({
  name: z.string(),
  quantity: z.number(),
  total: z.number(),
  unit_price: z.number(),
  type: z.enum(["usage", "subscription", "scheduled", "commit_purchase", "applied_commit_or_credit"]),
  starting_at: timestamp,
  ending_before: timestamp,
  pricing_group_values: z.record(z.string(), z.string()),
  presentation_group_values: z.record(z.string(), z.string()),
  product_id: z.string(),
});

export const invoice = z.strictObject({
  id: z.string(),
  status: z.enum(["DRAFT", "FINALIZED", "VOID"]),
  type: z.enum(["USAGE", "SCHEDULED", "USAGE_CONSOLIDATED"]),
  total: z.number(),
  subtotal: z.number(),
  start_timestamp: timestamp,
  end_timestamp: timestamp,
  line_items: z.array(lineItem),
  issued_at: timestamp,
  billable_status: z.enum(["billable", "unbillable"]),
});

export const invoiceList = z.strictObject({ invoices: z.array(invoice) });

export const breakdowns = z.strictObject({
  breakdowns: z.array(
    z.strictObject({
      ...invoice.shape,
      breakdown_start_timestamp: timestamp,
      breakdown_end_timestamp: timestamp,
    }),
  ),
  next_page: z.string().nullable(),
});
