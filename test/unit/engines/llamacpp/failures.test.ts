import { expect, test } from "vitest";
import { toFailure } from "../../../../worker/engines/llamacpp/failures.ts";

test.each([
  ["Array buffer allocation failed", "out_of_memory"],
  ["std::bad_alloc", "out_of_memory"],
  ["OOM while the context was made", "out_of_memory"],
  ["unknown architecture 'bloom'", "engine_failed"],
  ["no room for the prompt", "engine_failed"],
])("%s: %s", (message, code) => {
  expect(toFailure(new Error(message), "engine_failed")).toEqual({ code, message: `llama.cpp: ${message}` });
});
