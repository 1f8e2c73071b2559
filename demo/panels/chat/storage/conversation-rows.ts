/** Rows of conversations, with the revisions that this tab knows. */

import type { Conversation } from "../conversation/conversation.ts";
import {
  deleteAllConversations,
  deleteConversation,
  readConversation,
  readConversations,
  saveConversation,
} from "./conversation-database.ts";
import type { StoredConversation } from "./stored-row.ts";

const revisions = new Map<string, string | undefined>();
/** Carries the ids of conversations that a tab stored or deleted. */
const channel = new BroadcastChannel("infetch-console-conversations");

function note({ id, revision }: StoredConversation): void {
  revisions.set(id, revision);
}

export const conversationRows = {
  async read(): Promise<StoredConversation[]> {
    const rows = await readConversations();
    for (const row of rows) note(row);
    return rows;
  },

  /** Calls `listener` with the id of each conversation that another tab stores or deletes. */
  onOtherTab(listener: (id: string) => void): void {
    channel.addEventListener("message", ({ data }) => listener(data));
  },

  /** @returns the row of another tab, undefined if deleted; this tab knows its revision only once it is noted */
  readOne: readConversation,
  note,

  /** The next {@link conversationRows.save} stores the conversation, although another tab deleted it. */
  forget(id: string): void {
    revisions.delete(id);
  },

  /** @returns what another tab stored instead, or that it deleted it: the conversation given is then not stored */
  async save(conversation: Conversation): Promise<StoredConversation | "deleted" | undefined> {
    const { isSaved, stored } = await saveConversation(conversation, revisions.get(conversation.id));
    if (!stored) return "deleted";
    note(stored);
    if (isSaved) channel.postMessage(stored.id);
    // Two tabs may store the same conversation, when storing is turned on again.
    return isSaved || stored.changedAtMs === conversation.changedAtMs ? undefined : stored;
  },

  async delete(id: string): Promise<void> {
    await deleteConversation(id);
    revisions.delete(id);
    channel.postMessage(id);
  },

  async deleteAll(): Promise<void> {
    await deleteAllConversations();
    revisions.clear();
  },
};
