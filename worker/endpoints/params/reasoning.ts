import * as z from "zod/mini";
import type { ChatRequest } from "../../generation/chat-request.ts";

/** OpenAI's `ReasoningEffort`, the same for chats and responses. */
export const reasoningEffort = z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"]);

/**
 * The reasoning fields of a chat request.
 *
 * @param effort as at OpenAI; `none` disables reasoning, every other value enables it
 * @param param the path of `effort`
 */
export function toReasoning(
  effort: string | null | undefined,
  param: string,
): Pick<ChatRequest, "reasoning" | "reasoningParam"> {
  if (effort === null || effort === undefined) return { reasoning: "default" };
  return effort === "none" ? { reasoning: "off" } : { reasoning: "on", reasoningParam: param };
}
