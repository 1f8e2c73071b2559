import { expect, test } from "vitest";
import { kindOf } from "../../../worker/http/validate.ts";

test.each([
  [null, "null"],
  [[], "an array"],
  [{}, "an object"],
  [5, "an integer"],
  [1.5, "a decimal"],
  [JSON.parse("-1e999"), "a number that is too large"],
  ["x", "a string"],
])("errors call %j %s", (value, name) => {
  expect(kindOf(value)).toBe(name);
});
