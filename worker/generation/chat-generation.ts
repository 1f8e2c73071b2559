/** Converts a chat request to a generation: prompt, constraint and reader. */

import type { ModelRecord } from "../catalog/model-record.ts";
import { withSeams } from "../engines/api/seam.ts";
import type { ChatModelFacts } from "../engines/api/types.ts";
import { loadPart } from "../lazy/part.ts";
import type { ReplyCache } from "../prompt/reply-cache.ts";
import type { CallFormat } from "../reply/call-format.ts";
import type { ReaderOptions } from "../reply/reply-reader.ts";
import { allowedTools } from "../tools/allowed-tools.ts";
import { parameterTypes } from "../tools/parameter-types.ts";
import type { ChatPrompt, PromptContext } from "./chat-prompt.ts";
import { type ChatRequest, callsTools } from "./chat-request.ts";
import type { Generation } from "./generate.ts";
import type { GenerationPlan, PreparedRequest } from "./prepare.ts";
import { promptByConversation } from "./prompt-by-conversation.ts";

export interface ChatPlan extends GenerationPlan {
  prompt: string;
  /** Name of the format of calls; absent if the reply may contain none. */
  toolFormat?: string;
}

export function chatGeneration(
  chat: ChatRequest,
  model: ModelRecord,
  replies: ReplyCache,
  promptParam: Generation["promptParam"] = "messages",
): Omit<Generation, "cacheScope"> & PreparedRequest<ChatPlan> {
  return {
    model,
    plan: (facts, signal) => toPlan(chat, facts, { model, replies, promptParam }, signal),
    promptParam,
    customTools: new Set(chat.tools.flatMap((tool) => (tool.custom ? [tool.function.name] : []))),
    choices: chat.choices,
    sampling: chat.sampling,
    ...(chat.topLogprobs === undefined ? {} : { topLogprobs: chat.topLogprobs }),
  };
}

/** @throws {EngineError} `invalid_request` for what the model does not support */
async function promptFor(
  sent: ChatRequest,
  { template, conversation, specialTokens = [] }: ChatModelFacts,
  context: PromptContext,
): Promise<ChatPrompt> {
  const chat = context.model.parseSpecialTokens === false ? asText(sent, specialTokens) : sent;
  if (!template) return promptByConversation(chat, conversation!, context);
  const { promptByTemplate } = await loadPart(() => import("./prompt-by-template.ts"));
  return promptByTemplate(chat, template, context);
}

/** The request with special tokens in what users and tools say as text. */
function asText(chat: ChatRequest, specialTokens: readonly string[]): ChatRequest {
  const messages = chat.messages.map((message) =>
    message.role === "user" || message.role === "tool"
      ? { ...message, text: withSeams(message.text, specialTokens) }
      : message,
  );
  return { ...chat, messages };
}

async function toPlan(
  chat: ChatRequest,
  facts: ChatModelFacts,
  context: PromptContext,
  signal: AbortSignal,
): Promise<ChatPlan> {
  const planned = await promptFor(chat, facts, context);
  const isFree = chat.responseFormat.type === "text" && !callsTools(chat);
  const constraint = isFree
    ? undefined
    : await (await loadPart(() => import("./constrained.ts"))).toConstraint(chat, planned, signal);
  return {
    prompt: planned.prompt,
    ...(chat.images ? { images: chat.images } : {}),
    reader: toReader(chat, planned),
    ...(constraint ? { constraint } : {}),
    ...(planned.toolFormat ? { toolFormat: planned.toolFormat.name } : {}),
    ...(planned.onReply ? { onReply: planned.onReply } : {}),
  };
}

function toReader(chat: ChatRequest, { reasoning, toolFormat }: ChatPrompt): ReaderOptions {
  const { mode } = chat.toolChoice;
  const body = toolFormat?.callFormat.body;
  return {
    stop: chat.stop,
    includeStop: chat.includeStop,
    // Models may reason without being asked: always split the block off.
    ...(reasoning ? { reasoning } : {}),
    ...(toolFormat
      ? {
          tools: {
            format: readAs(toolFormat.callFormat, chat),
            names: allowedTools(
              chat.toolChoice,
              chat.tools.map((tool) => tool.function),
            ).map(({ name }) => name),
            ...(body ? { types: parameterTypes(chat.tools, body.kind === "nested") } : {}),
            constrained: mode === "required" || mode === "named",
            single: mode === "named" || !chat.parallelToolCalls,
          },
        }
      : {}),
  };
}

/** A reply that must be JSON is not read as a call without its marker. */
function readAs({ unmarked, ...format }: CallFormat, { responseFormat }: ChatRequest): CallFormat {
  return unmarked && responseFormat.type === "text" ? { ...format, unmarked } : format;
}
