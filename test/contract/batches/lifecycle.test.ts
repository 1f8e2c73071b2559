/** Cancellation, expiry and recovery after a tab dies: no line has two results or is billed twice. */

import OpenAI from "openai";
import { expect, test, vi } from "vitest";
import { EngineError } from "../../../worker/engine-api/engine-error.ts";
import { BatchWorld, turn, until } from "../../support/batches/batch-world.ts";
import {
  chatLine,
  EMBEDDINGS,
  embeddingLine,
  recordedBy,
  resultsOf,
  submit,
  upload,
} from "../../support/batches/lines.ts";

const tenLines = Array.from({ length: 10 }, (_, at) => chatLine(`line ${at}`));

/** A gate that passes `pieces` pieces, then blocks until `open()`. */
function gateAfter(pieces: number): { gate: () => Promise<void>; open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { gate: () => (pieces-- > 0 ? Promise.resolve() : opened), open };
}

const REPLY_PIECES = 4;

test("a cancelled batch keeps what ran; what runs is broken off and costs nothing", async () => {
  const { gate, open } = gateAfter(3 * REPLY_PIECES + 1);
  const tab = await new BatchWorld().openTab({ behaviour: { gate } });
  const { id } = await submit(tab, tenLines);
  while (tab.engine.requests.length < 4) await turn();
  const cancelling = await tab.openai.batches.cancel(id);
  expect(cancelling).toMatchObject({ status: "cancelling", cancelling_at: cancelling.created_at });
  expect((await tab.openai.batches.cancel(id)).id).toBe(id);
  open();
  const done = await until(tab, id, "cancelled");
  expect(done).toMatchObject({
    cancelled_at: done.created_at,
    completed_at: null,
    request_counts: { total: 10, completed: 3, failed: 7 },
  });
  const outputs = await resultsOf(tab, done.output_file_id);
  expect(outputs.map((line) => line.custom_id)).toEqual(["line 0", "line 1", "line 2"]);
  const errors = await resultsOf(tab, done.error_file_id);
  expect(errors.map((line) => [line.custom_id, line.response, line.error.code])).toEqual(
    [3, 4, 5, 6, 7, 8, 9].map((at) => [`line ${at}`, null, "batch_cancelled"]),
  );
  expect(await recordedBy(tab)).toEqual([1, 2, 3].map((line) => `${id}:${line}`));
  expect(tab.engine.requests).toHaveLength(4);
  expect((await tab.openai.batches.cancel(id)).status).toBe("cancelled");
});

test("a batch that is over cannot be cancelled: the SDK's ConflictError, without a retry", async () => {
  const tab = await new BatchWorld().openTab();
  const { id } = await submit(tab, [chatLine("a")]);
  await until(tab, id, "completed");
  const error = await tab.openai.batches.cancel(id).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(OpenAI.ConflictError);
  expect(error).toMatchObject({ status: 409, code: "batch_not_cancellable", type: "invalid_request_error" });
  expect(error.message).toBe("409 Cannot cancel a batch with status 'completed'.");
  expect(error.headers.get("x-should-retry")).toBe("false");
});

test("a batch that is cancelled before it was validated has no files", async () => {
  const world = new BatchWorld();
  const busy = world.locks.agent();
  void busy.exclusive(`infetch:batch-runner:${world.name}`, () => new Promise(() => {})).catch(() => {});
  const tab = await world.openTab();
  const { id } = await submit(tab, tenLines);
  await tab.openai.batches.cancel(id);
  busy.die();
  const done = await until(tab, id, "cancelled");
  expect(done).toMatchObject({ output_file_id: null, error_file_id: null, in_progress_at: null });
  expect(done.request_counts).toEqual({ total: 0, completed: 0, failed: 0 });
});

test("after a day the lines that have not run have expired", async () => {
  const world = new BatchWorld();
  const tab = await world.openTab({
    behaviour: {
      reply: (prompt) => {
        if (prompt.includes("line 2")) world.clock.advance(24 * 3_600_000);
        return ["ok"];
      },
    },
  });
  const { id } = await submit(tab, tenLines);
  const done = await until(tab, id, "expired");
  expect(done.expired_at).toBe(done.expires_at);
  expect(done.request_counts).toEqual({ total: 10, completed: 3, failed: 7 });
  const errors = await resultsOf(tab, done.error_file_id);
  expect(errors[0]).toMatchObject({ custom_id: "line 3", response: null, error: { code: "batch_expired" } });
  expect(await resultsOf(tab, done.output_file_id)).toHaveLength(3);
});

test("another tab goes on where one died: no line has two results, and each is recorded once", async () => {
  const world = new BatchWorld();
  const first = await world.openTab({ behaviour: gateAfter(3 * REPLY_PIECES + 2) });
  const { id } = await submit(first, tenLines);
  while (first.engine.requests.length < 4) await turn();
  const second = await world.openTab();
  await turn();
  expect(second.engine.requests).toHaveLength(0);
  first.die();
  const done = await until(second, id, "completed");
  const outputs = await resultsOf(second, done.output_file_id);
  expect(outputs.map((line) => line.custom_id)).toEqual(tenLines.map((line) => JSON.parse(line).custom_id));
  expect(second.engine.requests).toHaveLength(7);
  expect(await recordedBy(second)).toEqual(tenLines.map((_, at) => `${id}:${at + 1}`));
  expect(second.events.at(-1)).toMatchObject({ id, status: "completed", completed: 10 });
});

