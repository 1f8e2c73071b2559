/** Changes the order and the roles of messages to what a template renders, so that no message is lost. */

import type { TemplateMessage } from "../traits/template-message.ts";

/** The separator of texts that are merged into one message. */
const GAP = "\n\n";

/** System messages after the first message become user turns, joined to the user turns next to them. */
export function laterSystemToUser(messages: readonly TemplateMessage[]): TemplateMessage[] {
  const turns: TemplateMessage[] = [];
  let wasSystem = false;
  for (const [at, message] of messages.entries()) {
    const isSystem = at > 0 && message.role === "system";
    const turn: TemplateMessage = isSystem ? { role: "user", content: message.content } : message;
    const last = turns.at(-1);
    const joins = (isSystem || wasSystem) && turn.role === "user" && last?.role === "user";
    if (joins) turns[turns.length - 1] = joined(last, turn);
    else turns.push(turn);
    wasSystem = isSystem;
  }
  return turns;
}

/** For templates that refuse or misread an assistant turn that begins a conversation: `text` is the user's before it. */
export function userBeforeReply(messages: readonly TemplateMessage[], text: string): TemplateMessage[] {
  const first = messages.findIndex(({ role }) => role !== "system");
  if (messages[first]?.role !== "assistant") return [...messages];
  return messages.toSpliced(first, 0, { role: "user", content: text });
}

/** For templates without system messages: a leading one joins the first user turn. */
export function systemToFirstUser(messages: readonly TemplateMessage[]): TemplateMessage[] {
  return systemInto(
    messages,
    messages.findIndex(({ role }) => role === "user"),
  );
}

/** For templates that write the system message only beside a user turn at the end: it joins the last user turn. */
export function systemToLastUser(messages: readonly TemplateMessage[]): TemplateMessage[] {
  if (messages.at(-1)?.role === "user") return [...messages];
  return systemInto(
    messages,
    messages.findLastIndex(({ role }) => role === "user"),
  );
}

/** @param at index of a user turn; negative: the system message becomes one */
function systemInto(messages: readonly TemplateMessage[], at: number): TemplateMessage[] {
  const [first, ...rest] = messages;
  if (first?.role !== "system") return [...messages];
  const turn: TemplateMessage = { role: "user", content: first.content };
  if (at < 0) return [turn, ...rest];
  return rest.map((message, index) => (index === at - 1 ? joined(turn, message) : message));
}

/** Merges neighbours of one role; messages with calls, and results, stay as they are. */
export function mergeRoles(messages: readonly TemplateMessage[]): TemplateMessage[] {
  const merged: TemplateMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role === message.role && isPlain(last) && isPlain(message)) {
      merged[merged.length - 1] = joined(last, message);
    } else merged.push(message);
  }
  return merged;
}

/**
 * For templates that require user and assistant turns to alternate, calls and results not counted: `reply` is the
 * assistant's turn between a result and a user turn; text before calls joins the assistant's next turn.
 */
export function alternateAroundCalls(messages: readonly TemplateMessage[], reply: string): TemplateMessage[] {
  const turns: TemplateMessage[] = [];
  let counted: TemplateMessage | undefined;
  for (const message of messages) {
    let turn = message;
    if (isPlain(message) && counted?.role === message.role) {
      if (message.role === "user") turns.push({ role: "assistant", content: reply });
      else if (message.role === "assistant") {
        turns.splice(turns.lastIndexOf(counted), 1);
        turn = joined(counted, message);
      }
    }
    turns.push(turn);
    if (isPlain(turn)) counted = turn;
  }
  return turns;
}

/** Whether a message is text alone: no calls, and no result. */
function isPlain({ role, tool_calls: calls }: TemplateMessage): boolean {
  return role !== "tool" && !calls;
}

function joined(first: TemplateMessage, second: TemplateMessage): TemplateMessage {
  return { ...second, content: [first.content, second.content].filter((text) => text !== "").join(GAP) };
}
