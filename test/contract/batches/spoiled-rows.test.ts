/** Corrupted rows of the files database: none of them keeps the others from being read, run or deleted. */

import { openDB } from "idb";
import { toFile } from "openai";
import { expect, test } from "vitest";
import { unwrap } from "../../ledger/support/world.ts";
import { BatchWorld, stuckAt, turn, until } from "../../support/batches/batch-world.ts";
import { CHAT, chatLine, resultsOf, submit, upload } from "../../support/batches/lines.ts";

/** Changes a row of the files database; a row without a key is new. */
async function put(world: BatchWorld, store: string, row: object, like?: IDBValidKey): Promise<void> {
  const database = await openDB(`${world.name}-files`);
  const before = like === undefined ? {} : await database.get(store, like);
  await database.put(store, { ...before, ...row });
  database.close();
}

test.each([
  ["running lines", { running: 5 }],
  ["deaths", { deaths: 5, running: [1] }],
  ["holder", { holder: null }],
  ["input", { input_file_id: {} }],
  ["end", { expires_ms: "soon" }],
  ["state", { status: "lost" }],
  ["errors", { errors: null }],
])("a batch with a spoiled row (%s) is passed over, and the others run", async (_, spoiled) => {
  const world = new BatchWorld();
  const first = await world.openTab({ behaviour: { gate: () => new Promise(() => {}) } });
  const bad = await submit(first, [chatLine("bad")]);
  await until(first, bad.id, "in_progress");
  first.die();
  await put(world, "batches", { ...spoiled, created_ms: 1, open_ms: 1 }, bad.id);
  const tab = await world.openTab();
  const good = await submit(tab, [chatLine("good")]);
  const done = await until(tab, good.id, "completed");
  expect(await resultsOf(tab, done.output_file_id)).toHaveLength(1);
  expect((await tab.openai.batches.list()).data.map(({ id }) => id)).toEqual([good.id]);
  expect((await tab.call(`/v1/batches/${bad.id}`)).status).toBe(404);
  expect((await tab.call(`/v1/batches?after=${bad.id}`)).status).toBe(400);
});

test.each([
  ["size", { bytes: "many" }],
  ["end", { expires_ms: {} }],
  ["writer", { writer_id: 5 }],
  ["name", { filename: null }],
])("a file with a spoiled row (%s) is passed over, and expired files are deleted", async (_, spoiled) => {
  const world = new BatchWorld();
  const tab = await world.openTab();
  const bad = await upload(tab, [chatLine("bad")]);
  const good = await tab.openai.files.create({
    file: await toFile(Buffer.from(chatLine("good")), "good.jsonl"),
    purpose: "batch",
    expires_after: { anchor: "created_at", seconds: 3600 },
  });
  await put(world, "files", spoiled, bad.id);
  expect((await tab.openai.files.list()).data.map(({ id }) => id)).toEqual([good.id]);
  expect((await tab.call(`/v1/files/${bad.id}`)).status).toBe(404);
  expect((await tab.call(`/v1/files/${bad.id}/content`)).status).toBe(404);
  const batch = {
    input_file_id: bad.id,
    endpoint: "/v1/chat/completions",
    completion_window: "24h",
  } as const;
  await expect(tab.openai.batches.create(batch)).rejects.toMatchObject({ param: "input_file_id" });
  world.clock.advance(3_600_000);
  tab.wake();
  await expect.poll(() => world.rows()).toMatchObject({ files: 1 });
});

