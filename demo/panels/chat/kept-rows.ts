/** Rows of conversations, with the revisions that this tab knows. */

import type { Conversation } from "./conversation.ts";
import { deleteAllConversations, deleteConversation, readConversations, saveConversation } from "./saved.ts";
import type { StoredConversation } from "./stored-row.ts";

const revisions = new Map<string, string | undefined>();

function note({ id, revision }: StoredConversation): void {
  revisions.set(id, revision);
}

export const keptRows = {
  async read(): Promise<StoredConversation[]> {
    const rows = await readConversations();
    for (const row of rows) note(row);
    return rows;
  },

  /** @returns what another tab stored instead: the conversation given is then not stored */
  async save(conversation: Conversation): Promise<StoredConversation | undefined> {
    const { isSaved, stored } = await saveConversation(conversation, revisions.get(conversation.id));
    note(stored);
    // Two tabs may store the same conversation, when keeping is turned on again.
    return isSaved || stored.changedAtMs === conversation.changedAtMs ? undefined : stored;
  },

  async delete(id: string): Promise<void> {
    await deleteConversation(id);
    revisions.delete(id);
  },

  async deleteAll(): Promise<void> {
    await deleteAllConversations();
    revisions.clear();
  },
};
