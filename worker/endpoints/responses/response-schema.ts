/** Run-time schemas of responses of `POST /v1/responses`; strict, so that extra fields fail too. */

import { z } from "zod";

const itemStatus = z.enum(["in_progress", "completed", "incomplete"]);
const token = { token: z.string(), logprob: z.number(), bytes: z.array(z.int()) };
const logprobs = z.array(z.strictObject({ ...token, top_logprobs: z.array(z.strictObject(token)) }));
const outputText = z.strictObject({
  type: z.literal("output_text"),
  text: z.string(),
  annotations: z.array(z.never()),
  logprobs,
});
const reasoningText = z.strictObject({ type: z.literal("reasoning_text"), text: z.string() });
const summaryText = z.strictObject({ type: z.literal("summary_text"), text: z.string() });

const outputItemSchema = z.discriminatedUnion("type", [
  z.strictObject({
    id: z.string().regex(/^msg_\w+$/),
    type: z.literal("message"),
    status: itemStatus,
    role: z.literal("assistant"),
    content: z.array(outputText),
  }),
  z.strictObject({
    id: z.string().regex(/^rs_\w+$/),
    type: z.literal("reasoning"),
    status: itemStatus,
    summary: z.array(summaryText),
    content: z.array(reasoningText).optional(),
    encrypted_content: z.string().min(1).optional(),
  }),
  z.strictObject({
    id: z.string().regex(/^fc_\w+$/),
    type: z.literal("function_call"),
    status: itemStatus,
    call_id: z.string().regex(/^call_\w+$/),
    namespace: z.string().optional(),
    name: z.string(),
    arguments: z.string(),
  }),
  z.strictObject({
    id: z.string().regex(/^ctc_\w+$/),
    type: z.literal("custom_tool_call"),
    status: itemStatus,
    call_id: z.string().regex(/^call_\w+$/),
    namespace: z.string().optional(),
    name: z.string(),
    input: z.string(),
  }),
]);

const functionTool = z.strictObject({
  type: z.literal("function"),
  name: z.string(),
  description: z.string().nullable(),
  parameters: z.record(z.string(), z.unknown()).nullable(),
  output_schema: z.record(z.string(), z.unknown()).optional(),
  strict: z.boolean().nullable(),
});
const customTool = z.strictObject({
  type: z.literal("custom"),
  name: z.string(),
  description: z.string().optional(),
  format: z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("text") }),
    z.strictObject({
      type: z.literal("grammar"),
      definition: z.string(),
      syntax: z.enum(["lark", "regex"]),
    }),
  ]),
});
const namedChoice = z.strictObject({ type: z.enum(["function", "custom"]), name: z.string() });

