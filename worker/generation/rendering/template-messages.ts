/** Messages of a chat request, as a model's own template reads them. */

import type { TemplateReasoning } from "../../chat-template/reasoning/reasoning.ts";
import type { TemplateMessage } from "../../chat-template/traits/template-message.ts";
import type { ReplyCache } from "../../prompt/reply-cache.ts";
import type { ToolFormat } from "../../tools/formats/tool-format.ts";
import type { ChatRequest } from "../chat-request.ts";

/** The messages of a request as templates read them; replies with their reasoning, also if only the cache knows it. */
export function toTemplateMessages(chat: ChatRequest, replies: ReplyCache): TemplateMessage[] {
  const names = new Map<string, string>();
  const messages = chat.messages.map((message): TemplateMessage => {
    const { role, text: content } = message;
    if (role === "tool") {
      const name = names.get(message.callId);
      return { role, content, tool_call_id: message.callId, ...(name === undefined ? {} : { name }) };
    }
    const named = { role, content, ...(message.name === undefined ? {} : { name: message.name }) };
    if (role !== "assistant") return named;
    for (const call of message.toolCalls) names.set(call.id, call.name);
    const calls = message.toolCalls.map(({ id, name, arguments: text }) => ({
      id,
      type: "function" as const,
      function: { name, arguments: text },
    }));
    const thought = wholeThought(message.reasoning, replies.thoughtBefore(calls[0]?.id));
    return {
      ...named,
      ...(thought === undefined ? {} : { reasoning_content: thought }),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    };
  });
  return withOneSystem(messages);
}

/** Messages whose calls and results have the ids that a model was trained on, in place of the API's. */
export function withCallIds(
  messages: readonly TemplateMessage[],
  callId: NonNullable<ToolFormat["callId"]>,
): TemplateMessage[] {
  const ids = new Map<string, string>();
  let index = 0;
  return messages.map((message) => {
    const { tool_calls: calls, tool_call_id: answered } = message;
    if (answered !== undefined) return { ...message, tool_call_id: ids.get(answered) ?? answered };
    if (calls === undefined) return message;
    const named = calls.map((call) => {
      const id = callId(call.function.name, index++);
      ids.set(call.id, id);
      return { ...call, id };
    });
    return { ...message, tool_calls: named };
  });
}

/** The thought that a client sent, unless the known one ends with it: the `openai` package keeps a stream's last piece. */
function wholeThought(sent: string | undefined, known: string | undefined): string | undefined {
  return sent === undefined || known?.endsWith(sent) ? known : sent;
}

/** Merges the leading system messages: many templates render the first only. */
function withOneSystem(messages: TemplateMessage[]): TemplateMessage[] {
  const leading = leadingSystem(messages);
  if (leading.length < 2) return messages;
  const content = leading.map((message) => message.content).join("\n\n");
  return [{ role: "system", content }, ...messages.slice(leading.length)];
}

/** The system messages that a conversation begins with. */
export function leadingSystem<Message extends { role: string }>(messages: readonly Message[]): Message[] {
  const first = messages.findIndex(({ role }) => role !== "system");
  return messages.slice(0, first < 0 ? messages.length : first);
}

/** Appends the word that switches thinking on or off to the system message. */
export function withSystemWord(
  messages: TemplateMessage[],
  { reasoning: wanted }: ChatRequest,
  reasoning: TemplateReasoning | undefined,
): TemplateMessage[] {
  if (wanted === "default" || reasoning?.switch?.type !== "system-word") return messages;
  const word = reasoning.switch[wanted];
  if (word === "") return messages;
  const [first, ...rest] = messages;
  return first?.role === "system"
    ? [{ ...first, content: `${first.content}\n${word}` }, ...rest]
    : [{ role: "system", content: word }, ...messages];
}
