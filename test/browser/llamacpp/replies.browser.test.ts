/** Cases where llama.cpp needs extra handling to match the API. */

import type { Runtime } from "infetch";
import type OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { post, startRuntime } from "../support/runtime.ts";

let runtime: Runtime;
let openai: OpenAI;

beforeAll(async () => {
  ({ runtime, openai } = await startRuntime());
});
afterAll(() => runtime.close());

const messages = [{ role: "user" as const, content: "Hello!" }];
const model = "infetch-tiny";
/** Single-byte tokens, and their text: `\x80` starts no UTF-8 character, `\xde` alone is incomplete. */
const LONE_BYTES = [
  ["128", "\uFFFD"],
  ["222", ""],
] as const;

test("bytes that are no text are U+FFFD, with and without log probabilities", async () => {
  for (const [lone, text, logprobs] of LONE_BYTES.flatMap((lone) => [
    [...lone, false] as const,
    [...lone, true] as const,
  ])) {
    const reply = await openai.chat.completions.create({
      model,
      messages,
      logit_bias: { [lone]: 100 },
      max_tokens: 12,
      // Otherwise the reply may end earlier.
      ignore_eos: true,
      logprobs,
    } as OpenAI.ChatCompletionCreateParamsNonStreaming);
    expect(reply.choices[0]!.message.content).toBe(text.repeat(12));
    expect(reply.usage!.completion_tokens).toBe(12);
  }
});

test("a limit in the middle of a character ends the reply in front of it", async () => {
  for (const [lone, text] of LONE_BYTES) {
    const request = { model, prompt: "x", logit_bias: { [lone]: 100 }, max_tokens: 1 };
    const { choices, usage } = await openai.completions.create(request);
    expect(choices[0]!.text).toBe(text);
    expect([choices[0]!.finish_reason, usage!.completion_tokens]).toEqual(["length", 1]);
  }
});

test("log probabilities are those of the model: they name the greedy reply, best first, and sum to less than one", async () => {
  const reply = await openai.chat.completions.create({
    model,
    messages,
    temperature: 0,
    logprobs: true,
    top_logprobs: 5,
  });
  const entries = reply.choices[0]!.logprobs!.content!;
  expect(entries.map(({ token }) => token).join("")).toBe(reply.choices[0]!.message.content);
  for (const { token, logprob, top_logprobs: top } of entries) {
    expect(top[0]).toMatchObject({ token, logprob });
    expect(top).toHaveLength(5);
    expect(top.reduce((sum, one) => sum + Math.exp(one.logprob), 0)).toBeLessThan(1.0001);
  }
  const none = await openai.chat.completions.create({ model, messages, temperature: 0, logprobs: true });
  expect(none.choices[0]!.logprobs!.content!.every(({ top_logprobs: top }) => top.length === 0)).toBe(true);
});

test("a prompt of tokens is their text; tokens that no text is read as are a 400 that names the prompt", async () => {
  const complete = (prompt: string | number[]) =>
    post(runtime, "/completions", { model, prompt, temperature: 0, max_tokens: 8 });
  const text = await (await complete("Hello")).json();
  const scored = await openai.completions.create({ model, prompt: "Hello", max_tokens: 1, temperature: 0 });
  expect(scored.usage!.prompt_tokens).toBe(text.usage.prompt_tokens);
  const start = await complete([1525, 1525]);
  expect(start.status).toBe(200);
  expect((await start.json()).usage.prompt_tokens).toBe(2);
  const refused = await complete([222, 1525]);
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ error: { code: "invalid_request" } });
});

test("what is counted before a reply is what llama.cpp reads", async () => {
  for (const prompt of [
    "It's 'second', isn't it?",
    "  two  spaces 12 345\n\n\ttab",
    "naïve — “quoted” 東京 🙂",
    "<think>x</think><tool_call>{}</tool_call>",
    'OpenAI, JSON and {"a": [1, 2.5]}',
  ]) {
    const count = async (max_tokens: number) =>
      (await openai.completions.create({ model, prompt, max_tokens, temperature: 0 })).usage!.prompt_tokens;
    expect(await count(1), prompt).toBe(await count(0));
  }
});

test("a second conversation finds the first one's beginning in the cache, and usage says so", async () => {
  const system = "You are a helpful assistant. ".repeat(40);
  const ask = (content: string) =>
    openai.chat.completions.create({
      model,
      messages: [
        { role: "system", content: system },
        { role: "user", content },
      ],
      temperature: 0,
      max_tokens: 4,
    });
  const first = (await ask("Hello!")).usage!;
  const second = (await ask("Who are you?")).usage!;
  expect(first.prompt_tokens_details!.cached_tokens).toBeLessThan(20);
  expect(second.prompt_tokens_details!.cached_tokens).toBeGreaterThan(first.prompt_tokens * 0.9);
  expect(second.prompt_tokens_details!.cached_tokens).toBeLessThan(second.prompt_tokens);
});

test("an abort in a long prefill and one in the middle of a reply leave the engine free", async () => {
  const long = [{ role: "user" as const, content: "word ".repeat(1500) }];
  const unaborted = await openai.chat.completions.create({ model, messages: long, max_tokens: 1, n: 1 });
  expect(unaborted.usage!.prompt_tokens).toBeGreaterThan(1500);
  await runtime.models.unload(model);
  await runtime.models.load(model);
  const inPrefill = new AbortController();
  const doomed = openai.chat.completions.create(
    { model, messages: long, max_tokens: 1, stream: true },
    { signal: inPrefill.signal },
  );
  const settled = doomed.then(
    () => "answered",
    () => "aborted",
  );
  inPrefill.abort();
  expect(await settled).toBe("aborted");
  const stream = await openai.chat.completions.create({
    model,
    messages,
    max_tokens: 500,
    stream: true,
    temperature: 2,
  });
  for await (const _ of stream) {
    stream.controller.abort();
    break;
  }
  const next = await openai.chat.completions.create({ model, messages, temperature: 0 });
  expect(next.choices[0]!.message.content).toBe("Hello! How can I help you?");
});

test("a schema's counts may exceed llama.cpp's limit of repetitions, and the reply keeps to them", async () => {
  const ask = (schema: object, limit: number) =>
    openai.chat.completions.create({
      model,
      messages,
      temperature: 0,
      max_tokens: limit,
      response_format: { type: "json_schema", json_schema: { name: "counted", schema: { ...schema } } },
    });
  const list = { type: "array", items: { enum: [1, 2] }, minItems: 101, maxItems: 101 };
  const { choices } = await ask(list, 1_000);
  expect(JSON.parse(choices[0]!.message.content!)).toHaveLength(101);
  for (const long of [
    { type: "array", items: { enum: [1, 2] }, minItems: 5_000 },
    { type: "array", items: { enum: [1, 2] }, minItems: 1, maxItems: 5_000 },
    { type: "string", minLength: 5_000, maxLength: 100_000 },
  ])
    expect((await ask(long, 20)).usage!.completion_tokens).toBeGreaterThan(0);
});
