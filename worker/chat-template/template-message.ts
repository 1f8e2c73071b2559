import type { JsonObject } from "./json-object.ts";

export interface TemplateCall {
  id: string;
  type: "function";
  /** JSON text, or the object that it is. */
  function: { name: string; arguments: string | JsonObject };
}

/** The user's message in conversations that only find out what a template does. */
export const TRIAL_MESSAGE: TemplateMessage = { role: "user", content: "infetchAsks" };

export const TRIAL_REPLY: TemplateMessage = { role: "assistant", content: "infetchReply" };

export const TRIAL_DOCUMENT = { title: "infetchTitle", text: "infetchText" };

/** The tool in such conversations. */
export const TRIAL_TOOL = {
  type: "function",
  function: {
    name: "infetchTool",
    description: "infetchTool",
    parameters: { type: "object", properties: { infetchKey: { type: "string" } } },
  },
};

/** The same message for templates that read a list of parts only, such as SmolVLM's. */
export function asParts(message: TemplateMessage): TemplateMessage {
  if (typeof message.content !== "string") return message;
  return { ...message, content: [{ type: "text", text: message.content }] as unknown as string };
}

/** How a template reads what a model thought: a field (LFM2.5: `thinking`), or a part of the content (Ministral 3). */
export type ThoughtForm = (typeof THOUGHT_FORMS)[number];

/** `reasoning_content`, which most templates read, first, and for templates that show no thoughts. */
export const THOUGHT_FORMS = ["reasoning_content", "thinking", "thought", "reasoning", "part"] as const;

/** The same message with its `reasoning_content` in the form that a template reads. */
export function withThought(message: TemplateMessage, form: ThoughtForm): TemplateMessage {
  const { reasoning_content: thought, ...rest } = message;
  if (thought === undefined || form === "reasoning_content") return message;
  if (form !== "part") return { ...rest, [form]: thought };
  const text = message.content === "" ? [] : [{ type: "text", text: message.content }];
  return { ...rest, content: [{ type: "thinking", thinking: thought }, ...text] as unknown as string };
}

/** A reply that has no thought with an empty one. */
export function withEmptyThought(message: TemplateMessage): TemplateMessage {
  return message.role === "assistant" ? { reasoning_content: "", ...message } : message;
}

/** A message as templates read it: text is never null. */
export interface TemplateMessage {
  role: "system" | "user" | "assistant" | "tool" | "observation";
  content: string;
  name?: string;
  reasoning_content?: string;
  thinking?: string;
  thought?: string;
  tool_calls?: readonly TemplateCall[];
  tool_call_id?: string;
  /** Definitions of tools, in a system message of templates that read them there. */
  tools?: string | readonly object[];
  /** The name of the called tool, in templates that write it after the role. */
  metadata?: string;
}
