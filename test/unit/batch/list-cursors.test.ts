import { expect, test } from "vitest";
import { ListCursors } from "../../../worker/batch/files/list-cursors.ts";

test("the cursors of a thousand pages are kept, each for its account", () => {
  const cursors = new ListCursors();
  for (let at = 0; at < 1_001; at++) cursors.note({ account: "mine", id: `file-${at}`, created_ms: at });
  expect(cursors.createdMsOf("mine", "file-0")).toBeUndefined();
  expect(cursors.createdMsOf("mine", "file-1")).toBe(1);
  expect(cursors.createdMsOf("mine", "file-1000")).toBe(1000);
  expect(cursors.createdMsOf("theirs", "file-1000")).toBeUndefined();
});
