import type { JsonObject } from "../json-object.ts";

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

/**
 * What a template takes as the content of a message: text; a list of parts, as SmolVLM's; or text, but the user's as one part
 * with two languages, as TranslateGemma's.
 */
export const CONTENT_FORMS = ["text", "parts", "languages"] as const;
export type ContentForm = (typeof CONTENT_FORMS)[number];

/** In short conversations: all such templates know English. */
export const TRIAL_LANGUAGES = { source_lang_code: "en", target_lang_code: "en" };

/**
 * The same message with its content in that form.
 *
 * @param variables of the request, among them the languages, as in llama.cpp
 * @throws {Error} without the languages that the template reads
 */
export function withContent(
  message: TemplateMessage,
  form: ContentForm,
  variables: Readonly<Record<string, unknown>>,
): TemplateMessage {
  const { role, content: text } = message;
  if (form === "text" || typeof text !== "string") return message;
  if (form === "parts") return withParts(message, [{ type: "text", text }]);
  if (role !== "user") return message;
  const languages = Object.keys(TRIAL_LANGUAGES).map((name) => [name, variables[name]] as const);
  const missing = languages.find(([, code]) => typeof code !== "string");
  if (missing) throw new Error(`'chat_template_kwargs.${missing[0]}' must be the code of a language`);
  return withParts(message, [{ type: "text", ...Object.fromEntries(languages), text }]);
}

function withParts(message: TemplateMessage, parts: readonly object[]): TemplateMessage {
  return { ...message, content: parts as unknown as string };
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
  return withParts(rest, [{ type: "thinking", thinking: thought }, ...text]);
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
  /** Results of the calls, in templates without a role for them. */
  tool_responses?: readonly { name: string | undefined; response: string }[];
  /** Definitions of tools, in a system message of templates that read them there. */
  tools?: string | readonly object[];
  /** The name of the called tool, in templates that write it after the role. */
  metadata?: string;
}
