import { expect, test } from "vitest";
import { PageEnds } from "../../../worker/batch/page-ends.ts";

test("the ends of a thousand pages are kept, each for its account", () => {
  const ends = new PageEnds();
  for (let at = 0; at < 1_001; at++) ends.note({ account: "mine", id: `file-${at}`, created_ms: at });
  expect(ends.createdMsOf("mine", "file-0")).toBeUndefined();
  expect(ends.createdMsOf("mine", "file-1")).toBe(1);
  expect(ends.createdMsOf("mine", "file-1000")).toBe(1000);
  expect(ends.createdMsOf("theirs", "file-1000")).toBeUndefined();
});
