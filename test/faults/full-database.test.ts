/** IndexedDB has no room for any one commit: what it was for fails or is made up for, and nothing is recorded twice. */

import "fake-indexeddb/auto";
import { afterEach, expect, test } from "vitest";
import { BatchWorld, type Tab, turn } from "../support/batches/batch-world.ts";
import { CHAT, chatLine, resultsOf } from "../support/batches/lines.ts";

const { commit } = IDBTransaction.prototype;
afterEach(() => {
  IDBTransaction.prototype.commit = commit;
});

/**
 * Fails one commit of changes: the `nth` one to these stores. How commits to different stores follow each other depends
 * on the machine's load.
 *
 * @returns how many commits there were by their stores, and whether it failed
 */
function failCommit(stores?: string, nth?: number) {
  const seen = { commits: new Map<string, number>(), hasFailed: false };
  IDBTransaction.prototype.commit = function (this: IDBTransaction) {
    const own = [...this.objectStoreNames].join();
    if (this.mode === "readwrite") seen.commits.set(own, (seen.commits.get(own) ?? 0) + 1);
    if (this.mode === "readwrite" && own === stores && seen.commits.get(own) === nth) {
      seen.hasFailed = true;
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
  const fine = failCommit();
  await runAll(await new BatchWorld().openTab());
  const commits = [...fine.commits].flatMap(([stores, count]) =>
    Array.from({ length: count }, (_, at) => [stores, at + 1] as const),
  );
  expect(commits.length).toBeGreaterThan(10);
  const failed = new Set<string>();
  for (const [stores, nth] of commits) {
    const world = new BatchWorld();
    const seen = failCommit(stores, nth);
    const tab = await world.openTab();
    const batch = await runAll(tab);
    const what = `commit ${nth} to ${stores}`;
    expect(batch.status, what).toBe("completed");
    if (seen.hasFailed) for (const store of stores.split(",")) failed.add(store);
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
