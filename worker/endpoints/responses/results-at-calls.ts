import type { ChatMessage } from "../../prompt/messages.ts";

/**
 * Moves each result to directly after the reply with its call, where other messages are in between: OpenAI's Responses
 * API pairs them by id alone, and agents write the output of hooks there. Results with the same id are in the order of
 * their calls. A result without a call stays.
 */
export function withResultsAtCalls<Entry extends { message: ChatMessage }>(
  entries: readonly Entry[],
): Entry[] {
  const groups: Entry[][] = [];
  /** By the id of calls, the groups of their replies, and how many of these have a result. */
  const called = new Map<string, { by: Entry[][]; answered: number }>();
  for (const entry of entries) {
    const { message } = entry;
    const calls = message.role === "tool" ? called.get(message.callId) : undefined;
    const asked = calls?.by[calls.answered];
    if (calls && asked) {
      calls.answered++;
      asked.push(entry);
      continue;
    }
    const group = [entry];
    groups.push(group);
    if (message.role !== "assistant") continue;
    for (const { id } of message.toolCalls) {
      const same = called.get(id);
      if (same) same.by.push(group);
      else called.set(id, { by: [group], answered: 0 });
    }
  }
  return groups.flat();
}
