/** IndexedDB has no room for any one commit: what it was for fails or is made up for, and nothing is recorded twice. */

import "fake-indexeddb/auto";
import { afterEach, expect, test } from "vitest";
import { BatchWorld, type Tab, turn } from "../support/batches/batch-world.ts";
import { CHAT, chatLine, resultsOf } from "../support/batches/lines.ts";

const { commit } = IDBTransaction.prototype;
afterEach(() => {
  IDBTransaction.prototype.commit = commit;
});

/** Fails one commit of changes. @returns how many there were, and the stores of the one that failed */
function failCommit(failing: number) {
  const seen = { commits: 0, stores: "" };
  IDBTransaction.prototype.commit = function (this: IDBTransaction) {
    if (this.mode === "readwrite" && ++seen.commits === failing) {
      seen.stores = [...this.objectStoreNames].join();
      (this as unknown as { _abort(name: string): void })._abort("QuotaExceededError");
    } else commit.call(this);
  };
  return seen;
}

/** Repeats a request that found no room. */
async function insist(send: () => Promise<Response>): Promise<{ id: string }> {
  const first = await send();
  if (first.ok) return first.json();
  expect(await first.json()).toMatchObject({ error: { code: "storage_quota_exceeded" } });
  expect(first.status).toBe(413);
  return (await send()).json();
}

async function runAll(tab: Tab) {
  const message = [{ role: "user", content: "Hi" }];
  const json = (path: string, body: object) => () =>
    tab.call(path, { method: "POST", body: JSON.stringify(body) });
  const chat = await json(CHAT, { model: "infetch-tiny", messages: message })();
  expect(chat.status).toBe(200);
  const file = await insist(() => {
    const form = new FormData();
    form.set("purpose", "batch");
    form.set("file", new File([`${chatLine("one")}\n${chatLine("two")}\n`], "lines.jsonl"));
    return tab.call("/v1/files", { method: "POST", body: form });
  });
  const batch = { input_file_id: file.id, endpoint: CHAT, completion_window: "24h" };
  const { id } = await insist(json("/v1/batches", batch));
  for (;;) {
    const now = await tab.openai.batches.retrieve(id);
    if (now.status === "completed" || now.status === "failed") return now;
    // The user has made room.
    tab.wake();
    await turn();
  }
}

test("a chat, a file and a batch: one commit finds no room", async () => {
  const fine = failCommit(0);
  await runAll(await new BatchWorld().openTab());
  expect(fine.commits).toBeGreaterThan(10);
  const failed = new Set<string>();
  for (let failing = 1; failing <= fine.commits; failing++) {
    const world = new BatchWorld();
    const seen = failCommit(failing);
    const tab = await world.openTab();
    const batch = await runAll(tab);
    const what = `commit ${failing}, of ${seen.stores}`;
    expect(batch.status, what).toBe("completed");
    for (const store of seen.stores.split(",")) failed.add(store);
    const lines = await resultsOf(tab, batch.output_file_id);
    expect(lines.map(({ custom_id }) => custom_id).sort(), what).toEqual(["one", "two"]);
    await tab.call("/v1/billing/invoices");
    expect(await tab.ledger.rpc.usage({}), what).toMatchObject({ ok: true, value: { length: 3 } });
    expect(await tab.ledger.rpc.verify(), what).toMatchObject({ ok: true, value: { ok: true } });
    expect((await tab.openai.files.list()).data, what).toHaveLength(2);
    expect((await tab.openai.batches.list()).data, what).toHaveLength(1);
  }
  for (const store of ["events", "files", "chunks", "batches", "results"]) expect(failed).toContain(store);
});
