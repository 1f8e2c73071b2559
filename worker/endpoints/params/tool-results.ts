import { groupBy } from "../../../src/shared/group-by.ts";
import type { ApiError } from "../../http/api-error.ts";
import type { ChatMessage } from "../../prompt/messages.ts";

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
  let open = new Set<string>();
  let places = new Map<string, number[]>();
  let reply = 0;
  const requireNone = (): void => {
    if (open.size > 0) throw errors.missingResults([...open]);
  };
  const placed = messages.map((message, at) => {
    if (message.role === "tool") {
      const { callId } = message;
      // Calls of one reply may have the same id: their results are in the order of these calls.
      const left = places.get(callId);
      if (!left) throw errors.unexpectedResult(at);
      const call = left.length > 1 ? left.pop()! : left[0]!;
      open.delete(callId);
      return { message, reply, call };
    }
    requireNone();
    const calls = message.role === "assistant" ? message.toolCalls : [];
    places = placesOf(calls);
    open = new Set(calls.map(({ id }) => id));
    reply = at;
    return { message, reply, call: -1 };
  });
  requireNone();
  return placed.sort((a, b) => a.reply - b.reply || a.call - b.call).map(({ message }) => message);
}

/** The places of the calls with each id, the first one last. */
function placesOf(calls: readonly { id: string }[]): Map<string, number[]> {
  return groupBy([...calls.keys()].reverse(), (place) => calls[place]!.id);
}
