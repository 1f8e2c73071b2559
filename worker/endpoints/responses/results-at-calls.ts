import type { ChatMessage } from "../../prompt/messages.ts";

/**
 * Moves each result behind the reply with its call, where other messages are in between: OpenAI's Responses API pairs
 * them by id alone, and agents write the output of hooks there. Results with the same id are in the order of their calls.
 * A result without a call stays.
 */
export function withResultsAtCalls<Entry extends { message: ChatMessage }>(
  entries: readonly Entry[],
): Entry[] {
  const groups: Entry[][] = [];
  /** For each call without a result, by its id, the group of its reply. */
  const open = new Map<string, Entry[][]>();
  for (const entry of entries) {
    const { message } = entry;
    const asked = message.role === "tool" ? open.get(message.callId)?.shift() : undefined;
    if (asked) {
      asked.push(entry);
      continue;
    }
    const group = [entry];
    groups.push(group);
    if (message.role !== "assistant") continue;
    for (const { id } of message.toolCalls) {
      const waiting = open.get(id);
      if (waiting) waiting.push(group);
      else open.set(id, [group]);
    }
  }
  return groups.flat();
}
