/** Converts a chat request to a generation: prompt, constraint and reader. */

import type { ChatModelRecord } from "../catalog/model-record.ts";
import type { ChatModelInfo } from "../engine-api/chat-engine.ts";
import { withTokenBoundaries } from "../engine-api/token-boundary.ts";
import { loadPart } from "../lazy/part.ts";
import type { ReplyCache } from "../prompt/reply-cache.ts";
import { type ChatRequest, callsTools } from "./chat-request.ts";
import type { Generation } from "./generate.ts";
import type { GenerationPlan, PromptRequest } from "./prepare.ts";
import type { ChatPrompt, PromptContext } from "./rendering/chat-prompt.ts";

export interface ChatPlan extends GenerationPlan {
  prompt: string;
  /** Name of the format of calls; absent if the reply may contain none. */
  toolFormat?: string;
}

/**
 * The generation of a chat request, whose prompt is rendered once the model is loaded.
 *
 * @param replies the cache of the account
 */
export function chatGeneration(
  chat: ChatRequest,
  model: ChatModelRecord,
  replies: (signal: AbortSignal) => Promise<ReplyCache>,
  promptParam: Generation["promptParam"] = "messages",
): Omit<Generation, "cacheScope"> & PromptRequest<ChatPlan> {
  return {
    model,
    plan: async (info, signal) =>
      toPlan(chat, info, { model, replies: await replies(signal), promptParam }, signal),
    promptParam,
    choices: chat.choices,
    sampling: chat.sampling,
    ...(chat.topLogprobs === undefined ? {} : { topLogprobs: chat.topLogprobs }),
  };
}

/** @throws {EngineError} `invalid_request` for what the model does not support */
async function promptFor(
  sent: ChatRequest,
  { template, conversation, specialTokens = [] }: ChatModelInfo,
  context: PromptContext,
  signal: AbortSignal,
): Promise<ChatPrompt> {
  const chat = context.model.parseSpecialTokens === false ? withTokensAsText(sent, specialTokens) : sent;
  if (!template) {
    const { promptByConversation } = await loadPart(
      () => import("./rendering/prompt-by-conversation.ts"),
      signal,
    );
    return promptByConversation(chat, conversation!, context);
  }
  const { promptByTemplate } = await loadPart(() => import("./rendering/prompt-by-template.ts"), signal);
  return promptByTemplate(chat, template, context);
}

/** The request with special tokens in the messages of users and tools as plain text. */
function withTokensAsText(chat: ChatRequest, specialTokens: readonly string[]): ChatRequest {
  const messages = chat.messages.map((message) =>
    message.role === "user" || message.role === "tool"
      ? { ...message, text: withTokenBoundaries(message.text, specialTokens) }
      : message,
  );
  return { ...chat, messages };
}

async function toPlan(
  chat: ChatRequest,
  info: ChatModelInfo,
  context: PromptContext,
  signal: AbortSignal,
): Promise<ChatPlan> {
  const planned = await promptFor(chat, info, context, signal);
  const { reasoning, toolFormat } = planned;
  const isFree = chat.responseFormat.type === "text" && !callsTools(chat);
  const part = isFree ? undefined : await loadPart(() => import("./calls/constrained.ts"), signal);
  const { tools, ...constrained } = (await part?.planConstrained(chat, planned, signal)) ?? {};
  return {
    prompt: planned.prompt,
    continuesPrompt: chat.promptEnd === "text" || chat.promptEnd === "thought",
    ...(chat.images ? { images: chat.images } : {}),
    reader: {
      stop: chat.stop,
      includeStop: chat.includeStop,
      // Models may reason without being asked: always split the block off.
      ...(reasoning ? { reasoning } : {}),
      ...(tools ? { tools } : {}),
    },
    ...constrained,
    ...(toolFormat ? { toolFormat: toolFormat.name } : {}),
    ...(planned.onReply ? { onReply: planned.onReply } : {}),
  };
}
