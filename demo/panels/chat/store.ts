/** The open conversation and the stored ones. */

import { effect, type Signal, signal } from "@preact/signals";
import { keepConversations } from "../../store/keep-conversations.ts";
import { localSetting } from "../../store/local-setting.ts";
import { type Conversation, type Message, newConversation } from "./conversation/conversation.ts";
import { LiveConversation } from "./conversation/live-conversation.ts";
import { claimDraft, draftOf, forgetDrafts, moveDraft } from "./drafts.ts";
import { conversationRows } from "./storage/conversation-rows.ts";

/** Stored conversations, newest first. */
export const conversations: Signal<readonly Conversation[]> = signal([]);
/** Why conversations cannot be stored; empty if they can. */
export const keepingProblem = signal("");
/** Says that another tab continued the open conversation; usually empty. */
export const copyNote = signal("");
/** Whether the parameter panel is open. */
export const isInspectorOpen = localSetting("chat-parameters", "no", ["yes", "no"]);

/** Whether the stored conversations are listed. */
export const isRead = signal(false);

export const current: Signal<LiveConversation> = signal(toLiveConversation(newConversation()));

function toLiveConversation(conversation: Conversation): LiveConversation {
  const messages = conversation.messages.map(asLeft);
  return new LiveConversation({ ...conversation, messages }, draftOf(conversation), keep);
}

/** Marks a reply interrupted by the end of its page as stopped. */
function asLeft(message: Message): Message {
  return message.role === "assistant" && message.state === "writing"
    ? { ...message, state: "stopped" }
    : message;
}

/** Starts an empty conversation with the current settings. */
export function startConversation(): void {
  copyNote.value = "";
  current.value.stop();
  current.value = toLiveConversation(newConversation(current.value.settings.value));
}

/** @returns whether it is listed */
export function openConversation(id: string): boolean {
  const wanted = conversations.peek().find((conversation) => conversation.id === id);
  const open = current.peek();
  if (wanted && open.id !== id) {
    copyNote.value = "";
    open.stop();
    current.value = toLiveConversation(wanted);
  }
  return wanted !== undefined;
}

export function removeConversation(id: string): void {
  if (current.value.id === id) {
    current.value.stop();
    startConversation();
  }
  unlist(id);
  forgetDrafts((other) => other !== id);
  write(async () => {
    await conversationRows.delete(id);
    // Another tab may have stored it meanwhile, which listed it again.
    unlist(id);
  });
}

function unlist(id: string): void {
  conversations.value = conversations.peek().filter((conversation) => conversation.id !== id);
}

/** Conversations whose next write is queued. */
const changed = new Set<LiveConversation>();

function keep(live: LiveConversation): void {
  const isRemoved = current.value?.id !== live.id && !isListed(live.id);
  if (live.messages.value.length === 0 || isRemoved) return;
  claimDraft(live.id, live.draft);
  list(live.snapshot());
  if (keepConversations.value === "no" || changed.has(live)) return;
  changed.add(live);
  write(async () => {
    changed.delete(live);
    if (keepConversations.value === "yes" && isListed(live.id)) await save(live.snapshot(), live);
  });
}

/** Puts a conversation at the start of the list. */
function list(conversation: Conversation): void {
  const others = conversations.peek().filter(({ id }) => id !== conversation.id);
  conversations.value = [conversation, ...others];
}

/**
 * If another tab has continued the conversation, both are kept: this tab's becomes a copy.
 *
 * @param live the same conversation, if it is open
 */
async function save(conversation: Conversation, live: LiveConversation | undefined): Promise<void> {
  const other = await conversationRows.save(conversation);
  if (other === "deleted") return leaveDeleted(conversation.id);
  // It may have been removed meanwhile, or continued.
  if (!other || !isListed(conversation.id)) return;
  const copy = { ...(live?.snapshot() ?? conversation), id: crypto.randomUUID() };
  moveDraft(other.id, copy.id);
  list(other);
  list(copy);
  if (live) live.id = copy.id;
  if (live === current.value) copyNote.value = "Another tab continued this conversation. Both are kept.";
  await conversationRows.save(copy);
}

/** Of what another tab deleted, this one keeps what is open in it: the next change stores it, but no reply in progress. */
function leaveDeleted(id: string): void {
  const open = current.peek();
  if (open.id !== id) unlist(id);
  if (open.id !== id || !open.running.peek()) conversationRows.forget(id);
}

function isListed(id: string): boolean {
  return conversations.value.some((conversation) => conversation.id === id);
}

/** Writes wait for earlier ones, whose revisions they need. */
let writing: Promise<void> = Promise.resolve();

/** Storage may be denied or full; the chat continues and shows the problem. */
function write(work: () => Promise<void>): void {
  writing = writing.then(async () => {
    try {
      await work();
      keepingProblem.value = "";
    } catch (error) {
      keepingProblem.value = describe(error as Error);
    }
  });
}

function describe({ name, message }: Error): string {
  const [reason, remedy] =
    name === "QuotaExceededError"
      ? ["the browser's storage is full", "Delete models, files or conversations, or copy what you need"]
      : [message.replace(/\.$/, ""), "Copy what you need"];
  return `This conversation is not stored: ${reason}. ${remedy}: it is lost when this page is closed.`;
}

/**
 * Lists what another tab stored, or no longer what it deleted. Not the open conversation, nor one that is still to be
 * written: if this tab continues it, both are kept.
 */
async function follow(id: string): Promise<void> {
  const row = await conversationRows.readOne(id);
  const isChanged = [...changed].some((live) => live.id === id);
  if (isChanged || keepConversations.peek() === "no") return;
  if (!row) return leaveDeleted(id);
  if (current.peek().id === id) return;
  const listed = conversations.peek();
  // In its place, so that a reply in progress elsewhere moves nothing under the pointer.
  if (isListed(id)) conversations.value = listed.map((one) => (one.id === id ? row : one));
  else conversations.value = [row, ...listed];
  conversationRows.note(row);
}

conversationRows.onOtherTab((id) => {
  // Not as a write, whose success would hide that an earlier one failed.
  writing = writing.then(() => follow(id)).catch(() => {});
});

/** Leaves only the open conversation, which may be in use. */
function forgetOthers(): void {
  const { id: open } = current.peek();
  conversations.value = conversations.peek().filter(({ id }) => id === open);
  forgetDrafts((id) => id === open);
}

async function listKept(): Promise<void> {
  const rows = await conversationRows.read();
  if (keepConversations.peek() === "no") return;
  const fresh = conversations.peek();
  conversations.value = [...fresh, ...rows.filter(({ id }) => fresh.every((one) => one.id !== id))];
}

let isFirst = true;
effect(() => {
  if (keepConversations.value === "no") {
    forgetOthers();
    write(() => conversationRows.deleteAll());
    isRead.value = true;
  } else if (isFirst) {
    write(() =>
      listKept().finally(() => {
        isRead.value = true;
      }),
    );
  } else {
    write(async () => {
      for (const conversation of conversations.peek()) {
        if (keepConversations.peek() === "no") return;
        const open = current.peek();
        await save(conversation, open.id === conversation.id ? open : undefined);
      }
    });
  }
  isFirst = false;
});