export const responseSchema = z.strictObject({
  id: z.string().regex(/^resp_\w+$/),
  object: z.literal("response"),
  created_at: z.int(),
  status: z.enum(["in_progress", "completed", "incomplete", "failed"]),
  access_programs: z.null(),
  background: z.literal(false),
  completed_at: z.int().nullable(),
  conversation: z.null(),
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  frequency_penalty: z.number(),
  incomplete_details: z.strictObject({ reason: z.literal("max_output_tokens") }).nullable(),
  instructions: z.string().nullable(),
  max_output_tokens: z.int().nullable(),
  max_tool_calls: z.int().nullable(),
  metadata: z.record(z.string(), z.string()),
  model: z.string(),
  moderation: z.null(),
  output: z.array(outputItemSchema),
  parallel_tool_calls: z.boolean(),
  presence_penalty: z.number(),
  previous_response_id: z.null(),
  prompt: z.null(),
  prompt_cache_key: z.string().nullable(),
  prompt_cache_retention: z.enum(["in_memory", "24h"]).nullable(),
  reasoning: z.strictObject({ effort: z.string().nullable(), summary: z.string().nullable() }),
  safety_identifier: z.string().nullable(),
  service_tier: z.literal("default"),
  store: z.literal(false),
  temperature: z.number(),
  text: z.strictObject({
    format: z.discriminatedUnion("type", [
      z.strictObject({ type: z.literal("text") }),
      z.strictObject({ type: z.literal("json_object") }),
      z.strictObject({
        type: z.literal("json_schema"),
        name: z.string(),
        description: z.string().nullable(),
        schema: z.record(z.string(), z.unknown()),
        strict: z.boolean(),
      }),
    ]),
    verbosity: z.literal("medium"),
  }),
  tool_choice: z.union([
    z.enum(["none", "auto", "required"]),
    namedChoice,
    z.strictObject({
      type: z.literal("allowed_tools"),
      mode: z.enum(["auto", "required"]),
      tools: z.array(namedChoice),
    }),
  ]),
  tools: z.array(
    z.discriminatedUnion("type", [
      functionTool,
      customTool,
      z.strictObject({
        type: z.literal("namespace"),
        name: z.string(),
        description: z.string(),
        tools: z.array(z.discriminatedUnion("type", [functionTool, customTool])),
      }),
    ]),
  ),
  top_logprobs: z.int(),
  top_p: z.number(),
  truncation: z.enum(["auto", "disabled"]),
  usage: z
    .strictObject({
      input_tokens: z.int(),
      input_tokens_details: z.strictObject({ cached_tokens: z.int(), cache_write_tokens: z.int() }),
      output_tokens: z.int(),
      output_tokens_details: z.strictObject({ reasoning_tokens: z.int() }),
      total_tokens: z.int(),
    })
    .nullable(),
  user: z.string().optional(),
});

const number = { sequence_number: z.int() };
const item = { ...number, item_id: z.string(), output_index: z.int() };
const content = { ...item, content_index: z.literal(0) };
const summary = { ...item, summary_index: z.literal(0) };
const whole = { ...number, response: responseSchema };
const listed = { ...number, output_index: z.int(), item: outputItemSchema };
const part = z.discriminatedUnion("type", [outputText, reasoningText]);

export const eventSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.enum([
      "response.created",
      "response.in_progress",
      "response.completed",
      "response.incomplete",
      "response.failed",
    ]),
    ...whole,
  }),
  z.strictObject({
    type: z.enum(["response.output_item.added", "response.output_item.done"]),
    ...listed,
  }),
  z.strictObject({
    type: z.enum(["response.content_part.added", "response.content_part.done"]),
    ...content,
    part,
  }),
  z.strictObject({
    type: z.literal("response.output_text.delta"),
    ...content,
    delta: z.string().min(1),
    logprobs,
  }),
  z.strictObject({ type: z.literal("response.output_text.done"), ...content, text: z.string(), logprobs }),
  z.strictObject({ type: z.literal("response.reasoning_text.delta"), ...content, delta: z.string().min(1) }),
  z.strictObject({ type: z.literal("response.reasoning_text.done"), ...content, text: z.string() }),
  z.strictObject({
    type: z.enum(["response.reasoning_summary_part.added", "response.reasoning_summary_part.done"]),
    ...summary,
    part: summaryText,
  }),
  z.strictObject({
    type: z.literal("response.reasoning_summary_text.delta"),
    ...summary,
    delta: z.string().min(1),
  }),
  z.strictObject({ type: z.literal("response.reasoning_summary_text.done"), ...summary, text: z.string() }),
  z.strictObject({
    type: z.literal("response.function_call_arguments.delta"),
    ...item,
    delta: z.string().min(1),
  }),
  z.strictObject({
    type: z.literal("response.function_call_arguments.done"),
    ...item,
    name: z.string(),
    arguments: z.string(),
  }),
  z.strictObject({
    type: z.literal("response.custom_tool_call_input.delta"),
    ...item,
    delta: z.string().min(1),
  }),
  z.strictObject({ type: z.literal("response.custom_tool_call_input.done"), ...item, input: z.string() }),
]);

export type SentEvent = z.output<typeof eventSchema>;
export type SentResponse = z.output<typeof responseSchema>;
