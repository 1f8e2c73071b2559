/** What a request with several prompts and choices has used. */

import { expect, test } from "vitest";
import { Totals } from "../../../worker/generation/choices/totals.ts";

const usage = (promptTokens: number, cachedTokens: number, completionTokens: number) => ({
  promptTokens,
  cachedTokens,
  completionTokens,
  reasoningTokens: 0,
});

test("a prompt's cached tokens are those that the reply that fed it found, whichever was that", () => {
  const totals = new Totals(2);
  totals.note(0, usage(10, 4, 1));
  totals.note(1, usage(10, 9, 1));
  // Of the second prompt, the second reply began first, and fed the prompt.
  totals.note(3, usage(80, 0, 1));
  totals.note(2, usage(80, 79, 1));
  expect(totals.note(2, usage(80, 79, 2))).toEqual({
    inputTokens: 90,
    cachedTokens: 4,
    outputTokens: 5,
    reasoningTokens: 0,
  });
});

test("a choice that ended before it began found nothing, which says nothing of the prompt", () => {
  const totals = new Totals(2);
  totals.note(0, usage(10, 9, 3));
  expect(totals.note(1, usage(10, 0, 0)).cachedTokens).toBe(9);
});