test("a result that was stored when its tab died is recorded by the next, and not run again", async () => {
  const world = new BatchWorld();
  let recordings = 0;
  const first = await world.openTab({
    record: (record) => (events) => (++recordings > 2 ? new Promise<void>(() => {}) : record(events)),
  });
  const { id } = await submit(first, tenLines);
  while (recordings < 3) await turn();
  expect(await recordedBy(first)).toHaveLength(2);
  first.die();
  const second = await world.openTab();
  const done = await until(second, id, "completed");
  expect(second.engine.requests).toHaveLength(7);
  expect(await resultsOf(second, done.output_file_id)).toHaveLength(10);
  expect(await recordedBy(second)).toEqual(tenLines.map((_, at) => `${id}:${at + 1}`));
});

test("a ledger that cannot be written holds no batch up, and gets everything later", async () => {
  const world = new BatchWorld();
  let isBroken = true;
  const tab = await world.openTab({
    record: (record) => (events) => (isBroken ? Promise.reject(new Error("no ledger")) : record(events)),
  });
  const { id } = await submit(tab, tenLines);
  await until(tab, id, "completed");
  expect(await recordedBy(tab)).toEqual([]);
  isBroken = false;
  tab.wake();
  await expect.poll(() => recordedBy(tab)).toHaveLength(10);
  await expect.poll(() => world.rows()).toMatchObject({ results: 0 });
});

test("a cancel in a tab that runs nothing reaches the one that does", async () => {
  const world = new BatchWorld();
  const runs = await world.openTab({ behaviour: { gate: () => turn() } });
  const asks = await world.openTab();
  const { id } = await submit(
    asks,
    Array.from({ length: 300 }, (_, at) => chatLine(`line ${at}`)),
  );
  while (runs.engine.requests.length < 3) await turn();
  await asks.openai.batches.cancel(id);
  const done = await until(asks, id, "cancelled");
  expect(done.request_counts!.completed).toBeLessThan(300);
  expect(asks.engine.requests).toEqual([]);
});

test("an interactive request overtakes every line that waits, and a full queue refuses no line", async () => {
  const { gate, open } = gateAfter(1);
  const tab = await new BatchWorld().openTab({ behaviour: { gate }, maxQueued: 1 });
  const batches = [];
  for (const name of ["a", "b", "c"])
    batches.push(await submit(tab, [chatLine(`${name} 1`), chatLine(`${name} 2`)]));
  await Promise.all(batches.map(({ id }) => until(tab, id, "in_progress")));
  while (tab.engine.requests.length < 1) await turn();
  const counts = vi.spyOn(tab.engine, "countTokens");
  const interactive = tab.openai.chat.completions.create({
    model: "infetch-tiny",
    messages: [{ role: "user", content: "Say urgent" }],
  });
  // Tokens are counted immediately before the request is queued.
  while (!counts.mock.calls.some(([prompt]) => String(prompt).includes("urgent"))) await turn();
  await turn();
  open();
  await interactive;
  for (const { id } of batches) {
    const done = await until(tab, id, "completed");
    expect(done.request_counts).toEqual({ total: 2, completed: 2, failed: 0 });
  }
  const asked = tab.engine.requests.map(({ prompt }) => /Say (\w+)/.exec(String(prompt))?.[1]);
  expect(asked[1]).toBe("urgent");
});

test("two batches run side by side", async () => {
  const { gate, open } = gateAfter(0);
  const tab = await new BatchWorld().openTab({ behaviour: { gate } });
  const slow = await submit(tab, tenLines);
  const { id } = await submit(tab, [embeddingLine("a")], EMBEDDINGS);
  await until(tab, id, "completed");
  expect((await tab.openai.batches.retrieve(slow.id)).status).toBe("in_progress");
  open();
  await until(tab, slow.id, "completed");
});

test("a batch whose model cannot be downloaded waits for a network, says why, and goes on later", async () => {
  let isOffline = true;
  const tab = await new BatchWorld().openTab({
    load: async () => {
      if (isOffline) throw new EngineError("model_download_failed", "No network.");
    },
    isOnline: () => !isOffline,
  });
  const { id } = await submit(tab, tenLines);
  const stalled = { type: "batch", id, status: "in_progress", code: "model_download_failed" };
  await expect.poll(() => tab.events.at(-1)).toMatchObject(stalled);
  isOffline = false;
  tab.wake();
  const done = await until(tab, id, "completed");
  expect(done.request_counts).toEqual({ total: 10, completed: 10, failed: 0 });
});

test("a batch for whose results there is no room waits, and goes on once a file was deleted", async () => {
  const world = new BatchWorld();
  const tab = await world.openTab();
  const unneeded = await upload(tab, tenLines);
  const put = IDBObjectStore.prototype.put;
  const full = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (
    this: IDBObjectStore,
    ...row
  ) {
    if (this.name === "results") throw new DOMException("full", "QuotaExceededError");
    return put.apply(this, row);
  });
  const { id } = await submit(tab, tenLines);
  const stalled = { type: "batch", id, status: "in_progress", completed: 0, code: "storage_quota_exceeded" };
  await expect.poll(() => tab.events.at(-1)).toMatchObject(stalled);
  expect(await recordedBy(tab)).toEqual([]);
  full.mockRestore();
  await tab.openai.files.delete(unneeded.id);
  await until(tab, id, "completed");
  expect(await recordedBy(tab)).toHaveLength(10);
});

test("a model that is not on the hub is the error of its lines, and no batch waits for it", async () => {
  const tab = await new BatchWorld().openTab({
    load: () => Promise.reject(new EngineError("model_download_failed", "The server answered 404.")),
  });
  const { id } = await submit(tab, [chatLine("a"), chatLine("b")]);
  const done = await until(tab, id, "completed");
  const errors = await resultsOf(tab, done.error_file_id);
  const answers = errors.map(({ response }) => [response.status_code, response.body.error.code]);
  expect(answers).toEqual(Array(2).fill([502, "model_download_failed"]));
});
