import type { ApiError } from "../http/api-error.ts";
import type { ChatMessage } from "../prompt/messages.ts";

/** Errors of an endpoint for tool calls and results that do not match. */
export interface ToolResultErrors {
  /** These calls have no result before the next message or the end of the conversation. */
  missingResults(callIds: readonly string[]): ApiError;
  /** The tool message at index `at` matches no call of the preceding reply. */
  unexpectedResult(at: number): ApiError;
}

/**
 * Requires that each tool call has a result before the next other message, and each result a call. Returns the
 * messages with the results of a reply in the order of its calls: many templates tell them apart by their places only.
 *
 * @throws {ApiError} one of `errors`
 */
export function orderToolResults(messages: readonly ChatMessage[], errors: ToolResultErrors): ChatMessage[] {
  let open: string[] = [];
  let known: string[] = [];
  let answered = new Set<number>();
  let reply = 0;
  const requireNone = (): void => {
    if (open.length > 0) throw errors.missingResults(open);
  };
  const placed = messages.map((message, at) => {
    if (message.role === "tool") {
      const { callId } = message;
      // Calls of one reply may have the same id: their results are in the order of these calls.
      const next = known.findIndex((id, place) => id === callId && !answered.has(place));
      const call = next < 0 ? known.lastIndexOf(callId) : next;
      if (call < 0) throw errors.unexpectedResult(at);
      answered.add(call);
      open = open.filter((id) => id !== callId);
      return { message, reply, call };
    }
    requireNone();
    known = message.role === "assistant" ? message.toolCalls.map((call) => call.id) : [];
    open = [...known];
    answered = new Set();
    reply = at;
    return { message, reply, call: -1 };
  });
  requireNone();
  return placed.sort((a, b) => a.reply - b.reply || a.call - b.call).map(({ message }) => message);
}
