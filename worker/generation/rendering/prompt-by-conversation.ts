/** Renders a chat request with MLC's `conv_template`, for models whose own template is not among their files. */

import type { ChatModelRecord } from "../../catalog/model-record.ts";
import type { ConversationTemplate } from "../../engine-api/conversation-template.ts";
import { endsInThought } from "../../prompt/begun-thought.ts";
import { renderPrompt } from "../../prompt/render.ts";
import type { ReplyReasoning } from "../../reply/reply-reasoning.ts";
import { chooseFamily } from "../../tools/families/choose-family.ts";
import { type ChatRequest, callsTools } from "../chat-request.ts";
import { requireReasoning } from "../checks/refusals.ts";
import type { ChatPrompt, PromptContext } from "./chat-prompt.ts";
import { beforeThought, withThoughtAsText } from "./continued-thought.ts";
import { toTurns } from "./turns.ts";

/** @throws {EngineError} `invalid_request` if reasoning is requested of a model without it */
export function promptByConversation(
  sent: ChatRequest,
  conversation: ConversationTemplate,
  { model, replies }: PromptContext,
): ChatPrompt {
  const { reasoning } = model;
  const isThought = sent.promptEnd === "thought";
  requireReasoning(isThought ? beforeThought(sent) : sent, model, reasoning);
  const chat = isThought ? withThoughtAsText(sent, reasoning!.open) : sent;
  const family = chooseFamily({ id: model.baseModel ?? model.id });
  const turns = toTurns(chat, model, family);
  const find = (prompt: string, at: number): string | undefined => {
    const { reply, isBeforeUser = false } = turns[at]!;
    return reply && replies.find(prompt, reply, !isBeforeUser);
  };
  const isContinued = chat.promptEnd === "text";
  const inThought = isContinued && reasoning !== undefined && endsInThought(turns.at(-1)!.text, reasoning);
  return {
    prompt: renderPrompt(turns, conversation, find, chat.promptEnd),
    ...(reasoning ? { reasoning: markersOf(reasoning, inThought) } : {}),
    mayThink: isContinued ? inThought : chat.reasoning === "on",
    ...(callsTools(chat) ? { toolFormat: family.format } : {}),
    onReply: (replied) => replies.remember(replied),
  };
}

function markersOf(
  { open, close }: NonNullable<ChatModelRecord["reasoning"]>,
  startsInside: boolean,
): ReplyReasoning {
  return { open, close, ...(startsInside ? { startsInside } : {}) };
}
