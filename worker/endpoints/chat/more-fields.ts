/** The fields of a chat request that a plain chat does not have. Loaded with the first request that has one of them. */

import * as z from "zod/mini";
import type { ChatRequest } from "../../generation/chat-request.ts";
import { badRequest } from "../../http/api-error.ts";
import { ignoredHeader } from "../../http/validation/ignored-fields.ts";
import { validate } from "../../http/validation/validate.ts";
import type { PromptEnd } from "../../prompt/messages.ts";
import type { ToolDefinition } from "../../tools/tool-types.ts";
import { metadataSchema } from "../params/metadata.ts";
import {
  listOf,
  ONLY_FALSE,
  type Refusals,
  refuseUnsupported,
  SHARED_REFUSALS,
  UNSUPPORTED_OBJECT,
  VERBOSITY,
} from "../params/refuse.ts";
import { requireConstraints, type ToolPlaces } from "../params/require-constraints.ts";
import { responseFormatSchema, toFormat } from "../params/response-format.ts";
import { chooseFormat, STRUCTURED_OUTPUTS, structuredOutputsSchema } from "../params/structured-outputs.ts";
import { type messagesSchema, toChatMessages } from "./messages.ts";
import { toolChoiceSchema, toolsSchema, toToolChoice, toToolDefinitions } from "./tools.ts";

export const schema = z.object({
  ...structuredOutputsSchema,
  tools: z.nullish(toolsSchema),
  tool_choice: z.nullish(toolChoiceSchema),
  parallel_tool_calls: z.nullish(z.boolean()),
  response_format: z.nullish(responseFormatSchema),
  metadata: z.nullish(metadataSchema),
  add_generation_prompt: z.nullish(z.boolean()),
  continue_final_message: z.nullish(z.boolean()),
});

/** What these fields say. */
export interface MoreFields {
  chat: Pick<
    ChatRequest,
    "tools" | "callable" | "toolChoice" | "parallelToolCalls" | "responseFormat" | "promptEnd"
  >;
  /** Lists the ignored fields. */
  headers: Record<string, string>;
}

const REFUSALS: Refusals = {
  ...SHARED_REFUSALS,
  audio: UNSUPPORTED_OBJECT,
  prediction: UNSUPPORTED_OBJECT,
  web_search_options: UNSUPPORTED_OBJECT,
  modalities: listOf(["text", "audio"], ["text"]),
  store: ONLY_FALSE,
  verbosity: VERBOSITY,
};

const KNOWN = [
  ...Object.keys(schema.shape),
  ...STRUCTURED_OUTPUTS,
  ...Object.keys(REFUSALS),
  "functions",
  "function_call",
];

/**
 * @param plainFields names of the fields that a plain chat may have
 * @throws {ApiError} 400 that names the parameter
 */
export async function readMoreFields(
  body: Record<string, unknown>,
  plainFields: readonly string[],
  signal: AbortSignal,
): Promise<MoreFields> {
  const params = await validate(schema, body);
  await refuseUnsupported(body, REFUSALS);
  const tools = toToolDefinitions(params.tools ?? []);
  const own = { param: "response_format", format: toFormat(params.response_format) };
  const { param, format } = chooseFormat(own, params);
  return {
    headers: ignoredHeader(body, new Set([...plainFields, ...KNOWN])),
    chat: {
      tools,
      toolChoice: toToolChoice(params.tool_choice, tools),
      parallelToolCalls: params.parallel_tool_calls ?? true,
      promptEnd: promptEndOf(params, body.messages as z.output<typeof messagesSchema>),
      ...(await requireConstraints({ tools, format }, { format: param, tools: toolPlaces(tools) }, signal)),
    },
  };
}

/**
 * vLLM's fields, but `continue_final_message` alone suffices.
 *
 * @throws {ApiError} 400 if both are true, or for a last message that has nothing to continue
 */
function promptEndOf(
  { add_generation_prompt: opens, continue_final_message: continues }: z.output<typeof schema>,
  messages: z.output<typeof messagesSchema>,
): PromptEnd {
  if (!continues) return opens === false ? "message" : "opening";
  const param = "continue_final_message";
  if (opens) {
    const message = "'continue_final_message' and 'add_generation_prompt' cannot both be true.";
    throw badRequest("invalid_parameter_combination", param, message);
  }
  const last = toChatMessages(messages).at(-1)!;
  if (last.role === "assistant" && last.text !== "") return "text";
  if (last.role === "assistant" && last.reasoning && last.toolCalls.length === 0) return "thought";
  const message =
    "'continue_final_message' needs a last message of the role 'assistant' with text or reasoning, which it continues.";
  throw badRequest("invalid_value", param, message);
}

/** Where the fields of tools are. */
function toolPlaces(tools: readonly ToolDefinition[]): ToolPlaces {
  return {
    toolAt: (at) => `tools[${at}].${tools[at]?.custom ? "custom" : "function"}`,
    grammar: "format.grammar.definition",
  };
}
