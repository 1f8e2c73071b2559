/**
 * OpenAI's harmony format (gpt-oss): a reply is a sequence of messages, each with a header that names a channel,
 * and for a call its recipient: `<|start|>assistant<|channel|>final<|message|>text<|end|>`.
 */

export const START = "<|start|>";
export const CHANNEL = "<|channel|>";
export const MESSAGE = "<|message|>";
export const END = "<|end|>";
/** The end of a call, at which the model stops. */
const CALL = "<|call|>";
/** The end of the reply. */
const RETURN = "<|return|>";
/** In a header: how a call's arguments are written. */
export const CONSTRAIN = "<|constrain|>";
/** What ends a message. A channel begins the next one, where the model leaves the end and the role out. */
export const ENDS: readonly string[] = [END, RETURN, CALL, START, CHANNEL];
/** All tokens of the format. */
export const TOKENS: readonly string[] = [...ENDS, MESSAGE, CONSTRAIN];

/** Begins a thought. */
export const THOUGHT = `${CHANNEL}analysis${MESSAGE}`;
/** Begins the answer. */
export const ANSWER = `${CHANNEL}final${MESSAGE}`;
/** Begins the model's next message. */
export const NEXT = `${START}assistant`;
const EMPTY_THOUGHT = THOUGHT + END + NEXT;

/** Whether a template is written for this format. */
export function isHarmony(template: string): boolean {
  return [START, CHANNEL, MESSAGE].every((marker) => template.includes(marker));
}

/** The part of a message that ends a prompt: its header so far, and its text if that has begun. */
export function openMessage(prompt: string): string {
  const at = prompt.lastIndexOf(START);
  return at < 0 ? "" : prompt.slice(at + START.length);
}

/**
 * The prompt with the thought closed: the answer is begun, or where the reply may also call tools, a thought is empty.
 */
export function withoutThought(prompt: string, mayCall: boolean): string {
  const closed = prompt.endsWith(THOUGHT) ? prompt + END + NEXT : prompt;
  if (!closed.endsWith(NEXT)) return closed;
  if (!mayCall) return closed + ANSWER;
  return closed.endsWith(EMPTY_THOUGHT) ? closed : closed + EMPTY_THOUGHT;
}

/** Efforts of the API that the models do not know, as the ones that they know. */
const EFFORTS: Readonly<Record<string, string>> = { none: "low", minimal: "low", xhigh: "high", max: "high" };

/** The template's variable for the effort, as the models were trained on it; nothing where it is not asked for. */
export function effortOf({ reasoning_effort: effort }: Readonly<Record<string, unknown>>): object {
  return typeof effort === "string" ? { reasoning_effort: EFFORTS[effort] ?? effort } : {};
}
