/** Unsent text and images of conversations, until the page closes. A reload keeps the texts. */

import { effect, type Signal, signal } from "@preact/signals";
import { keepConversations } from "../../store/keep-conversations.ts";
import type { Conversation } from "./conversation/conversation.ts";
import { type Draft, newDraft } from "./conversation/live-conversation.ts";
import { storedDrafts } from "./storage/stored-drafts.ts";

/** The id of a conversation without messages. Its draft passes to the next one, since it is not listed. */
const NEW = "";

const drafts: Signal<ReadonlyMap<string, Draft>> = signal(
  new Map([...storedDrafts.read()].map(([id, text]) => [id, newDraft(text)])),
);

export function draftOf({ id, messages }: Pick<Conversation, "id" | "messages">): Draft {
  const key = messages.length === 0 ? NEW : id;
  const draft = drafts.peek().get(key) ?? newDraft();
  drafts.value = new Map(drafts.peek()).set(key, draft);
  return draft;
}

/** After its first message, a conversation has its draft for itself. */
export function claimDraft(id: string, draft: Draft): void {
  if (drafts.peek().get(NEW) === draft) moveDraft(NEW, id);
}

export function moveDraft(from: string, to: string): void {
  const moved = new Map(drafts.peek());
  const draft = moved.get(from);
  if (draft) moved.set(to, draft);
  moved.delete(from);
  drafts.value = moved;
}

/** Forgets the drafts of conversations with messages that `isKept` rejects. */
export function forgetDrafts(isKept: (id: string) => boolean): void {
  drafts.value = new Map([...drafts.peek()].filter(([id]) => id === NEW || isKept(id)));
}

effect(() => {
  const texts = [...drafts.value].map(([id, { text }]) => [id, text.value] as const);
  storedDrafts.keep(
    new Map(keepConversations.value === "yes" ? texts.filter(([, text]) => text !== "") : []),
  );
});
