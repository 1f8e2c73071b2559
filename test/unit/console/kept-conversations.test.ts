/** Stored conversations: two tabs with the same one, and a page that closes during a reply. */

import { IDBFactory } from "fake-indexeddb";
import "fake-indexeddb/auto";
import { openDB } from "idb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Conversation, Reply } from "../../../demo/panels/chat/conversation/conversation.ts";
import { defaultSettings } from "../../../demo/panels/chat/conversation/settings.ts";
import { stubPage } from "./support/stub-page.ts";

/** A piece of each reply's stream, or its end. */
type Send = (text: string | undefined) => void;

let sends: Send[];
vi.mock("infetch", () => ({
  createRuntime: async () => ({
    on: () => () => {},
    apiKey: "key",
    baseURL: "https://app.test/v1",
    fetch: async () => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          sends.push((text) => {
            if (text === undefined) return controller.close();
            const chunk = { choices: [{ index: 0, delta: { content: text } }] };
            controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\n`));
          });
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
  }),
}));

let settings: Map<string, string>;

beforeEach(() => {
  sends = [];
  settings = new Map();
  vi.stubGlobal("indexedDB", new IDBFactory());
  stubPage(settings);
  // A hidden page.
  vi.stubGlobal("requestAnimationFrame", () => 0);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  // The next file in this process has a runtime of its own.
  vi.resetModules();
});

/** The chat of a new tab, with the stored conversations read. */
async function openTab() {
  vi.resetModules();
  await (await import("../../../demo/store/runtime.ts")).startRuntime();
  const store = await import("../../../demo/panels/chat/store.ts");
  const { keepConversations } = await import("../../../demo/store/keep-conversations.ts");
  const count = (await rows()).length;
  await expect
    .poll(() => store.conversations.value.length)
    .toBe(keepConversations.value === "yes" ? count : 0);
  return { ...store, keepConversations };
}

async function rows(): Promise<Conversation[]> {
  return (await import("../../../demo/panels/chat/storage/conversation-database.ts")).readConversations();
}

const saidIn = (conversation: Conversation): string[] =>
  conversation.messages.flatMap((message) => (message.role === "user" ? [message.text] : []));

const isDone = (conversation: Conversation): boolean =>
  conversation.messages.some((message) => message.role === "assistant" && message.state === "done");

function stubSessionStorage(): Map<string, string> {
  const stored = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
  return stored;
}

async function sayAndEnd(tab: Awaited<ReturnType<typeof openTab>>, text: string): Promise<void> {
  const before = sends.length;
  tab.current.value.send(text, [], "model");
  await expect.poll(() => sends.length).toBe(before + 1);
  sends.at(-1)!("Yes.");
  sends.at(-1)!(undefined);
  await expect.poll(() => tab.current.value.running.value).toBe(undefined);
}

test("what two tabs add to the same conversation is kept, as two conversations", async () => {
  const first = await openTab();
  await sayAndEnd(first, "one");
  const { id } = first.current.value;
  await expect.poll(async () => JSON.stringify(await rows())).toContain("done");
  const second = await openTab();
  second.openConversation(id);
  await sayAndEnd(second, "from the second tab");
  await expect.poll(async () => saidIn((await rows())[0]!)).toEqual(["one", "from the second tab"]);
  first.current.value.draft.text.value = "not sent";
  await sayAndEnd(first, "from the first tab");
  await sayAndEnd(first, "and more");
  await expect
    .poll(async () => (await rows()).map(saidIn))
    .toEqual([
      ["one", "from the first tab", "and more"],
      ["one", "from the second tab"],
    ]);
  expect(first.copyNote.value).toContain("Another tab continued this conversation");
  expect(first.conversations.value.map(saidIn)).toHaveLength(2);
  expect(first.current.value.id).toBe(first.conversations.value[0]!.id);
  expect(first.current.value.id).not.toBe(id);
  expect((await rows())[1]!.id).toBe(id);
  first.openConversation(id);
  expect(first.copyNote.value).toBe("");
  first.openConversation(first.conversations.value[0]!.id);
  expect(first.current.value.draft.text.value).toBe("not sent");
});

test("a reload keeps what is typed in each conversation, until it is sent or the conversation is deleted", async () => {
  const stored = stubSessionStorage();
  const tab = await openTab();
  await sayAndEnd(tab, "one");
  const { id: one } = tab.current.value;
  tab.current.value.draft.text.value = "for one";
  tab.startConversation();
  await sayAndEnd(tab, "two");
  const { id: two } = tab.current.value;
  tab.current.value.draft.text.value = "for two";
  tab.startConversation();
  tab.current.value.draft.text.value = "for a new one";
  await expect.poll(async () => (await rows()).filter(isDone).length).toBe(2);

  // Twice: the first page opens none of them.
  await openTab();
  const again = await openTab();
  expect(again.current.value.draft.text.value).toBe("for a new one");
  again.openConversation(one);
  expect(again.current.value.draft.text.value).toBe("for one");
  again.openConversation(two);
  expect(again.current.value.draft.text.value).toBe("for two");
  again.removeConversation(two);
  again.current.value.draft.text.value = "";
  expect([...stored.values()].join()).toContain("for one");
  expect([...stored.values()].join()).not.toMatch(/for two|for a new one/);
  again.keepConversations.value = "no";
  expect([...stored.values()].join()).not.toContain("for one");
});

test("a tab lists what others store and delete, but keeps its open conversation", async () => {
  const [first, second] = [await openTab(), await openTab()];
  const listed = (): string[][] => second.conversations.value.map(saidIn);
  await sayAndEnd(first, "one");
  await expect.poll(listed).toEqual([["one"]]);
  const { id } = first.current.value;
  first.startConversation();
  await sayAndEnd(first, "two");
  await expect.poll(listed).toEqual([["two"], ["one"]]);
  first.openConversation(id);
  await sayAndEnd(first, "more");
  await expect.poll(listed).toEqual([["two"], ["one", "more"]]);
  // Its revision is known, so this is no copy.
  second.openConversation(id);
  await sayAndEnd(second, "from here");
  await expect.poll(async () => saidIn((await rows())[0]!)).toEqual(["one", "more", "from here"]);
  expect(second.copyNote.value).toBe("");
  for (const other of first.conversations.value) first.removeConversation(other.id);
  await expect.poll(rows).toEqual([]);
  await expect.poll(listed).toEqual([["one", "more", "from here"]]);
});

test("a conversation that is removed while another tab stores it stays removed", async () => {
  const [first, second] = [await openTab(), await openTab()];
  await sayAndEnd(first, "one");
  await expect.poll(() => second.conversations.value.length).toBe(1);
  const { conversationRows } = await import("../../../demo/panels/chat/storage/conversation-rows.ts");
  const { readOne } = conversationRows;
  vi.spyOn(conversationRows, "readOne").mockImplementation(async (id) => {
    const row = await readOne(id);
    second.removeConversation(id);
    return row;
  });
  first.current.value.change({ system: "first" });
  await expect.poll(rows).toEqual([]);
  await expect.poll(() => second.conversations.value).toEqual([]);
});

test("a reply in progress does not store again what another tab deletes; the next message does", async () => {
  const [first, second] = [await openTab(), await openTab()];
  await sayAndEnd(first, "one");
  await expect.poll(() => second.conversations.value.length).toBe(1);
  first.current.value.send("two", [], "model");
  await expect.poll(() => sends.length).toBe(2);
  await expect.poll(() => second.conversations.value.map(saidIn)).toEqual([["one", "two"]]);
  second.removeConversation(first.current.value.id);
  await expect.poll(rows).toEqual([]);
  sends[1]!("Yes.");
  sends[1]!(undefined);
  await expect.poll(() => first.current.value.running.value).toBe(undefined);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await rows()).toEqual([]);
  expect(second.conversations.value).toEqual([]);
  expect(first.conversations.value.map(saidIn)).toEqual([["one", "two"]]);
  await sayAndEnd(first, "three");
  await expect.poll(() => second.conversations.value.map(saidIn)).toEqual([["one", "two", "three"]]);
});

test("what another tab does hides no failed write", async () => {
  const [first, second] = [await openTab(), await openTab()];
  await sayAndEnd(first, "one");
  const { id } = first.current.value;
  first.startConversation();
  await expect.poll(() => second.conversations.value.length).toBe(1);
  const put = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  await sayAndEnd(second, "two");
  await expect.poll(() => second.keepingProblem.value).toContain("full");
  put.mockRestore();
  first.removeConversation(id);
  await expect.poll(() => second.conversations.value.map(saidIn)).toEqual([["two"]]);
  expect(second.keepingProblem.value).toContain("full");
});

/** A tab whose next change meets a conversation that another tab continued; `work` runs as it reads that one. */
async function meetOther(work: (tab: Awaited<ReturnType<typeof openTab>>) => void) {
  const first = await openTab();
  await sayAndEnd(first, "one");
  await expect.poll(async () => JSON.stringify(await rows())).toContain("done");
  const second = await openTab();
  second.openConversation(first.current.value.id);
  await sayAndEnd(second, "two");
  await expect.poll(async () => saidIn((await rows())[0]!)).toEqual(["one", "two"]);
  const { get } = IDBObjectStore.prototype;
  vi.spyOn(IDBObjectStore.prototype, "get").mockImplementationOnce(function (this: IDBObjectStore, key) {
    work(first);
    return get.call(this, key);
  });
  first.current.value.change({ system: "first" });
  return first;
}

test("the copy has what was changed while the other tab's conversation was read", async () => {
  const tab = await meetOther(({ current }) => current.value.change({ system: "later" }));
  await expect.poll(() => tab.copyNote.value).not.toBe("");
  expect(tab.conversations.value.map(({ settings }) => settings.system)).toEqual(["later", ""]);
});

test("a conversation that is removed while the other tab's is read stays removed", async () => {
  const tab = await meetOther(({ removeConversation, current }) => removeConversation(current.value.id));
  await expect.poll(rows).toEqual([]);
  expect(tab.conversations.value).toEqual([]);
});

test("rows that cannot be shown are left out; settings that an earlier release lacked have their defaults", async () => {
  const tab = await openTab();
  await sayAndEnd(tab, "one");
  await expect.poll(async () => JSON.stringify(await rows())).toContain("done");
  const [row] = await rows();
  const other = { ...row!, id: "other", settings: { ...row!.settings, sampling: null, tools: undefined } };
  const [message, reply] = row!.messages;
  const broken = [
    { title: undefined },
    { changedAtMs: "now" },
    { messages: null },
    { messages: [null] },
    { messages: [{ ...message, images: "x" }] },
    { messages: [message, { ...reply, rounds: undefined }] },
    { messages: [message, { ...reply, rounds: [{ text: "", reasoning: "", calls: [{ id: 1 }] }] }] },
    { messages: [message, { ...reply, stats: { completionTokens: 1, tokensPerSecond: "1" } }] },
  ];
  const database = await openDB("infetch-console");
  await database.put("conversations", other);
  for (const [at, fields] of broken.entries()) {
    await database.put("conversations", { ...row, ...fields, id: `broken-${at}` });
  }
  database.close();
  const next = await openTab();
  expect(next.conversations.value.map(({ id }) => id).sort()).toEqual([row!.id, "other"].sort());
  next.openConversation("other");
  expect(next.current.value.settings.value).toEqual({
    ...row!.settings,
    sampling: defaultSettings().sampling,
    tools: [],
  });
});

test("a write that fails is shown, and leaves no rejection behind", async () => {
  const tab = await openTab();
  const { put } = IDBObjectStore.prototype;
  vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (this: IDBObjectStore, row) {
    const request = put.call(this, row);
    this.transaction.abort();
    return request;
  });
  await sayAndEnd(tab, "one");
  await expect.poll(() => tab.keepingProblem.value).toContain("is not stored");
});

test("a page that closes during a reply keeps what was written, stored now and then", async () => {
  const tab = await openTab();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  tab.current.value.send("one", [], "model");
  await vi.waitFor(() => expect(sends).toHaveLength(1));
  const put = vi.spyOn(IDBObjectStore.prototype, "put");
  for (let at = 0; at < 50; at += 1) sends[0]!(`${at} `);
  await vi.advanceTimersByTimeAsync(2500);
  await vi.waitFor(async () => expect(JSON.stringify(await rows())).toContain("48 49 "));
  expect(put.mock.calls.length).toBeLessThan(4);
  vi.useRealTimers();
  const later = await openTab();
  later.openConversation(later.conversations.value[0]!.id);
  const reply = later.current.value.messages.value[1]!.value as Reply;
  expect(reply.state).toBe("stopped");
  expect(reply.rounds[0]!.text).toContain("0 1 2 ");
});

test("nothing of a reply is stored when conversations are not kept", async () => {
  settings.set("infetch-console-keep-conversations", "no");
  const tab = await openTab();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const put = vi.spyOn(IDBObjectStore.prototype, "put");
  tab.current.value.send("one", [], "model");
  await vi.waitFor(() => expect(sends).toHaveLength(1));
  sends[0]!("text");
  await vi.advanceTimersByTimeAsync(5000);
  tab.keepConversations.value = "yes";
  tab.current.value.change({ system: "s" });
  tab.keepConversations.value = "no";
  await vi.advanceTimersByTimeAsync(5000);
  sends[0]!("more");
  await vi.advanceTimersByTimeAsync(5000);
  vi.useRealTimers();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await rows()).toEqual([]);
  expect(put).not.toHaveBeenCalled();
});

test("conversations that another tab turned off are gone from this one's list, but for the open one", async () => {
  const first = await openTab();
  await sayAndEnd(first, "one");
  first.startConversation();
  await sayAndEnd(first, "two");
  await expect.poll(async () => (await rows()).length).toBe(2);
  const [second, third] = [await openTab(), await openTab()];
  second.openConversation(first.conversations.value[1]!.id);
  for (const tab of [first, second, third]) tab.keepConversations.value = "no";
  const lists = [first, second, third].map((tab) => tab.conversations.value.map(saidIn));
  expect(lists).toEqual([[["two"]], [["one"]], []]);
  await expect.poll(rows).toEqual([]);
});

test("conversations turned off while they are read are not listed", async () => {
  await sayAndEnd(await openTab(), "one");
  await expect.poll(async () => JSON.stringify(await rows())).toContain("done");
  const { getAll } = IDBObjectStore.prototype;
  let turnOff = (): void => {};
  vi.spyOn(IDBObjectStore.prototype, "getAll").mockImplementationOnce(function (this: IDBObjectStore) {
    turnOff();
    return getAll.call(this);
  });
  vi.resetModules();
  const { keepConversations } = await import("../../../demo/store/keep-conversations.ts");
  turnOff = () => {
    keepConversations.value = "no";
  };
  const { conversations } = await import("../../../demo/panels/chat/store.ts");
  await expect.poll(() => keepConversations.value).toBe("no");
  await expect.poll(rows).toEqual([]);
  expect(conversations.value).toEqual([]);
});
