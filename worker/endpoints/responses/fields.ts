/** The body of `POST /v1/responses`, as far as a schema can say (OpenAI reference, Responses). */

import { z } from "zod";
import { integer } from "../../http/fields.ts";
import { metadataSchema } from "../metadata.ts";
import { samplingSchema } from "../sampling.ts";
import { inputSchema } from "./items.ts";
import { toolChoiceSchema, toolsSchema } from "./tools.ts";

const format = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text") }),
  z.object({ type: z.literal("json_object") }),
  z.object({
    type: z.literal("json_schema"),
    name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
    description: z.string().nullish(),
    schema: z.record(z.string(), z.unknown()),
    strict: z.boolean().nullish(),
  }),
]);

const summary = z.enum(["auto", "concise", "detailed"]).nullish();

const reasoning = z.object({
  effort: z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"]).nullish(),
  summary,
  /** The former name of `summary`. */
  generate_summary: summary,
  context: z.enum(["auto", "current_turn", "all_turns"]).nullish(),
  mode: z.string().nullish(),
});

/** The one thing that can be included. */
export const LOGPROBS = "message.output_text.logprobs";
const includable = z.enum([
  LOGPROBS,
  "reasoning.encrypted_content",
  "file_search_call.results",
  "web_search_call.results",
  "web_search_call.action.sources",
  "message.input_image.image_url",
  "computer_call_output.output.image_url",
  "code_interpreter_call.outputs",
]);

/** With the sampling parameters of chat completions: those that OpenAI leaves out here are extensions. */
export const schema = z.object({
  ...samplingSchema,
  model: z.string().min(1),
  input: inputSchema,
  instructions: z.string().nullish(),
  store: z.boolean().nullish(),
  tools: toolsSchema.nullish(),
  tool_choice: toolChoiceSchema.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  max_tool_calls: integer(1).nullish(),
  max_output_tokens: integer(1).nullish(),
  top_logprobs: integer(0, 20).nullish(),
  text: z
    .object({ format: format.nullish(), verbosity: z.enum(["low", "medium", "high"]).nullish() })
    .nullish(),
  reasoning: reasoning.nullish(),
  truncation: z.enum(["auto", "disabled"]).nullish(),
  include: z.array(includable).nullish(),
  metadata: metadataSchema.nullish(),
  user: z.string().nullish(),
  safety_identifier: z.string().max(64).nullish(),
  prompt_cache_key: z.string().nullish(),
  prompt_cache_retention: z.enum(["in_memory", "24h"]).nullish(),
});

export type Params = z.output<typeof schema>;

export type Format = z.output<typeof format>;
