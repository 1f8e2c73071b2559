/** A file of the package does not load: a batch keeps the lines that need it. */

import { expect, test } from "vitest";
import { EngineError } from "../../../worker/engine-api/engine-error.ts";
import { PartError } from "../../../worker/lazy/part.ts";
import { BatchWorld, until } from "../../support/batches/batch-world.ts";
import { chatLine, submit } from "../../support/batches/lines.ts";

const lines = ["a", "b", "c"].map((name) => chatLine(name));

test.each([
  ["part_unavailable", () => new PartError("It did not load.", undefined)],
  ["assets_not_found", () => new EngineError("assets_not_found", "It did not load.")],
  ["assets_of_another_version", () => new EngineError("assets_of_another_version", "It is older.")],
])("lines that end with %s wait for the file, and run once it loads", async (code, fault) => {
  let isMissing = true;
  const tab = await new BatchWorld().openTab({
    load: async () => {
      if (isMissing) throw fault();
    },
  });
  const { id } = await submit(tab, lines);
  await expect.poll(() => tab.events.at(-1)).toMatchObject({ id, status: "in_progress", code });
  isMissing = false;
  tab.wake();
  const { request_counts } = await until(tab, id, "completed");
  expect(request_counts).toEqual({ total: 3, completed: 3, failed: 0 });
});
