/**
 * Replies that are a sequence of messages, each with a header that a marker ends: of Muse Glimmer and Inkling. Those of
 * gpt-oss have channels (`harmony.ts`).
 */

/** Plain data, as it is posted to engine workers. */
export interface MessageMarkers {
  /** Begins the model's next message. */
  next: string;
  /** Begin a message of another role. */
  others: readonly string[];
  ends: readonly string[];
  /** Ends the header of a thought. */
  thought: string;
  /** End the header of a text; prompts use the first. */
  texts: readonly string[];
  /**
   * Around the name of a tool in the header of a call. `opens`: the end of the header is the marker of the call;
   * `isDoubled`: the name may be a namespace of itself, `f.f`.
   */
  call: { before: string; after: string; opens: boolean; isDoubled: boolean };
}

/** `<|start|>assistant to=self<|message|>thought<|eom|>`; the recipient of a call is the tool. */
export const MUSE_MESSAGES: MessageMarkers = {
  next: "<|start|>assistant",
  others: ["<|start|>user", "<|start|>tool", "<|start|>system"],
  ends: ["<|eom|>", "<|eot|>"],
  thought: " to=self<|message|>",
  texts: [" to=user<|message|>", "<|message|>"],
  call: { before: " to=", after: "<|message|>", opens: false, isDoubled: true },
};

/** `<|message_model|><|content_thinking|>thought<|end_message|>`; the name of a tool is before the kind of the message. */
export const INKLING_MESSAGES: MessageMarkers = {
  next: "<|message_model|>",
  others: ["<|message_user|>", "<|message_tool|>", "<|message_system|>"],
  ends: ["<|end_message|>", "<|content_model_end_sampling|>"],
  thought: "<|content_thinking|>",
  texts: ["<|content_text|>", "<|content_invoke_tool_text|>", "<|content_tool_error|>"],
  call: { before: "", after: "<|content_invoke_tool_json|>", opens: true, isDoubled: false },
};

/** The end of a thought, with the beginning of the message after it. */
export function endOfThought({ ends, next }: MessageMarkers): string {
  return ends[0] + next;
}

/** Headers of a tool's call, the usual first. A name such as `self`, whose header is a thought's, has only its namespace. */
export function callHeaders({ thought, texts, call }: MessageMarkers, name: string): string[] {
  return [name, ...(call.isDoubled ? [`${name}.${name}`] : [])]
    .map((one) => call.before + one + call.after)
    .filter((header) => header !== thought && !texts.includes(header));
}

/** All texts of these messages that may be, or contain, special tokens. */
export function markersOfMessages({ next, others, ends, thought, texts, call }: MessageMarkers): string[] {
  return [next, ...others, ...ends, thought, ...texts, call.after];
}

/** The messages that a template writes; undefined if it writes others. */
export function findMessages(template: string): MessageMarkers | undefined {
  return [MUSE_MESSAGES, INKLING_MESSAGES].find(({ next, ends, thought }) =>
    [next, ends[0]!, thought].every((marker) => template.includes(marker.trim())),
  );
}

/** The header that a prompt ends with, and its text if that has begun. */
export function begunMessage(prompt: string, { next }: MessageMarkers): string {
  const at = prompt.lastIndexOf(next);
  return at < 0 ? "" : prompt.slice(at + next.length);
}
