/** The open conversation and the stored ones. */

import { effect, type Signal, signal } from "@preact/signals";
import { keeping } from "../../store/keeping.ts";
import { localSetting } from "../../store/local-setting.ts";
import { type Conversation, type Message, newConversation } from "./conversation.ts";
import { type Draft, LiveConversation, newDraft } from "./live-conversation.ts";
import { deleteAllConversations, deleteConversation, readConversations, saveConversation } from "./saved.ts";

/** Stored conversations, newest first. */
export const conversations: Signal<readonly Conversation[]> = signal([]);
/** Why conversations cannot be stored; empty if they can. */
export const keepingProblem = signal("");
/** Whether the parameter panel is open. */
export const isInspectorOpen = localSetting<"yes" | "no">(
  "chat-parameters",
  "no",
  (value): value is "yes" | "no" => ["yes", "no"].includes(value),
);

/** What is typed but not sent, by conversation, while the page is open. */
const drafts = new Map<string, Draft>();
/** The draft of the next new conversation: one without messages is not listed, so nothing else leads back to it. */
let fresh: Draft | undefined;

export const current: Signal<LiveConversation> = signal(goLive(newConversation()));

function goLive(conversation: Conversation): LiveConversation {
  const messages = conversation.messages.map(asLeft);
  return new LiveConversation({ ...conversation, messages }, draftOf(conversation), keep);
}

function draftOf({ id, messages }: Conversation): Draft {
  if (messages.length === 0) fresh ??= newDraft();
  const draft = (messages.length === 0 ? fresh : drafts.get(id)) ?? newDraft();
  drafts.set(id, draft);
  return draft;
}

/** Marks a reply interrupted by the end of its page as stopped. */
function asLeft(message: Message): Message {
  return message.role === "assistant" && message.state === "writing"
    ? { ...message, state: "stopped" }
    : message;
}

/** Starts an empty conversation with the current settings. */
export function startConversation(): void {
  current.value.stop();
  current.value = goLive(newConversation(current.value.settings.value));
}

export function openConversation(id: string): void {
  const wanted = conversations.value.find((conversation) => conversation.id === id);
  if (!wanted || current.value.id === id) return;
  current.value.stop();
  current.value = goLive(wanted);
}

export function removeConversation(id: string): void {
  if (current.value.id === id) {
    current.value.stop();
    startConversation();
  }
  conversations.value = conversations.value.filter((conversation) => conversation.id !== id);
  drafts.delete(id);
  void attempt(() => deleteConversation(id));
}

function keep(conversation: Conversation): void {
  const isRemoved = current.value?.id !== conversation.id && !isListed(conversation.id);
  if (conversation.messages.length === 0 || isRemoved) return;
  if (drafts.get(conversation.id) === fresh) fresh = undefined;
  const others = conversations.value.filter(({ id }) => id !== conversation.id);
  conversations.value = [conversation, ...others];
  if (keeping.value === "yes") void attempt(() => saveConversation(conversation));
}

function isListed(id: string): boolean {
  return conversations.value.some((conversation) => conversation.id === id);
}

/** Storage may be denied or full; the chat continues and shows the problem. */
async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work();
    keepingProblem.value = "";
  } catch (error) {
    keepingProblem.value = `This browser cannot store conversations: ${(error as Error).message}`;
  }
}

let isFirst = true;
effect(() => {
  if (keeping.value === "no") {
    void attempt(deleteAllConversations);
  } else if (isFirst) {
    void attempt(async () => {
      const kept = await readConversations();
      const fresh = conversations.peek();
      conversations.value = [...fresh, ...kept.filter(({ id }) => fresh.every((one) => one.id !== id))];
    });
  } else {
    void attempt(async () => {
      for (const conversation of conversations.peek()) await saveConversation(conversation);
    });
  }
  isFirst = false;
});
