/** Prompts that end within the thought of their last message, which the reply then continues (as in llama.cpp). */

import type { TemplateReasoning } from "../../chat-template/reasoning/reasoning.ts";
import type { ChatRequest } from "../chat-request.ts";
import type { ChatPrompt } from "./chat-prompt.ts";
import { reasoningPrompt } from "./reasoning-prompt.ts";

/** The request whose reply begins with the thought. */
export function beforeThought(chat: ChatRequest): ChatRequest {
  const messages = chat.messages.slice(0, -1);
  return {
    ...chat,
    messages,
    promptEnd: "opening",
    reasoning: "on",
    reasoningParam: "continue_final_message",
  };
}

/** The thought of the last message, which has no text. */
export function begunThought({ messages }: ChatRequest): string {
  const last = messages.at(-1)!;
  return last.role === "assistant" ? (last.reasoning ?? "") : "";
}

/** @param opened the prompt of {@link beforeThought} */
export function inThought(
  opened: ChatPrompt,
  thought: string,
  reasoning: TemplateReasoning,
  mayCall: boolean,
): ChatPrompt {
  const { open } = reasoning;
  const tag = open.trimEnd();
  if (opened.reasoning?.startsInside) {
    // RWKV's prompts leave the end of the tag to the model.
    const rest = opened.prompt.endsWith(tag.slice(0, -1)) ? tag.slice(-1) : "";
    return { ...opened, prompt: opened.prompt + rest + thought, mayThink: true };
  }
  const begin = reasoning.messages ? open : `${tag}\n`;
  const begun = reasoningPrompt(opened.prompt + begin, reasoning, "on", mayCall);
  return { ...opened, ...begun, prompt: begun.prompt + thought, mayThink: true };
}

/** The request with the thought as the beginning of the text, for prompts that are rendered without a template. */
export function withThoughtAsText(chat: ChatRequest, open: string): ChatRequest {
  const messages = chat.messages.map((message, at) =>
    at === chat.messages.length - 1 ? { ...message, text: `${open}\n${begunThought(chat)}` } : message,
  );
  return { ...chat, messages, promptEnd: "text" };
}
