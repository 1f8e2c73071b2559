import { expect, test } from "vitest";
import type { ChatEngine, EngineStep, GenerateRequest } from "../../../../worker/engines/api/types.ts";
import { generateWithAbortPolicy } from "../../../../worker/engines/scheduling/generate-with-abort-policy.ts";

const CLOCK = { monotonic: () => 0 } as Parameters<typeof generateWithAbortPolicy>[4];
const PACE = { reloadMs: 1_000, prefillTokensPerSecond: 10 };
const USAGE = { promptTokens: 4000, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0 };

/** Aborts within a prompt of 400 seconds. @returns why the engine was replaced, if it was */
async function abortInPrompt(abortsBetweenChunks: boolean): Promise<string | undefined> {
  let replaced: string | undefined;
  const abort = new AbortController();
  const engine = {
    facts: { abortsBetweenChunks },
    dispose: (reason: string) => {
      replaced = reason;
    },
    async *generate(_: GenerateRequest, signal: AbortSignal): AsyncGenerator<EngineStep, void> {
      abort.abort();
      expect(signal.aborted).toBe(true);
      yield { type: "finish", reason: "abort", usage: USAGE };
    },
  } as unknown as ChatEngine;
  const request = {} as GenerateRequest;
  for await (const _ of generateWithAbortPolicy(engine, request, 4000, PACE, CLOCK, abort.signal));
  return replaced;
}

test("an engine that cannot abort within a prompt is replaced, one that can is not", async () => {
  expect(await abortInPrompt(false)).toBe("it was replaced to abort a long prefill");
  expect(await abortInPrompt(true)).toBeUndefined();
});
