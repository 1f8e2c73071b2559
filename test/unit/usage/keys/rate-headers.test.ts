import { expect, test } from "vitest";
import { formatDuration } from "../../../../worker/http/limits/duration.ts";
import { mayUseEndpoint, mayUseModel } from "../../../../worker/usage/keys/scopes.ts";

test.each([
  [0, "0s"],
  [1, "1ms"],
  [120, "120ms"],
  [1_000, "1s"],
  [8_640, "8.64s"],
  [59_999, "59.999s"],
  [60_000, "1m0s"],
  [360_000, "6m0s"],
  [3_600_000, "1h0m0s"],
  [43_205_500, "12h0m5.5s"],
])("%d ms is written as OpenAI does: %s", (durationMs, text) => {
  expect(formatDuration(durationMs)).toBe(text);
});

test("scopes: absent is all, empty is none, a star and a path mean what begins so", () => {
  expect(mayUseModel({}, "a")).toBe(true);
  expect(mayUseModel({ models: [] }, "a")).toBe(false);
  expect(mayUseModel({ models: ["a*", "c"] }, "ab")).toBe(true);
  expect(mayUseModel({ models: ["a", "c"] }, "ab")).toBe(false);
  expect(mayUseModel({ models: ["*"] }, "ab")).toBe(true);
  expect(mayUseEndpoint({}, "/v1/models")).toBe(true);
  expect(mayUseEndpoint({ endpoints: [] }, "/v1/models")).toBe(false);
  expect(mayUseEndpoint({ endpoints: ["/v1"] }, "/v1/models")).toBe(true);
  expect(mayUseEndpoint({ endpoints: ["/v1/models"] }, "/v1/models/a")).toBe(true);
  expect(mayUseEndpoint({ endpoints: ["/v1/model"] }, "/v1/models")).toBe(false);
});
