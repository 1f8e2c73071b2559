import * as z from "zod/mini";
import type { ChatRequest } from "../../generation/chat-request.ts";
import { badRequest } from "../../http/api-error.ts";
import { integer, jsonObject } from "../../http/validation/fields.ts";
import { validate } from "../../http/validation/validate.ts";
import { loadPart } from "../../lazy/part.ts";
import { reasoningEffort, toReasoning } from "../params/reasoning.ts";
import { requireStreamForOptions, samplingSchema, toSampling, toStopList } from "../params/sampling.ts";
import { messagesSchema, toChatMessages } from "./messages.ts";
import type { MoreFields } from "./more-fields.ts";

/** The fields of a plain chat; `more-fields.ts` has the others. */
export const schema = z.object({
  ...samplingSchema,
  model: z.string().check(z.minLength(1)),
  messages: messagesSchema,
  max_tokens: z.nullish(integer(1)),
  max_completion_tokens: z.nullish(integer(1)),
  logprobs: z.nullish(z.boolean()),
  top_logprobs: z.nullish(integer(0, 20)),
  reasoning_effort: z.nullish(reasoningEffort),
  /** Variables of the model's chat template, as in vLLM. */
  chat_template_kwargs: z.nullish(jsonObject),
  /** Texts to answer from, for templates that have a place for them, as in vLLM. */
  documents: z.nullish(z.array(jsonObject)),
  user: z.nullish(z.string()),
  safety_identifier: z.nullish(z.string().check(z.maxLength(128))),
  prompt_cache_key: z.nullish(z.string()),
});

/** A validated chat request: the generation and the form of the response. */
interface ChatParams {
  model: string;
  chat: ChatRequest;
  stream: boolean;
  includeUsage: boolean;
  /** The client uses `functions`, so calls are returned as `function_call`. */
  callsFunctions: boolean;
  /** Lists the ignored fields. */
  headers: Record<string, string>;
}

const PLAIN_FIELDS = Object.keys(schema.shape);

/** @throws {ApiError} 400 that names the parameter */
export async function parseChatParams(
  body: Record<string, unknown>,
  signal: AbortSignal,
): Promise<ChatParams> {
  if (!usesFunctions(body)) return parse(body, signal);
  const { withoutLegacyFunctions } = await loadPart(() => import("./legacy-functions.ts"));
  const { body: converted, callsFunctions, toLegacyError, toLegacyChat } = await withoutLegacyFunctions(body);
  try {
    const params = await parse(converted, signal);
    return { ...params, chat: toLegacyChat(params.chat), callsFunctions };
  } catch (error) {
    throw toLegacyError(error);
  }
}

/** Whether the request has something of the deprecated `functions`; its history alone may. */
function usesFunctions({ functions, function_call: choice, messages }: Record<string, unknown>): boolean {
  const isLegacy = (message: { role?: unknown; function_call?: unknown } | null): boolean =>
    message?.role === "function" || Boolean(message?.function_call);
  return Boolean(functions ?? choice) || (Array.isArray(messages) && messages.some(isLegacy));
}

type Params = z.output<typeof schema>;

async function parse(body: Record<string, unknown>, signal: AbortSignal): Promise<ChatParams> {
  const params = await validate(schema, body);
  requireStreamForOptions(params);
  requireOneLimit(params);
  if (params.top_logprobs && !params.logprobs) {
    throw badRequest(
      "invalid_value",
      "top_logprobs",
      "The 'top_logprobs' parameter is only allowed when 'logprobs' is enabled.",
    );
  }
  const plain = {
    messages: toChatMessages(params.messages),
    sampling: toSampling(params, params.max_completion_tokens ?? params.max_tokens ?? undefined),
    stop: toStopList(params.stop),
    includeStop: params.include_stop_str_in_output ?? false,
    choices: params.n ?? 1,
    topLogprobs: params.logprobs ? (params.top_logprobs ?? 0) : undefined,
    ...reasoningOf(params),
    templateVariables: templateVariablesOf(params),
  };
  const { chat: more, headers } = await moreFieldsOf(body, signal);
  return {
    model: params.model,
    stream: params.stream ?? false,
    includeUsage: params.stream_options?.include_usage ?? false,
    callsFunctions: false,
    headers,
    chat: { ...plain, ...more },
  };
}

/** What a chat without further fields asks for. */
const PLAIN: MoreFields = {
  chat: {
    tools: [],
    callable: [],
    toolChoice: { mode: "auto" },
    parallelToolCalls: true,
    responseFormat: { type: "text" },
  },
  headers: {},
};

async function moreFieldsOf(body: Record<string, unknown>, signal: AbortSignal): Promise<MoreFields> {
  const isPlain = Object.entries(body).every(([name, value]) => value == null || PLAIN_FIELDS.includes(name));
  if (isPlain) return PLAIN;
  const { readMoreFields } = await loadPart(() => import("./more-fields.ts"));
  return readMoreFields(body, PLAIN_FIELDS, signal);
}

/** @throws {ApiError} 400 for both names of the limit, with OpenAI's message */
function requireOneLimit({ max_tokens: old, max_completion_tokens: limit }: Params): void {
  if (old == null || limit == null) return;
  throw badRequest(
    "invalid_parameter_combination",
    "max_tokens",
    "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
  );
}

/** As vLLM passes them: what `chat_template_kwargs` names comes first. */
function templateVariablesOf({
  documents,
  reasoning_effort: effort,
  chat_template_kwargs: variables,
}: Params): Record<string, unknown> {
  return {
    ...(documents ? { documents } : {}),
    ...(effort ? { reasoning_effort: effort } : {}),
    ...variables,
  };
}

/** `reasoning_effort`, else `chat_template_kwargs.enable_thinking`. */
function reasoningOf({
  reasoning_effort: effort,
  chat_template_kwargs: variables,
}: Params): ReturnType<typeof toReasoning> {
  const thinks = variables?.enable_thinking;
  if (typeof effort === "string" || typeof thinks !== "boolean")
    return toReasoning(effort, "reasoning_effort");
  return toReasoning(thinks ? "medium" : "none", "chat_template_kwargs.enable_thinking");
}
