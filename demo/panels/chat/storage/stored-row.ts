/** Reads rows of conversations, which other releases and other scripts of the origin may have written. */

import type { Conversation, ReplyStats } from "../conversation/conversation.ts";
import { type ChatSettings, defaultSettings } from "../conversation/settings.ts";

const STATS: (keyof ReplyStats)[] = [
  "promptTokens",
  "cachedTokens",
  "completionTokens",
  "tokensPerSecond",
  "firstTokenAfterMs",
];

/** As stored: every write has another revision. Rows of earlier releases have none. */
export type StoredConversation = Conversation & { revision?: string };

/** A conversation with all its settings; undefined for a row that cannot be shown. */
export function toConversation(row: unknown): StoredConversation | undefined {
  if (!isRecord(row) || typeof row.id !== "string" || typeof row.title !== "string") return undefined;
  if (typeof row.changedAtMs !== "number" || !isListOf(row.messages, isMessage)) return undefined;
  const settings = toSettings(isRecord(row.settings) ? row.settings : {});
  return { ...(row as unknown as StoredConversation), settings };
}

function isMessage(value: unknown): boolean {
  if (!isRecord(value) || typeof value.id !== "string") return false;
  if (value.role === "user") return typeof value.text === "string" && isListOf(value.images, isString);
  if (value.role !== "assistant" || typeof value.model !== "string") return false;
  return isListOf(value.rounds, isRound) && (value.stats === undefined || isStats(value.stats));
}

/** They are formatted as numbers. */
function isStats(value: unknown): boolean {
  return isRecord(value) && STATS.every((name) => typeof value[name] === "number");
}

function isRound(value: unknown): boolean {
  if (!isRecord(value) || typeof value.reasoning !== "string") return false;
  return typeof value.text === "string" && isListOf(value.calls, isCall);
}

function isCall(value: unknown): boolean {
  return isRecord(value) && [value.id, value.name, value.arguments].every(isString);
}

/** Settings of the row that have the type of their default; the default for the others. */
function toSettings(stored: Record<string, unknown>): ChatSettings {
  const settings = defaultSettings();
  const known = Object.entries(settings)
    .filter(([name, initial]) => isLike(stored[name], initial))
    .map(([name]) => [name, stored[name]]);
  return { ...settings, ...Object.fromEntries(known) };
}

function isLike(value: unknown, like: unknown): boolean {
  return typeof value === typeof like && value !== null && Array.isArray(value) === Array.isArray(like);
}

function isString(value: unknown): boolean {
  return typeof value === "string";
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
