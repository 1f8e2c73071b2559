/** Renders a chat request with MLC's `conv_template`, for models whose own template is not among their files. */

import type { ConversationTemplate } from "../engines/api/conversation-template.ts";
import { renderPrompt } from "../prompt/render.ts";
import { chooseFamily } from "../tools/families/choose-family.ts";
import type { ChatPrompt, PromptContext } from "./chat-prompt.ts";
import { type ChatRequest, callsTools } from "./chat-request.ts";
import { requireReasoning } from "./refusals.ts";
import { toTurns } from "./turns.ts";

/** @throws {EngineError} `invalid_request` if reasoning is requested of a model without it */
export function promptByConversation(
  chat: ChatRequest,
  conversation: ConversationTemplate,
  { model, replies }: PromptContext,
): ChatPrompt {
  const { reasoning } = model;
  requireReasoning(chat, model, reasoning);
  const family = chooseFamily({ id: model.baseModel ?? model.id });
  const turns = toTurns(chat, model, family);
  const find = (prompt: string, at: number): string | undefined => {
    const { reply, isBeforeUser = false } = turns[at]!;
    return reply && replies.find(prompt, reply, !isBeforeUser);
  };
  return {
    prompt: renderPrompt(turns, conversation, find, chat.promptEnd),
    ...(reasoning ? { reasoning: { open: reasoning.open, close: reasoning.close } } : {}),
    mayThink: chat.reasoning === "on" && chat.promptEnd !== "text",
    ...(callsTools(chat) ? { toolFormat: family.format } : {}),
    onReply: (replied) => replies.remember(replied),
  };
}
