/** Schema of the body of `POST /v1/responses` (OpenAI reference, Responses). */

import * as z from "zod/mini";
import { integer } from "../../http/validation/fields.ts";
import { identifier } from "../../http/validation/identifier.ts";
import { metadataSchema } from "../params/metadata.ts";
import { reasoningEffort } from "../params/reasoning.ts";
import { samplingSchema } from "../params/sampling.ts";
import { structuredOutputsSchema } from "../params/structured-outputs.ts";
import { inputSchema } from "./items.ts";
import { toolChoiceSchema, toolsSchema } from "./tools.ts";

const format = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text") }),
  z.object({ type: z.literal("json_object") }),
  z.object({
    type: z.literal("json_schema"),
    name: identifier(64),
    description: z.nullish(z.string()),
    schema: z.record(z.string(), z.unknown()),
    strict: z.nullish(z.boolean()),
  }),
]);

const summary = z.nullish(z.enum(["auto", "concise", "detailed"]));

const reasoning = z.object({
  effort: z.nullish(reasoningEffort),
  summary,
  /** Deprecated name of `summary`. */
  generate_summary: summary,
  context: z.nullish(z.enum(["auto", "current_turn", "all_turns"])),
  mode: z.nullish(z.string()),
});

/** The values of `include` that have an effect. The others concern items that no response here has. */
export const LOGPROBS = "message.output_text.logprobs";
export const ENCRYPTED_CONTENT = "reasoning.encrypted_content";
const includable = z.enum([
  LOGPROBS,
  ENCRYPTED_CONTENT,
  "file_search_call.results",
  "web_search_call.results",
  "web_search_call.action.sources",
  "message.input_image.image_url",
  "computer_call_output.output.image_url",
  "code_interpreter_call.outputs",
]);

/** Also takes the sampling parameters of chat completions, as extensions where OpenAI omits them. */
export const schema = z.object({
  ...samplingSchema,
  ...structuredOutputsSchema,
  model: z.string().check(z.minLength(1)),
  input: inputSchema,
  instructions: z.nullish(z.string()),
  store: z.nullish(z.boolean()),
  tools: z.nullish(toolsSchema),
  tool_choice: z.nullish(toolChoiceSchema),
  parallel_tool_calls: z.nullish(z.boolean()),
  max_tool_calls: z.nullish(integer(1)),
  max_output_tokens: z.nullish(integer(1)),
  top_logprobs: z.nullish(integer(0, 20)),
  text: z.nullish(
    z.object({ format: z.nullish(format), verbosity: z.nullish(z.enum(["low", "medium", "high"])) }),
  ),
  reasoning: z.nullish(reasoning),
  truncation: z.nullish(z.enum(["auto", "disabled"])),
  include: z.nullish(z.array(includable)),
  metadata: z.nullish(metadataSchema),
  user: z.nullish(z.string()),
  safety_identifier: z.nullish(z.string().check(z.maxLength(128))),
  prompt_cache_key: z.nullish(z.string()),
  prompt_cache_retention: z.nullish(z.enum(["in_memory", "24h"])),
});

export type Params = z.output<typeof schema>;

export type Format = z.output<typeof format>;
