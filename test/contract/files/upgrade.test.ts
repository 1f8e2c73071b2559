/** Databases of earlier builds: what is stored in them stays, and is served. */

import "fake-indexeddb/auto";
import { openDB } from "idb";
import { expect, test } from "vitest";
import { filesName } from "../../../worker/batch/files/files-name.ts";
import { BatchWorld, until } from "../../support/batches/batch-world.ts";
import { CHAT, chatLine } from "../../support/batches/lines.ts";

test("files and batches of the first version of their database are kept, and an open batch runs", async () => {
  const world = new BatchWorld();
  const created_ms = world.clock.now() - 3_600_000;
  const first = await openDB(filesName(world.name), 1, {
    upgrade(database) {
      const files = database.createObjectStore("files", { keyPath: "id" });
      files.createIndex("by_account", ["account", "created_ms", "id"]);
      files.createIndex("by_writer", "writer_id");
      database.createObjectStore("chunks");
      const batches = database.createObjectStore("batches", { keyPath: "id" });
      batches.createIndex("by_account", ["account", "created_ms", "id"]);
      batches.createIndex("by_open", "open_ms");
      database.createObjectStore("results", { keyPath: ["batch_id", "line"] });
    },
  });
  const bytes = new TextEncoder().encode(chatLine("one"));
  const ofAccount = { account: "default", created_ms };
  await first.put("chunks", bytes, ["file-a", 0]);
  await first.put("files", {
    ...ofAccount,
    id: "file-a",
    purpose: "batch",
    filename: "lines.jsonl",
    bytes: bytes.length,
    chunks: 1,
    expires_ms: null,
  });
  await first.put("batches", {
    ...ofAccount,
    id: "batch_a",
    endpoint: CHAT,
    input_file_id: "file-a",
    metadata: null,
    holder: { accessKey: "key", account: "default" },
    output_life_s: null,
    status: "validating",
    errors: [],
    model: null,
    total: 0,
    completed: 0,
    failed: 0,
    input_tokens: 0,
    cached_tokens: 0,
    output_tokens: 0,
    reasoning_tokens: 0,
    expires_ms: created_ms + 86_400_000,
    times: {},
    output_file_id: null,
    error_file_id: null,
    open_ms: created_ms,
  });
  first.close();
  const tab = await world.openTab();
  expect(await tab.openai.files.retrieve("file-a")).toMatchObject({ bytes: bytes.length });
  expect(await (await tab.openai.files.content("file-a")).text()).toBe(chatLine("one"));
  const batch = await until(tab, "batch_a", "completed");
  expect(batch.request_counts).toEqual({ total: 1, completed: 1, failed: 0 });
  const { data } = await tab.openai.files.list();
  expect(data.map(({ id }) => id)).toEqual([batch.output_file_id, "file-a"]);
  expect(await tab.openai.files.delete("file-a")).toMatchObject({ deleted: true });
});
