import { expect, test } from "vitest";
import { decideAbort } from "../../../../worker/engines/scheduling/abort-policy.ts";

const situation = {
  prefillTokens: 4000,
  encodesImages: false,
  elapsedMs: 1_000,
  prefillTokensPerSecond: 100,
  reloadMs: 3_000,
};

test("a prefill whose rest takes longer than a reload is not waited for", () => {
  expect(decideAbort(situation)).toEqual({ type: "replace" });
});

test("a prefill that is nearly done is waited for, with a limit", () => {
  expect(decideAbort({ ...situation, elapsedMs: 38_000 })).toEqual({ type: "wait", stuckAfterMs: 8_000 });
  expect(decideAbort({ ...situation, elapsedMs: 90_000 })).toEqual({ type: "wait", stuckAfterMs: 6_000 });
});

test("decoding stops within a step: the engine is replaced only when it is stuck", () => {
  expect(decideAbort({ ...situation, prefillTokens: 0 })).toEqual({ type: "wait", stuckAfterMs: 6_000 });
});

test("images are waited for, however slow the prompt would be", () => {
  const encoding = { ...situation, encodesImages: true };
  expect(decideAbort(encoding)).toEqual({ type: "wait", stuckAfterMs: 60_000 });
  expect(decideAbort({ ...encoding, reloadMs: 40_000 })).toEqual({ type: "wait", stuckAfterMs: 80_000 });
});

test("without a measured pace nothing is thrown away", () => {
  expect(decideAbort({ ...situation, prefillTokensPerSecond: undefined }).type).toBe("wait");
});
