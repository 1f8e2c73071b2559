/** Log probabilities of prompts in llama.cpp itself. */

import { expect, test } from "vitest";
import type { CompletionStep } from "../../../../worker/engines/llamacpp/llama-instance.ts";
import { scorePrompt } from "../../../../worker/engines/llamacpp/prompt-scores.ts";
import { GgufTokenizer } from "../../../../worker/engines/llamacpp/tokenizer/gguf-tokenizer.ts";
import { readMetadata } from "../../../../worker/model-store/gguf/metadata.ts";
import { ggufVariant } from "../../../support/gguf/variants.ts";
import { useLlamaInstance } from "../../../support/node-llamacpp.ts";

const instance = useLlamaInstance(512);
const NEVER = new AbortController().signal;

async function readTokenizer(): Promise<GgufTokenizer> {
  const { bytes } = (await ggufVariant("tiny-q8_0.gguf"))!;
  return new GgufTokenizer(await readMetadata(new Blob([new Uint8Array(bytes)])));
}

/** The distribution after a text, from the token that llama.cpp generates. */
async function after(prompt: string): Promise<Map<number, number>> {
  const steps: CompletionStep[] = [];
  const request = { prompt, stream: true, cache_prompt: false, n_predict: 1, n_probs: 2000, temperature: 0 };
  await instance().complete(request, [], (step) => steps.push(step), NEVER);
  const [reported] = steps.flatMap(({ logprobs }) => logprobs);
  return new Map(reported!.top_logprobs!.map(({ id, logprob }) => [id, logprob]));
}

test("each token has the log probability that the model gives it after those before it", async () => {
  const tokenizer = await readTokenizer();
  const tokens = tokenizer.encode("What is it<|im_end|>\nof France?");
  const scored = await scorePrompt(instance(), tokenizer, { tokens, top: 2 }, NEVER);
  expect(scored.map(({ id }) => id)).toEqual(tokens);
  expect(scored.map(({ token }) => token).join("")).toBe("What is it<|im_end|>\nof France?");
  expect(scored[0]?.score).toBeUndefined();
  for (const at of tokens.keys()) {
    if (at === 0) continue;
    const all = await after(tokenizer.decode(tokens.slice(0, at)));
    const { logprob, rank, top } = scored[at]!.score!;
    expect(logprob).toBeCloseTo(all.get(tokens[at]!)!, 3);
    const [best, second] = [...all.values()].sort((a, b) => b - a);
    expect(top.map((one) => one.logprob)).toEqual([expect.closeTo(best!, 3), expect.closeTo(second!, 3)]);
    expect(rank).toBe(logprob >= second! - 1e-4 ? (logprob >= best! - 1e-4 ? 1 : 2) : null);
  }
}, 60_000);

test("one token, and none of its alternatives", async () => {
  const tokenizer = await readTokenizer();
  const tokens = tokenizer.encode("What is");
  expect(
    await scorePrompt(instance(), tokenizer, { tokens: tokens.slice(0, 1), top: 2 }, NEVER),
  ).toHaveLength(1);
  const [, second] = await scorePrompt(instance(), tokenizer, { tokens, top: 0 }, NEVER);
  expect(second?.score?.top).toEqual([]);
});

test("a character of several tokens is refused, and the next prompt is not", async () => {
  const tokenizer = await readTokenizer();
  for (const text of ["I like 🦊 and", "🦊"]) {
    const tokens = tokenizer.encode(text);
    const scoring = scorePrompt(instance(), tokenizer, { tokens, top: 0 }, NEVER);
    await expect(scoring).rejects.toMatchObject({ code: "unsupported_parameter", param: "prompt" });
  }
  const tokens = tokenizer.encode("I like foxes");
  expect(await scorePrompt(instance(), tokenizer, { tokens, top: 0 }, NEVER)).toHaveLength(tokens.length);
});

test("an abort ends it", async () => {
  const tokenizer = await readTokenizer();
  const tokens = tokenizer.encode("one two three four five six seven");
  const scored = await scorePrompt(instance(), tokenizer, { tokens, top: 0 }, AbortSignal.abort());
  expect(scored).toHaveLength(1);
});
