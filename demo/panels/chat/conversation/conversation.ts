/** Data model of a conversation, stored as is (`storage/conversation-database.ts`). */

import { type ChatSettings, defaultSettings } from "./settings.ts";

export interface ReplyStats {
  /** Of the last round, since tool results add to the prompt in each round. */
  promptTokens: number;
  cachedTokens: number;
  completionTokens: number;
  tokensPerSecond: number;
  firstTokenAfterMs: number;
}

/** One tool call and its result. */
export interface ToolRun {
  id: string;
  name: string;
  /** JSON written by the model; may be malformed. */
  arguments: string;
  result?: string;
  failed?: boolean;
}

/** One model turn: up to its end, or up to its tool calls. */
export interface Round {
  reasoning: string;
  text: string;
  calls: ToolRun[];
}

export interface UserMessage {
  id: string;
  role: "user";
  text: string;
  /** Data URLs. */
  images: string[];
}

export interface Reply {
  id: string;
  role: "assistant";
  model: string;
  rounds: Round[];
  state: "writing" | "done" | "stopped" | "failed";
  /** The reply reached the token limit. */
  isCut?: boolean;
  /** Error message. */
  reason?: string;
  stats?: ReplyStats;
}

export type Message = UserMessage | Reply;

export interface Conversation {
  id: string;
  title: string;
  changedAtMs: number;
  settings: ChatSettings;
  messages: Message[];
}

export function newConversation(settings: ChatSettings = defaultSettings()): Conversation {
  return { id: crypto.randomUUID(), title: "", changedAtMs: Date.now(), settings, messages: [] };
}

export function newUserMessage(text: string, images: string[]): UserMessage {
  return { id: crypto.randomUUID(), role: "user", text, images };
}

export function newReply(model: string): Reply {
  return { id: crypto.randomUUID(), role: "assistant", model, rounds: [], state: "writing" };
}

const TITLE_LENGTH = 48;

/** Title from the start of the first message; never empty, since it names a button. */
export function titleOf(messages: readonly Message[]): string {
  const [first] = messages;
  const text = first?.role === "user" ? first.text.replace(/\s+/g, " ").trim() : "";
  // By characters: half of an emoji would be shown as an error.
  const start = Array.from(text.slice(0, 2 * TITLE_LENGTH + 2));
  if (start.length > TITLE_LENGTH) return `${start.slice(0, TITLE_LENGTH - 1).join("")}…`;
  return text || "Image";
}
