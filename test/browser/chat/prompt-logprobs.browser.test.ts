/** `echo` with `logprobs`: a text has the log probabilities in a prompt that it has as a reply. */

import type { Runtime } from "infetch";
import type OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startRuntime, usesChatAPI } from "../support/runtime.ts";

let runtime: Runtime;
let openai: OpenAI;

beforeAll(async () => {
  ({ runtime, openai } = await startRuntime());
});
afterAll(() => runtime.close());

const question =
  "<|im_start|>user\nWhat is the capital of Japan?<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n";

const complete = (body: Partial<OpenAI.CompletionCreateParamsNonStreaming>) =>
  openai.completions.create({ model: "infetch-tiny", prompt: question, temperature: 0, ...body });

/** Texts and log probabilities of tokens, rounded to what two kernels agree in. */
const rounded = (values: readonly (number | null)[]) => values.map((value) => Math.round((value ?? 0) * 100));

if (usesChatAPI) {
  test("an engine that cannot says so", async () => {
    const refused = complete({ logprobs: 1, echo: true });
    await expect(refused).rejects.toMatchObject({
      status: 400,
      code: "unsupported_parameter",
      param: "echo",
    });
  });
} else {
  test("a reply that is sent as the end of a prompt has the reply's tokens, log probabilities and offsets", async () => {
    const sent = await complete({ max_tokens: 8, logprobs: 2, echo: true });
    const { text, logprobs } = sent.choices[0]!;
    expect(text.startsWith(question)).toBe(true);
    // The same after the prompt is in the cache, and in a prompt that is fed in several chunks.
    const again = await complete({ prompt: text, max_tokens: 0, logprobs: 2, echo: true });
    const scored = again.choices[0]!.logprobs!;
    expect(again.choices[0]).toMatchObject({ text, finish_reason: "length" });
    expect(again.usage).toMatchObject({ completion_tokens: 0, prompt_tokens_details: { cached_tokens: 0 } });
    expect(scored.tokens).toEqual(logprobs!.tokens);
    expect(scored.tokens).toHaveLength(again.usage!.prompt_tokens);
    expect(scored.text_offset).toEqual(logprobs!.text_offset);
    expect(scored.tokens!.join("")).toBe(text);
    expect(scored.token_logprobs![0]).toBeNull();
    expect(scored.top_logprobs![0]).toBeNull();
    for (const [at, one] of rounded(scored.token_logprobs!).entries())
      expect(Math.abs(one - rounded(logprobs!.token_logprobs!)[at]!), `token ${at}`).toBeLessThanOrEqual(2);
    // Greedy: each token of the reply is the likeliest.
    const replyTokens = sent.usage!.completion_tokens;
    for (const [at, top] of scored.top_logprobs!.entries()) {
      if (at < scored.tokens!.length - replyTokens) continue;
      expect(scored.token_logprobs![at]).toBe(Math.max(...Object.values(top)));
    }
  });

  test("several replies to a prompt have its log probabilities, and the texts that they have without", async () => {
    const body = { n: 3, max_tokens: 12, temperature: 2, seed: 5, logprobs: 1 };
    const plain = await complete(body);
    const scored = await complete({ ...body, echo: true });
    const texts = plain.choices.map(({ text }) => question + text);
    expect(new Set(texts).size).toBeGreaterThan(1);
    expect(scored.choices.map(({ text }) => text)).toEqual(texts);
    const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = plain.usage!;
    expect(scored.usage).toMatchObject({
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      prompt_tokens_details: { cached_tokens: 0 },
    });
    const [first, ...others] = scored.choices.map(({ logprobs }) =>
      logprobs!.token_logprobs!.slice(0, promptTokens),
    );
    expect(first).toHaveLength(promptTokens);
    for (const one of others) expect(one).toEqual(first);
    const alone = await complete({ ...body, n: 1, echo: true });
    expect(alone.choices[0]!.logprobs!.tokens).toEqual(scored.choices[0]!.logprobs!.tokens);
  });

  test("prompts of tokens, several at once, streamed, and vLLM's prompt_logprobs", async () => {
    const body = { prompt: ["What is this?", "Hello!"], max_tokens: 1, logprobs: 1, echo: true };
    const both = await complete(body);
    // Also if the reply is its end token alone, so that clients can cut off the reply: lm-eval.
    const counts = both.choices.map(({ logprobs }) => logprobs!.tokens!.length);
    expect(counts[0]! + counts[1]!).toBe(both.usage!.total_tokens);
    expect(both.choices.map(({ logprobs }) => logprobs!.token_logprobs![0])).toEqual([null, null]);
    const stream = await openai.completions.create({
      model: "infetch-tiny",
      temperature: 0,
      ...body,
      stream: true,
    });
    const tokens: string[][] = [[], []];
    for await (const { choices } of stream)
      for (const { index, logprobs } of choices) tokens[index]!.push(...(logprobs?.tokens ?? []));
    expect(tokens).toEqual(both.choices.map(({ logprobs }) => logprobs!.tokens));
    const extra = { prompt_logprobs: 0 } as object;
    const asked = await complete({ prompt: "What is this?", max_tokens: 1, ...extra });
    const [choice] = asked.choices as (OpenAI.CompletionChoice & { prompt_logprobs?: (object | null)[] })[];
    const ids = choice!.prompt_logprobs!.slice(1).map((one) => Number(Object.keys(one!)[0]));
    const texts = choice!.prompt_logprobs!.slice(1).map((one) => Object.values(one!)[0].decoded_token);
    expect(texts).toEqual(both.choices[0]!.logprobs!.tokens!.slice(1, -1));
    const [first] = asked.choices;
    expect(first!.logprobs).toBeNull();
    const asTokens = await complete({ prompt: ids, max_tokens: 0, logprobs: 0, echo: true });
    expect(asTokens.choices[0]!.logprobs!.tokens).toEqual(texts);
  });
}
