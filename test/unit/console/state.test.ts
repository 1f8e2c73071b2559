/** The console's state: drafts, settings of several tabs, loads, and actions that are pressed twice. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { stubPage } from "./support/stub-page.ts";

vi.mock("infetch", () => ({ createRuntime: async () => runtime }));

type Listener = (event: never) => void;

let listeners: Map<string, Listener[]>;
let pageListeners: Map<string, Listener>;
let stored: Map<string, string>;
let runtime: object;

beforeEach(() => {
  listeners = new Map();
  pageListeners = new Map();
  stored = new Map();
  runtime = {
    on: (type: string, listener: Listener) => {
      listeners.set(type, [...(listeners.get(type) ?? []), listener]);
    },
  };
  stubPage(stored, (type, listener) => pageListeners.set(type, listener));
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

const emit = (type: string, event: object): void => {
  for (const listener of listeners.get(type) ?? []) listener({ type, ...event } as never);
};

test("a load that another tab started and that failed leaves no progress bar", async () => {
  const { loads, startRuntime } = await import("../../../demo/store/runtime.ts");
  await startRuntime();
  for (const state of ["lost", "unloaded"]) {
    emit("progress", { model: "a", phase: "download", loadedBytes: 1, totalBytes: 2, fraction: 0.5 });
    emit("engine", { model: "a", state: "note" });
    expect(Object.keys(loads.value)).toEqual(["a"]);
    emit("engine", { model: "a", state });
    expect(loads.value).toEqual({});
  }
});

test("a load that waits for a server that limits requests says until when", async () => {
  const { startRuntime } = await import("../../../demo/store/runtime.ts");
  const { LoadBar } = await import("../../../demo/ui/progress.tsx");
  await startRuntime();
  const load = { model: "a", phase: "download", loadedBytes: 1, totalBytes: 2, fraction: 0.5 };
  emit("progress", { ...load, waitsUntil: new Date(2025, 0, 1, 12, 31).getTime() });
  expect(JSON.stringify(LoadBar({ model: "a" }))).toMatch(/· waits for the server until 1 Jan 2025, 12:31"/);
  emit("progress", load);
  expect(JSON.stringify(LoadBar({ model: "a" }))).not.toContain("waits");
});

test("a setting follows other tabs, where it should", async () => {
  const { keepConversations } = await import("../../../demo/store/keep-conversations.ts");
  const change = (key: string, value: string): void => {
    stored.set(key, value);
    pageListeners.get("storage")!({ key } as never);
  };
  change("infetch-console-keep-conversations", "nonsense");
  change("another", "no");
  expect(keepConversations.value).toBe("yes");
  change("infetch-console-keep-conversations", "no");
  expect(keepConversations.value).toBe("no");
  // An event that this tab's own change has overtaken: writing its value back could go on between the tabs forever.
  keepConversations.value = "yes";
  pageListeners.get("storage")!({ key: "infetch-console-keep-conversations", newValue: "no" } as never);
  expect([keepConversations.value, stored.get("infetch-console-keep-conversations")]).toEqual(["yes", "yes"]);
});

test("what is typed stays with its conversation; without messages it stays with the next one", async () => {
  const { current, openConversation, startConversation, conversations, removeConversation } = await import(
    "../../../demo/panels/chat/store.ts"
  );
  const first = current.value;
  first.send("Hello!", [], "model");
  first.draft.text.value = "second message";
  startConversation();
  expect(current.value.draft.text.value).toBe("");
  current.value.draft.text.value = "a long question";
  openConversation(first.id);
  expect(current.value.draft.text.value).toBe("second message");
  startConversation();
  startConversation();
  expect(current.value.draft.text.value).toBe("a long question");
  removeConversation(first.id);
  expect(conversations.value).toEqual([]);
  expect(current.value.draft.text.value).toBe("a long question");
});

test("a form that is sent twice creates one key, and a failure shows the keys as they are", async () => {
  let created = 0;
  const keys = {
    create: vi.fn(async () => ({ apiKey: `secret-${++created}` })),
    revoke: async () => Promise.reject(new Error("404 There is no such key.")),
    list: vi.fn(async () => []),
  };
  runtime = { ...runtime, keys };
  await (await import("../../../demo/store/runtime.ts")).startRuntime();
  const { createKey, freshKey, revokeKey } = await import("../../../demo/panels/settings/keys-store.ts");
  await Promise.all([createKey({ name: "a" }), createKey({ name: "a" })]);
  expect(keys.create).toHaveBeenCalledOnce();
  expect(freshKey.value?.apiKey).toBe("secret-1");
  await createKey({ name: "b" });
  expect(freshKey.value?.apiKey).toBe("secret-2");
  const before = keys.list.mock.calls.length;
  await expect(revokeKey("gone")).rejects.toThrow("no such key");
  expect(keys.list.mock.calls.length).toBe(before + 1);
});

test("what failed on a model is what is tried again: a deletion, not a download", async () => {
  const models = {
    delete: vi.fn(async () => Promise.reject(new Error("The model is in use."))),
    load: vi.fn(async () => {}),
    storage: async () => ({ models: [] }),
  };
  runtime = { ...runtime, models };
  await (await import("../../../demo/store/runtime.ts")).startRuntime();
  const { deleteModel, outcomes } = await import("../../../demo/panels/models/store.ts");
  await deleteModel("a");
  expect(outcomes.value.a).toMatchObject({ isProblem: true, words: "The model is in use." });
  models.delete.mockImplementation(async () => undefined as never);
  await outcomes.value.a!.retry!();
  expect(models.delete).toHaveBeenCalledTimes(2);
  expect(models.load).not.toHaveBeenCalled();
  expect(outcomes.value.a).toEqual({ isProblem: false, words: "Deleted from this device." });
});

test("each file that was dropped is run, one after the other, and each error is shown", async () => {
  const requested: string[] = [];
  const answer = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const path = new URL(url).pathname;
    if (init.method !== "POST") return Response.json({ object: "list", data: [] });
    requested.push(path);
    if (path.endsWith("/files")) {
      const { name } = (init.body as FormData).get("file") as File;
      if (name.startsWith("bad")) {
        const error = {
          message: "It has no lines.",
          type: "invalid_request_error",
          param: "file",
          code: null,
        };
        return Response.json({ error }, { status: 400 });
      }
      return Response.json({ id: "file-1" });
    }
    requested.push(JSON.parse(init.body as string).endpoint);
    return Response.json({ id: "batch-1" });
  };
  runtime = { ...runtime, apiKey: "key", baseURL: "https://app.test/v1", fetch: answer };
  await (await import("../../../demo/store/runtime.ts")).startRuntime();
  const { problem, runFiles, uploading } = await import("../../../demo/panels/batches/store.ts");
  const line = '\n\n{"custom_id":"a","url":"/v1/embeddings"}\n';
  const first = runFiles([new File([""], "bad.jsonl"), new File([line], "good.jsonl")]);
  const second = runFiles([new File([line], "later.jsonl")]);
  await first;
  expect(problem.value).toBe("bad.jsonl: It has no lines.");
  expect(requested).toEqual(["/v1/files", "/v1/files", "/v1/batches", "/v1/embeddings"]);
  await second;
  expect(problem.value).toBe("");
  expect(uploading.value).toBe("");
});

test("a GGUF embedding model is no chat model", async () => {
  const { isEmbedding } = await import("../../../demo/store/models.ts");
  const model = { id: "a", object: "model" as const, created: 0, owned_by: "b" };
  expect(isEmbedding({ ...model, infetch: { engine: "llamacpp", pooling: "mean" } })).toBe(true);
  // Known once it is loaded.
  expect(isEmbedding({ ...model, infetch: { engine: "llamacpp", pooling: null } })).toBe(true);
  expect(isEmbedding({ ...model, infetch: { engine: "llamacpp" } })).toBe(false);
  expect(isEmbedding(model)).toBe(false);
});

test("the error message of a failed reply includes advice for the console", async () => {
  const { explain } = await import("../../../demo/panels/chat/conversation/advice.ts");
  const tooLong = Object.assign(new Error("400 Too long."), { code: "context_length_exceeded" });
  expect(explain(tooLong)).toBe("Too long. In this console: start a new chat, or edit an earlier message.");
  expect(explain(Object.assign(new Error("503 Busy."), { code: "constructor" }))).toBe("Busy.");
  expect(explain(undefined)).toBe("undefined");
});
