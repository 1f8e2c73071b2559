import type { ChatModelRecord } from "../../catalog/model-record.ts";
import type { ChatMessage, PromptTurn } from "../../prompt/messages.ts";
import type { VisibleReply } from "../../prompt/seen-reply.ts";
import type { ToolFamily } from "../../tools/families/tool-family.ts";
import type { ToolResult } from "../../tools/tool-types.ts";
import { type ChatRequest, callsTools } from "../chat-request.ts";
import { leadingSystem } from "./template-messages.ts";

/** A prompt turn; assistant turns have the reply as the client sent it. */
interface ConversationTurn extends PromptTurn {
  reply?: VisibleReply;
  /** Whether a user message follows it: thoughts are kept until then, as in published templates. */
  isBeforeUser?: boolean;
}

/**
 * Converts messages to plain-text turns: leading system messages are merged, with the tools and the reasoning switch;
 * calls and results are rendered in the format of the model's family.
 */
export function toTurns(chat: ChatRequest, model: ChatModelRecord, family: ToolFamily): ConversationTurn[] {
  const leading = leadingSystem(chat.messages);
  const rest = chat.messages.slice(leading.length);
  const system = systemText(
    leading.map((message) => message.text),
    chat,
    model,
    family,
  );
  return [
    ...(system === undefined ? [] : [{ role: "system" as const, text: system }]),
    ...turnsAfterSystem(rest, family),
  ];
}

function systemText(
  texts: readonly string[],
  chat: ChatRequest,
  { reasoning }: ChatModelRecord,
  family: ToolFamily,
): string | undefined {
  let system = texts.length > 0 ? texts.join("\n\n") : undefined;
  if (callsTools(chat)) system = family.renderTools(system, chat.tools);
  const line =
    chat.reasoning === "on" ? reasoning?.line : chat.reasoning === "off" ? reasoning?.offLine : undefined;
  return line && system ? `${system}\n${line}` : (line ?? system);
}

function turnsAfterSystem(messages: readonly ChatMessage[], family: ToolFamily): ConversationTurn[] {
  const turns: ConversationTurn[] = [];
  const names = new Map<string, string>();
  let results: ToolResult[] = [];
  const lastUser = messages.findLastIndex(({ role }) => role === "user");
  messages.forEach((message, at) => {
    if (message.role === "tool") {
      const name = names.get(message.callId);
      results.push({
        callId: message.callId,
        content: message.text,
        ...(name === undefined ? {} : { name }),
      });
      // Consecutive results are one turn.
      if (messages[at + 1]?.role === "tool") return;
      turns.push(family.renderResults(results));
      results = [];
    } else if (message.role === "assistant") {
      for (const call of message.toolCalls) names.set(call.id, call.name);
      const { text, toolCalls } = message;
      const rendered = toolCalls.length > 0 ? family.renderCalls(text, toolCalls) : text;
      turns.push({
        role: "assistant",
        text: rendered,
        reply: { text, toolCalls },
        isBeforeUser: at < lastUser,
      });
    } else turns.push({ role: message.role, text: message.text });
  });
  return turns;
}
