import { expect, test } from "vitest";
import * as z from "zod/mini";
import { samplingSchema } from "../../../worker/endpoints/params/sampling.ts";
import { validate } from "../../../worker/http/validation/validate.ts";
import { wrongType } from "../../../worker/http/validation/values-in-errors.ts";

test.each([
  [null, "null"],
  [[], "an array"],
  [{}, "an object"],
  [5, "an integer"],
  [1.5, "a decimal"],
  [JSON.parse("-1e999"), "a number that is too large"],
  ["x", "a string"],
])("errors call %j %s", (value, name) => {
  const { message } = wrongType("stream", "a boolean", value);
  expect(message).toBe(`Invalid type for 'stream': expected a boolean, but got ${name} instead.`);
});

test("a key that is not permitted is named, beside what is expected", async () => {
  const body = { logit_bias: { 5: 1, "<|end|>": -100 } };
  await expect(validate(z.object(samplingSchema), body)).rejects.toThrow(
    "Invalid key in 'logit_bias': '<|end|>'. Expected a non-negative integer.",
  );
});
