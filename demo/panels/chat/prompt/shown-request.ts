/** Selects the request whose prompt is shown. */

import type OpenAI from "openai";
import { type Message, newUserMessage, type Reply } from "../conversation/conversation.ts";
import type { LiveConversation } from "../conversation/live-conversation.ts";
import { toRequest } from "../conversation/requests.ts";

/**
 * The request for the typed message; without one, the request for the last reply. Both with the current settings.
 * Undefined if there is neither.
 *
 * @throws the error of {@link toRequest}
 */
export function toShownRequest(
  { draft, messages, settings }: LiveConversation,
  model: string,
): OpenAI.ChatCompletionCreateParamsStreaming | undefined {
  const history = messages.value.map((message) => message.value);
  const text = draft.text.value.trim();
  if (text !== "") {
    const typed = newUserMessage(text, draft.images.value);
    return toRequest(settings.value, model, [...history, typed], 0);
  }
  const last = history.at(-1);
  if (last?.role !== "assistant") return undefined;
  const rounds = sentRounds(last);
  const sent: Message[] = [...history.slice(0, -1), { ...last, rounds }];
  return toRequest(settings.value, model, sent, rounds.length);
}

/** Rounds that were part of the last request: all but the one it produced. */
function sentRounds({ rounds, state }: Reply): Reply["rounds"] {
  const calls = rounds.at(-1)?.calls ?? [];
  const isAnswered = calls.length > 0 && calls.every((call) => call.result !== undefined);
  // After its tool calls a reply continues with another request, which may not have produced anything.
  const isNextSent = isAnswered && (state === "writing" || state === "failed");
  return isNextSent ? rounds : rounds.slice(0, -1);
}
