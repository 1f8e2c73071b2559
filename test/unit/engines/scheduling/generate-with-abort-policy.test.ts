import { expect, test } from "vitest";
import type { ChatEngine, EngineStep, GenerateRequest } from "../../../../worker/engine-api/chat-engine.ts";
import { generateWithAbortPolicy } from "../../../../worker/engines/scheduling/generate-with-abort-policy.ts";

/** Each look at it is a second later. */
let seconds = 0;
const CLOCK = { monotonic: () => seconds++ * 1_000 };
const PACE = { reloadMs: 1_000, prefillTokensPerSecond: 10 };
const USAGE = { promptTokens: 4000, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0 };

/** Aborts within a prompt of 400 seconds. @returns why the engine was replaced, if it was */
async function abortInPrompt(
  abortsBetweenChunks: boolean,
  images: GenerateRequest["images"] = [],
  pace = { ...PACE },
  promptLogprobs?: number,
): Promise<string | undefined> {
  let replaced: string | undefined;
  const abort = new AbortController();
  const engine = {
    info: { abortsBetweenChunks },
    dispose: (reason: string) => {
      replaced = reason;
    },
    async *generate(_: GenerateRequest, signal: AbortSignal): AsyncGenerator<EngineStep, void> {
      abort.abort();
      expect(signal.aborted).toBe(true);
      yield { type: "finish", reason: "abort", usage: USAGE };
    },
  } as unknown as ChatEngine;
  const request = { images, promptLogprobs } as GenerateRequest;
  const context = { promptTokens: 4000, pace, clock: CLOCK };
  for await (const _ of generateWithAbortPolicy(engine, request, abort.signal, context));
  return replaced;
}

test("an engine that cannot abort within a prompt is replaced, one that can is not", async () => {
  expect(await abortInPrompt(false)).toBe("it was replaced to abort a long prefill");
  expect(await abortInPrompt(true)).toBeUndefined();
});

test("a prompt with images is waited for, and tells nothing about the pace of tokens", async () => {
  const image = { id: "0".repeat(64), bytes: new Uint8Array() };
  const pace = { ...PACE };
  expect(await abortInPrompt(false, [image], pace)).toBeUndefined();
  expect(pace).toEqual(PACE);
  await abortInPrompt(true, [], pace);
  expect(pace.prefillTokensPerSecond).toBeGreaterThan(PACE.prefillTokensPerSecond);
});

test("a prompt that is scored ends between two tokens, and tells nothing about the pace of a prefill", async () => {
  const pace = { ...PACE };
  expect(await abortInPrompt(false, [], pace, 0)).toBeUndefined();
  expect(pace).toEqual(PACE);
});
