/** A batch that cannot go on is not stalled if the cause ended while its lines still ran. */

import { expect, test, vi } from "vitest";
import { BatchWorld, turn, until } from "../../support/batches/batch-world.ts";
import { chatLine, submit, upload } from "../../support/batches/lines.ts";

const lines = ["a", "b", "c"].map((name) => chatLine(name));
const REPLY_PIECES = 4;

test("room that is made while a line still runs is not missed", async () => {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let pieces = REPLY_PIECES;
  const gate = () => (pieces-- > 0 ? Promise.resolve() : opened);
  const tab = await new BatchWorld().openTab({ behaviour: { gate } });
  const unneeded = await upload(tab, lines);
  const put = IDBObjectStore.prototype.put;
  let refused = 0;
  const full = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (
    this: IDBObjectStore,
    ...row
  ) {
    if (this.name !== "results") return put.apply(this, row);
    refused++;
    throw new DOMException("full", "QuotaExceededError");
  });
  const { id } = await submit(tab, lines);
  while (refused === 0 || tab.engine.requests.length < 2) await turn();
  full.mockRestore();
  await tab.openai.files.delete(unneeded.id);
  open();
  const { request_counts } = await until(tab, id, "completed");
  expect(request_counts).toEqual({ total: 3, completed: 3, failed: 0 });
});
