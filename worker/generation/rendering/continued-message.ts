/** Prompts that end within their last message, whose text the reply then continues (vLLM's `continue_final_message`). */

import type { TemplateReasoning } from "../../chat-template/reasoning/reasoning.ts";
import type { TemplateMessage } from "../../chat-template/traits/template-message.ts";
import { EngineError } from "../../engine-api/engine-error.ts";
import { endsInThought } from "../../prompt/begun-thought.ts";
import type { ChatPrompt } from "./chat-prompt.ts";
import { reasoningPrompt } from "./reasoning-prompt.ts";

/** A private-use character, which no template changes or trims. */
const END = "\uE0F2";

/** The messages with a mark at the end of the last one's text. */
export function withEndMarked(messages: readonly TemplateMessage[]): TemplateMessage[] {
  const last = messages.length - 1;
  return messages.map((message, at) =>
    at === last ? { ...message, content: message.content + END } : message,
  );
}

/**
 * @param rendered with the mark
 * @param text of the last message
 * @throws {EngineError} `invalid_request` if the template leaves the message out
 */
export function continuedPrompt(
  rendered: string,
  text: string,
  reasoning: TemplateReasoning | undefined,
  mayCall: boolean,
): Pick<ChatPrompt, "prompt" | "reasoning" | "mayThink"> {
  const at = rendered.lastIndexOf(END);
  if (at < 0) {
    const message = "The model's chat template leaves out the last message, so that it cannot be continued.";
    throw new EngineError("invalid_request", message, { param: "continue_final_message" });
  }
  const prompt = rendered.slice(0, at);
  if (!reasoning) return { prompt, mayThink: false };
  // Templates may remove line breaks, or a thought, from the beginning of the text.
  const written = [text, text.trimStart()].find((form) => prompt.endsWith(form)) ?? "";
  const before = prompt.slice(0, prompt.length - written.length);
  const start = reasoningPrompt(before, reasoning, "default", mayCall).reasoning!;
  if (reasoning.messages || !endsInThought(text, reasoning))
    return { prompt, reasoning: start, mayThink: false };
  return { prompt, reasoning: { ...start, startsInside: true }, mayThink: true };
}
