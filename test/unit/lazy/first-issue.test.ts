import { expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { firstIssue } from "../../../worker/lazy/first-issue.ts";

const schema = z.object({ count: z.number().check(z.minimum(1)) });

test("the first issue has its path and a message in English", () => {
  const { path, message } = firstIssue(schema, { count: 0 })!;
  expect(path).toEqual(["count"]);
  expect(message).toBe("Too small: expected number to be >=1");
  expect(firstIssue(schema, { count: 1 })).toBeUndefined();
});

test("what other parts of the worker validate keeps its messages", async () => {
  const { localeError } = z.config();
  vi.resetModules();
  const part = await import("../../../worker/lazy/first-issue.ts");
  part.firstIssue(schema, {});
  expect(z.config().localeError).toBe(localeError);
});
