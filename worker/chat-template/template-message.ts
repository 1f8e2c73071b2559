export interface TemplateCall {
  id: string;
  type: "function";
  /** JSON text, or the object that it is. */
  function: { name: string; arguments: string | Record<string, unknown> };
}

/** The same message for templates that read a list of parts only, such as SmolVLM's. */
export function asParts(message: TemplateMessage): TemplateMessage {
  return { ...message, content: [{ type: "text", text: message.content }] as unknown as string };
}

/** A message as templates read it: text is never null. */
export interface TemplateMessage {
  role: "system" | "user" | "assistant" | "tool";
  content: string;
  name?: string;
  reasoning_content?: string;
  tool_calls?: readonly TemplateCall[];
  tool_call_id?: string;
}
