/** Stores conversations on this device, unless the user opted out. */

import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { Conversation } from "../conversation/conversation.ts";
import { type StoredConversation, toConversation } from "./stored-row.ts";

interface Schema extends DBSchema {
  conversations: { key: string; value: StoredConversation };
}

let opened: Promise<IDBPDatabase<Schema>> | undefined;

function database(): Promise<IDBPDatabase<Schema>> {
  opened ??= openDB<Schema>("infetch-console", 1, {
    upgrade: (fresh) => void fresh.createObjectStore("conversations", { keyPath: "id" }),
  });
  return opened;
}

/** All conversations, newest first. */
export async function readConversations(): Promise<StoredConversation[]> {
  const rows = await (await database()).getAll("conversations");
  return rows.flatMap((row) => toConversation(row) ?? []).sort((a, b) => b.changedAtMs - a.changedAtMs);
}

export async function readConversation(id: string): Promise<StoredConversation | undefined> {
  return toConversation(await (await database()).get("conversations", id));
}

/**
 * Stores a conversation, unless another tab has since written or deleted it.
 *
 * @param known the revision that this tab read or wrote last; undefined if none
 * @returns the row that is stored now: that of the other tab if it stays, none if it deleted it
 */
export async function saveConversation(
  conversation: Conversation,
  known: string | undefined,
): Promise<{ isSaved: boolean; stored: StoredConversation | undefined }> {
  const writing = (await database()).transaction("conversations", "readwrite");
  const stored = await writing.store.get(conversation.id);
  if (stored ? stored.revision !== known : known !== undefined) return { isSaved: false, stored };
  const next = { ...conversation, revision: crypto.randomUUID() };
  await Promise.all([writing.store.put(next), writing.done]);
  return { isSaved: true, stored: next };
}

export async function deleteConversation(id: string): Promise<void> {
  await (await database()).delete("conversations", id);
}

export async function deleteAllConversations(): Promise<void> {
  await (await database()).clear("conversations");
}