test.each([
  ["text", { text: undefined }],
  ["event", { event: { account: 5 } }],
  ["kind", { kind: "other" }],
])("a result with a spoiled row (%s) is left out, and the other lines are delivered", async (_, spoiled) => {
  const world = new BatchWorld();
  let isHeld = true;
  const first = await world.openTab({
    behaviour: {
      gate: ({ prompt }) =>
        isHeld && String(prompt).includes("three") ? new Promise(() => {}) : Promise.resolve(),
    },
  });
  const { id } = await submit(first, [chatLine("one"), chatLine("two"), chatLine("three")]);
  while ((await world.rows()).results !== 2) await first.openai.batches.retrieve(id);
  first.die();
  isHeld = false;
  await put(world, "results", spoiled, [id, 1]);
  const tab = await world.openTab();
  const done = await until(tab, id, "completed", "expired");
  const outputs = await resultsOf(tab, done.output_file_id);
  expect(outputs.map((line) => line.custom_id)).toEqual(["two", "three"]);
  const usage = await tab.ledger.rpc.usage();
  expect(usage.ok && usage.value.map((event) => event.transactionId)).toContain(`${id}:3`);
});

test("results in places of no line keep no usage from being recorded", async () => {
  const world = new BatchWorld();
  let isBroken = true;
  const tab = await world.openTab({
    record: (record) => (events) => (isBroken ? Promise.reject(new Error("no ledger")) : record(events)),
  });
  const first = await submit(tab, [chatLine("one")]);
  const second = await submit(tab, [chatLine("two")]);
  for (const { id } of [first, second]) {
    await until(tab, id, "completed");
    for (const line of ["first", [1], new Date(0)]) await put(world, "results", { line }, [id, 1]);
  }
  isBroken = false;
  tab.wake();
  await expect.poll(async () => unwrap(await tab.ledger.rpc.usage()).length).toBe(2);
});

test.each([
  ["its row is gone", (world: BatchWorld, file: string) => remove(world, "files", file)],
  ["a part of it is gone", (world: BatchWorld, file: string) => remove(world, "chunks", [file, 0])],
  ["a part of it is spoiled", (world: BatchWorld, file: string) => spoilPart(world, file)],
])("a batch that runs and loses its input (%s) fails, with the results that it has", async (_, lose) => {
  const { world, first, batch } = await untilSecondLine();
  first.die();
  await lose(world, batch.input_file_id);
  const tab = await world.openTab();
  const done = await until(tab, batch.id, "failed");
  expect(done.request_counts).toEqual({ total: 3, completed: 1, failed: 0 });
  expect(done.errors?.data).toMatchObject([{ code: "file_not_found", param: "input_file_id" }]);
  const outputs = await resultsOf(tab, done.output_file_id);
  expect(outputs.map((line) => line.custom_id)).toEqual(["one"]);
});

test("a batch whose input cannot be read while it is checked fails", async () => {
  const world = new BatchWorld();
  const tab = await world.openTab();
  const { id } = await upload(tab, [chatLine("one")]);
  await spoilPart(world, id);
  const made = await tab.openai.batches.create({
    input_file_id: id,
    endpoint: CHAT,
    completion_window: "24h",
  });
  const done = await until(tab, made.id, "failed");
  expect(done.errors?.data).toMatchObject([{ code: "file_not_found", param: "input_file_id" }]);
});

test("a batch that has lost its input can be cancelled", async () => {
  const { world, first, batch } = await untilSecondLine();
  await remove(world, "files", batch.input_file_id);
  await first.openai.batches.cancel(batch.id);
  const done = await until(first, batch.id, "cancelled");
  expect(await resultsOf(first, done.output_file_id)).toHaveLength(1);
});

/** A batch of three lines, the second of which runs until it is aborted. */
async function untilSecondLine() {
  const world = new BatchWorld();
  const gate = stuckAt("two");
  const first = await world.openTab({ behaviour: { gate } });
  const batch = await submit(first, [chatLine("one"), chatLine("two"), chatLine("three")]);
  while (first.events.at(-1)?.completed !== 1) await turn();
  return { world, first, batch };
}

async function remove(world: BatchWorld, store: string, key: IDBValidKey): Promise<void> {
  const database = await openDB(`${world.name}-files`);
  await database.delete(store, key);
  database.close();
}

async function spoilPart(world: BatchWorld, file: string): Promise<void> {
  const database = await openDB(`${world.name}-files`);
  await database.put("chunks", "no bytes", [file, 0]);
  database.close();
}
