/** Items of `input`: a client's messages, and items of a previous `output`. */

import * as z from "zod/mini";
import { isObject } from "../../../src/shared/is-object.ts";
import { imageDetail } from "../images/image-detail.ts";

const inputText = z.object({ type: z.literal("input_text"), text: z.string() });
const inputImage = z.object({
  type: z.literal("input_image"),
  image_url: z.nullish(z.string()),
  file_id: z.nullish(z.string()),
  detail: z.nullish(imageDetail),
});
/** Valid at OpenAI; refused later with a specific error. */
const media = z.object({ type: z.enum(["input_file", "input_audio"]) });
const inputParts = z.array(z.discriminatedUnion("type", [inputText, inputImage, media]));
const outputParts = z.array(
  z.discriminatedUnion("type", [
    z.object({ type: z.literal("output_text"), text: z.string() }),
    z.object({ type: z.literal("refusal"), refusal: z.string() }),
  ]),
);

/** Ids and statuses of output items are accepted and ignored. */
const returned = {
  id: z.nullish(z.string()),
  status: z.nullish(z.enum(["in_progress", "completed", "incomplete"])),
};

const message = z.discriminatedUnion("role", [
  z.object({
    ...returned,
    type: z.literal("message"),
    role: z.enum(["user", "system", "developer"]),
    content: z.union([z.string(), inputParts]),
  }),
  z.object({
    ...returned,
    type: z.literal("message"),
    role: z.literal("assistant"),
    content: z.union([z.string(), outputParts]),
  }),
]);

const functionCall = z.object({
  ...returned,
  type: z.literal("function_call"),
  call_id: z.string().check(z.minLength(1)),
  namespace: z.nullish(z.string()),
  name: z.string().check(z.minLength(1)),
  arguments: z.string(),
});

const customToolCall = z.object({
  ...returned,
  type: z.literal("custom_tool_call"),
  call_id: z.string().check(z.minLength(1)),
  namespace: z.nullish(z.string()),
  name: z.string().check(z.minLength(1)),
  input: z.string(),
});

const output = z.union([z.string(), inputParts]);
const functionOutput = z.object({
  ...returned,
  type: z.literal("function_call_output"),
  /** Absent if no call of the conversation asked for it; then `name` says which tool it is of. */
  call_id: z.nullish(z.string().check(z.minLength(1))),
  namespace: z.nullish(z.string()),
  name: z.nullish(z.string()),
  output,
});
const customOutput = z.object({
  ...returned,
  type: z.literal("custom_tool_call_output"),
  call_id: z.string().check(z.minLength(1)),
  output,
});

const thought = z.object({ type: z.enum(["summary_text", "reasoning_text"]), text: z.string() });
const reasoning = z.object({
  ...returned,
  type: z.literal("reasoning"),
  summary: z.nullish(z.array(thought)),
  content: z.nullish(z.array(thought)),
  encrypted_content: z.nullish(z.string()),
});

/** Items of hosted tools, and those that change later requests, listed to name them in the error. */
const foreign = z.object({
  type: z.enum([
    "additional_tools",
    "apply_patch_call",
    "apply_patch_call_output",
    "code_interpreter_call",
    "compaction",
    "compaction_trigger",
    "computer_call",
    "computer_call_output",
    "configuration_update",
    "file_search_call",
    "image_generation_call",
    "local_shell_call",
    "local_shell_call_output",
    "mcp_approval_request",
    "mcp_approval_response",
    "mcp_call",
    "mcp_list_tools",
    "program",
    "program_output",
    "shell_call",
    "shell_call_output",
    "tool_search_call",
    "tool_search_output",
    "web_search_call",
  ]),
});

/** One that `ItemCache` could not resolve: its `id` is missing or not a string. */
const reference = z.object({ type: z.literal("item_reference"), id: z.string() });

/** Adds the `type` of messages, which is optional, to the items of an `input`. */
export function withTypes(input: unknown): unknown {
  return Array.isArray(input) ? input.map(withType) : input;
}

function withType(item: unknown): unknown {
  if (!isObject(item)) return item;
  const { type } = item;
  return type === undefined || type === null ? { ...item, type: "message" } : item;
}

const item = z.discriminatedUnion("type", [
  message,
  functionCall,
  customToolCall,
  functionOutput,
  customOutput,
  reasoning,
  reference,
  foreign,
]);

/** Schema of `input`; `toChatMessages` checks the rules that span items. */
export const inputSchema = z.union([z.string(), z.array(item).check(z.minLength(1))]);

/** Parts of a message or of a tool's output. */
export type InputParts = z.output<typeof inputParts>;
export type Input = z.output<typeof inputSchema>;
export type InputItem = z.output<typeof item>;
