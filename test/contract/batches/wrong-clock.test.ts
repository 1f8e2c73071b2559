/** A clock that is wrong for a while deletes no file and expires no batch. */

import { expect, test } from "vitest";
import { BatchWorld, turn, until } from "../../support/batches/batch-world.ts";
import { CHAT, chatLine, resultsOf, submit, upload } from "../../support/batches/lines.ts";

const DAY_MS = 24 * 3_600_000;

/** Enough for a wake to delete whatever it wants to. */
async function pass(): Promise<void> {
  for (let turns = 0; turns < 300; turns++) await turn();
}

test("files are hidden while the clock says that they have expired, and deleted once it is trusted", async () => {
  const world = new BatchWorld();
  const tab = await world.openTab();
  const { id: input_file_id } = await upload(tab, [chatLine("one")]);
  const { id } = await tab.openai.batches.create({
    input_file_id,
    endpoint: CHAT,
    completion_window: "24h",
    output_expires_after: { anchor: "created_at", seconds: (30 * DAY_MS) / 1000 },
  });
  const { output_file_id } = await until(tab, id, "completed");
  await pass();
  const before = await world.rows();
  const visitor = await world.openTab();
  const rightMs = world.clock.now();
  world.clock.set("2036-03-10T12:00:00Z");
  expect((await tab.call(`/v1/files/${output_file_id}`)).status).toBe(404);
  for (const one of [tab, visitor]) one.wake();
  await pass();
  expect(await world.rows()).toMatchObject({ files: before.files!, chunks: before.chunks! });
  world.clock.set(rightMs).advance(6 * 60_000);
  expect(await resultsOf(tab, output_file_id)).toHaveLength(1);
  tab.wake();
  await pass();
  world.clock.advance(31 * DAY_MS);
  tab.wake();
  await pass();
  // A new month on the clock: its first ten minutes.
  expect(await world.rows()).toMatchObject({ files: before.files! });
  world.clock.advance(11 * 60_000);
  tab.wake();
  await expect.poll(() => world.rows()).toMatchObject({ files: 0, chunks: 0 });
});

test("a trusted clock counts over visits", async () => {
  const world = new BatchWorld();
  const first = await world.openTab();
  await upload(first, [chatLine("one")]);
  const wakeAfter = async (tab: typeof first, minutes: number) => {
    world.clock.advance(minutes * 60_000);
    tab.wake();
    await pass();
  };
  await wakeAfter(first, 6);
  first.die();
  world.clock.set("2026-04-20T12:00:00Z");
  const second = await world.openTab();
  await pass();
  await wakeAfter(second, 6);
  expect(await world.rows()).toMatchObject({ files: 1 });
  second.die();
  const third = await world.openTab();
  await pass();
  expect(await world.rows()).toMatchObject({ files: 1 });
  await wakeAfter(third, 6);
  expect(await world.rows()).toMatchObject({ files: 0 });
});

test("a batch goes on while a wrong clock says that its day is over", async () => {
  const world = new BatchWorld();
  const rightMs = world.clock.now();
  const tab = await world.openTab({
    behaviour: {
      reply: (prompt) => {
        if (prompt.includes("line 2")) world.clock.set("2036-03-10T12:00:00Z");
        if (prompt.includes("line 4")) world.clock.set(rightMs);
        return ["ok"];
      },
    },
  });
  const lines = Array.from({ length: 6 }, (_, at) => chatLine(`line ${at}`));
  const { id } = await submit(tab, lines);
  const done = await until(tab, id, "completed", "expired");
  expect(done.request_counts).toEqual({ total: 6, completed: 6, failed: 0 });
});
