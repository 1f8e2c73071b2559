/** A batch whose end is refused, because its result files are gone, keeps its results. */

import { openDB } from "idb";
import { afterEach, expect, test, vi } from "vitest";
import { BatchStore } from "../../../worker/batch/batch-store.ts";
import { BatchWorld, until } from "../../support/batches/batch-world.ts";
import { chatLine, resultsOf, submit } from "../../support/batches/lines.ts";

afterEach(() => vi.restoreAllMocks());

test("results outlive an end that was refused, and the next end writes them", async () => {
  const world = new BatchWorld();
  const tab = await world.openTab();
  const advance = BatchStore.prototype.advance;
  let isFirst = true;
  vi.spyOn(BatchStore.prototype, "advance").mockImplementation(async function (this: BatchStore, ...of) {
    const [, { to, files = [] }] = of;
    if (to === "completed" && isFirst) {
      isFirst = false;
      // As a later server does with the unfinished files of one that it presumes dead.
      const database = await openDB(`${world.name}-files`);
      for (const { id } of files) await database.delete("files", id);
      database.close();
    }
    return advance.apply(this, of);
  });
  const { id } = await submit(tab, [chatLine("one"), chatLine("two")]);
  const done = await until(tab, id, "completed");
  expect(isFirst).toBe(false);
  expect(done.request_counts).toEqual({ total: 2, completed: 2, failed: 0 });
  const outputs = await resultsOf(tab, done.output_file_id);
  expect(outputs.map((line) => line.custom_id)).toEqual(["one", "two"]);
  expect(tab.engine.requests).toHaveLength(2);
  await expect.poll(() => world.rows()).toMatchObject({ results: 0 });
});
