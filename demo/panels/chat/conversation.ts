/** What a conversation is made of. It is kept as it stands here (`saved.ts`). */

import { type ChatSettings, defaultSettings } from "./settings.ts";

export interface ReplyStats {
  /** Of the last round: with tools the prompt grows from round to round. */
  promptTokens: number;
  cachedTokens: number;
  completionTokens: number;
  tokensPerSecond: number;
  firstTokenAfterMs: number;
}

/** One call of a tool, and what it answered. */
export interface ToolRun {
  id: string;
  name: string;
  /** JSON, as the model wrote it: not always well-formed. */
  arguments: string;
  result?: string;
  failed?: boolean;
}

/** What the model said at once: up to its end, or up to the tools that it waits for. */
export interface Round {
  reasoning: string;
  text: string;
  calls: ToolRun[];
}

export interface UserMessage {
  id: string;
  role: "user";
  text: string;
  /** As data URLs. */
  images: string[];
}

export interface Reply {
  id: string;
  role: "assistant";
  model: string;
  rounds: Round[];
  state: "writing" | "done" | "stopped" | "failed";
  /** The reply ended at the limit of tokens. */
  isCut?: boolean;
  /** Why it failed. */
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

/** The beginning of what was said first. */
export function titleOf(messages: readonly Message[]): string {
  const [first] = messages;
  const text = first?.role === "user" ? first.text.replace(/\s+/g, " ").trim() : "";
  return text.length > TITLE_LENGTH ? `${text.slice(0, TITLE_LENGTH - 1)}…` : text;
}
