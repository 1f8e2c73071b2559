/** An RWKV model in llama.cpp itself: its tokens are those of the tokenizer here, and its state is that of its own prompt. */

import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { writeGguf } from "../../../../models/gguf/gguf-file.ts";
import { completionRequest } from "../../../../worker/engines/llamacpp/completion-request.ts";
import type { CompletionStep, LlamaInstance } from "../../../../worker/engines/llamacpp/llama-instance.ts";
import { GgufTokenizer } from "../../../../worker/engines/llamacpp/tokenizer/gguf-tokenizer.ts";
import { parseMetadata } from "../../../../worker/model-store/gguf/metadata.ts";
import { tinyRwkv } from "../../../support/gguf/tiny-rwkv.ts";
import { neutralSampling } from "../../../support/neutral-sampling.ts";
import { loadLlamaInstance } from "../../../support/node-llamacpp.ts";
import { fc } from "../../../support/random.ts";

const CONTEXT = 256;
const { metadata, tensors } = tinyRwkv();
const file = writeGguf(metadata, tensors);
const tokenizer = new GgufTokenizer(parseMetadata(file).values);

let instance: LlamaInstance;
beforeAll(async () => {
  instance = await loadLlamaInstance([new Blob([new Uint8Array(file)])], { contextWindow: CONTEXT });
}, 60_000);
afterAll(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function complete(prompt: string): Promise<{ text: string; promptTokens: number }> {
  const sampling = { ...neutralSampling, temperature: 0, maxTokens: 4, ignoreEos: true };
  const request = { prompt, cacheScope: "any", sampling, randomState: 1n, reader: { stop: [] } };
  const steps: CompletionStep[] = [];
  const completion = completionRequest(prompt, request, { contextWindow: CONTEXT }, { mayReuse: true });
  await instance.complete(completion, [], (step) => steps.push(step), new AbortController().signal);
  return { text: steps.map(({ text }) => text).join(""), promptTokens: steps.at(-1)!.promptTokens };
}

test("a prompt has as many tokens as llama.cpp counts", async () => {
  const words = fc.constantFrom("User", " ", "\n", "\t", "hello", "<s>", "é", "€", "\\n", "'", "\u{1F600}");
  const text = fc.array(fc.oneof(words, fc.string()), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(text, async (parts) => {
      const prompt = parts.join("").replaceAll("\0", "");
      fc.pre(prompt !== "");
      expect((await complete(prompt)).promptTokens).toBe(tokenizer.encode(prompt).length);
    }),
    { numRuns: 20 },
  );
});

test("a prompt has the same reply after others that begin like it", async () => {
  const first = await complete("System: hello\n\nUser: hello\n\nAssistant:");
  await complete("System: hello\n\nUser: good");
  expect(await complete("System: hello\n\nUser: hello\n\nAssistant:")).toEqual(first);
});
