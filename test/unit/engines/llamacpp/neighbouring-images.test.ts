/** llama.cpp itself with images that have no text between or after them. */

import { expect, test } from "vitest";
import { imagePlaceholder, type PromptImage } from "../../../../worker/engine-api/prompt-image.ts";
import { completionRequest } from "../../../../worker/engines/llamacpp/completion-request.ts";
import type { CompletionStep } from "../../../../worker/engines/llamacpp/llama-instance.ts";
import { mediaPrompt } from "../../../../worker/engines/llamacpp/media-prompt.ts";
import { PromptCacheTracker } from "../../../../worker/engines/llamacpp/prompt-cache-tracker.ts";
import { writeBmp } from "../../../../worker/generation/images/bmp.ts";
import { neutralSampling } from "../../../support/neutral-sampling.ts";
import { useLlamaInstance } from "../../../support/node-llamacpp.ts";

const CONTEXT = 512;
const SIDE = 32;

const instance = useLlamaInstance(CONTEXT, "tiny-mmproj-f32.gguf");

/** In prompts below, these letters are images. */
const images: Record<string, PromptImage> = Object.fromEntries(
  ["A", "B", "C"].map((letter, at) => [
    letter,
    {
      id: `${at + 1}`.repeat(64),
      bytes: writeBmp(SIDE, SIDE, new Uint8Array(SIDE * SIDE * 4).fill(at * 100)),
    },
  ]),
);
const saved = new PromptCacheTracker({ bytesPerToken: 1, stateBytes: 0 });

/** How many tokens of the prompt were there. */
async function cachedOf(letters: string): Promise<number> {
  const tokens = [...letters].map((letter) =>
    images[letter] ? -letter.charCodeAt(0) : letter.charCodeAt(0),
  );
  const marked = [...letters]
    .map((letter) => (images[letter] ? imagePlaceholder(images[letter]) : letter))
    .join("");
  const { prompt, files } = mediaPrompt(marked, Object.values(images), instance().mediaMarker!);
  const sampling = { ...neutralSampling, temperature: 0, maxTokens: 2 };
  const request = { prompt, cacheScope: "any", sampling, randomState: 1n, reader: { stop: [] } };
  const mayReuse = saved.mayReuse("any", tokens);
  saved.begin("any", tokens);
  const steps: CompletionStep[] = [];
  const completion = completionRequest(prompt, request, { contextWindow: CONTEXT }, { mayReuse });
  await instance().complete(completion, files, (step) => steps.push(step), new AbortController().signal);
  const usage = steps.at(-1)!;
  saved.note(usage, "any", tokens);
  expect(usage.completionTokens).toBe(2);
  return usage.cachedTokens;
}

test("prompts that differ after the first of two images are answered, and ones that go on reuse them", async () => {
  expect(await cachedOf("ABx")).toBe(0);
  expect(await cachedOf("ABxy")).toBeGreaterThan(32);
  expect(await cachedOf("ACx")).toBe(0);
  expect(await cachedOf("ACxy")).toBeGreaterThan(32);
  expect(await cachedOf("Ax")).toBe(0);
  expect(await cachedOf("ACBx")).toBe(0);
});

test("prompts may end with an image", async () => {
  for (const prompt of ["xA", "xA", "xABC", "xAB"]) await cachedOf(prompt);
});
