import { createRuntime, type Runtime } from "infetch";
import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startRuntime } from "../support/runtime.ts";

let runtime: Runtime;
let openai: OpenAI;

beforeAll(async () => {
  ({ runtime, openai } = await startRuntime());
});

afterAll(() => runtime.close());

/** Returns the ledger's events since this call. */
async function ledgerFromNow() {
  const before = new Set((await runtime.usage.list()).map(({ transactionId }) => transactionId));
  return async () => (await runtime.usage.list()).filter(({ transactionId }) => !before.has(transactionId));
}

/** Streams one reply. `stopAt` aborts it after that many chunks, and has its tokens counted. */
async function reply(
  content: string,
  maxTokens: number,
  { stopAt = 0, choices = 1, onChunk = () => {} } = {},
) {
  const stream = await openai.chat.completions.create({
    model: "infetch-tiny",
    messages: [{ role: "user", content }],
    temperature: 0,
    max_tokens: maxTokens,
    n: choices,
    logprobs: stopAt > 0,
    stream: true,
    stream_options: { include_usage: true },
  });
  let text = "";
  let chunks = 0;
  let tokens = 0;
  let usage: OpenAI.CompletionUsage | undefined;
  const ids = new Set<string>();
  for await (const chunk of stream) {
    ids.add(chunk.id);
    text += chunk.choices[0]?.delta.content ?? "";
    tokens += chunk.choices[0]?.logprobs?.content?.length ?? 0;
    usage = chunk.usage ?? usage;
    onChunk();
    if (++chunks === stopAt) stream.controller.abort();
  }
  return { text, tokens, usage, ids: [...ids] };
}

test("20 concurrent streams all complete, each with its own text and usage", async () => {
  const prompts = Array.from(
    { length: 20 },
    (_, at) => `${"Hello! ".repeat(at % 5)}What is ${at} plus ${at}?`,
  );
  const alone = new Map<string, Awaited<ReturnType<typeof reply>>>();
  for (const prompt of prompts.slice(0, 5)) alone.set(prompt, await reply(prompt, 6));
  const replies = await Promise.all(prompts.map((prompt) => reply(prompt, 6)));
  for (const [at, { text, usage, ids }] of replies.entries()) {
    expect(ids).toHaveLength(1);
    expect(text.length).toBeGreaterThan(0);
    expect(usage!.completion_tokens).toBeLessThanOrEqual(6);
    expect(usage!.total_tokens).toBe(usage!.prompt_tokens + usage!.completion_tokens);
    const before = alone.get(prompts[at]!);
    if (before) expect(text).toBe(before.text);
    if (before) expect(usage!.prompt_tokens).toBe(before.usage!.prompt_tokens);
  }
  expect(new Set(replies.map(({ ids }) => ids[0])).size).toBe(20);
});

test("a short request overtakes one of many choices, and each reply is as alone", async () => {
  const question = "Who are you?";
  const alone = await reply(question, 20);
  const ended: string[] = [];
  let onChunk = (): void => {};
  const begun = new Promise<void>((resolve) => {
    onChunk = resolve;
  });
  const first = reply("Tell me about the sea.", 20, { choices: 40, onChunk }).then(() => ended.push("long"));
  await begun;
  const { text, usage } = await reply(question, 20);
  ended.push("short");
  await first;
  expect(text).toBe(alone.text);
  expect(usage!.completion_tokens).toBe(alone.usage!.completion_tokens);
  expect(ended).toEqual(["short", "long"]);
});

test("5 aborted in the middle free every place of the engine", async () => {
  const added = await ledgerFromNow();
  // Without the abort, 100 replies each would occupy the engine far beyond the test's timeout.
  const aborted = Array.from({ length: 5 }, (_, at) =>
    reply(`Tell me a story about ${at}.`, 100, { stopAt: 3, choices: 100 }),
  );
  const beside = reply("Hello!", 3);
  const read = (await Promise.all(aborted)).map(({ tokens }) => tokens);
  const replies = await Promise.all([beside, ...Array.from({ length: 8 }, () => reply("Hello!", 3))]);
  for (const { usage } of replies) expect(usage!.completion_tokens).toBeLessThanOrEqual(3);
  const charged = async () =>
    (await added()).filter(({ outcome }) => outcome === "aborted").map(({ outputTokens }) => outputTokens);
  await expect.poll(charged).toHaveLength(5);
  for (const tokens of await charged()) {
    expect(tokens).toBeGreaterThanOrEqual(1);
    expect(tokens).toBeLessThanOrEqual(Math.max(...read));
  }
});

test("aborted while it waits in the queue, or while the model loads", async () => {
  const other = await createRuntime();
  const added = await ledgerFromNow();
  const abort = new AbortController();
  const send = (signal?: AbortSignal): Promise<Response> =>
    other.fetch("/v1/chat/completions", {
      method: "POST",
      headers: { authorization: `Bearer ${other.apiKey}` },
      body: JSON.stringify({
        model: "infetch-tiny",
        messages: [{ role: "user", content: "Hi" }],
        max_tokens: 3,
      }),
      ...(signal ? { signal } : {}),
    });
  const loading = send(abort.signal);
  const waiting = send();
  abort.abort("during the load");
  await expect(loading).rejects.toBe("during the load");
  expect((await waiting).status).toBe(200);
  const queue = new AbortController();
  const all = [send(), send(queue.signal), send()];
  queue.abort("in the queue");
  const results = await Promise.allSettled(all);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  // Of the three that were answered, and of neither abort.
  expect((await added()).map(({ outcome }) => outcome)).toEqual(["completed", "completed", "completed"]);
  other.close();
});

test("an abort in the middle of a long prefill: the next request is served, with or without the same engine", async () => {
  const { runtime, openai } = await startRuntime();
  const long = "one two three four five six seven eight nine ten ".repeat(100);
  const ask = (content: string, signal?: AbortSignal) =>
    openai.chat.completions.create(
      { model: "infetch-tiny", messages: [{ role: "user", content }], max_tokens: 2 },
      signal ? { signal } : {},
    );
  await ask("Hello!");
  // The prefill rate is unknown in the first round and decides in the second.
  for (const content of [long, `${long} again`]) {
    const abort = new AbortController();
    const pending = ask(content, abort.signal);
    setTimeout(() => abort.abort(), 300);
    await expect(pending).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    expect((await ask("Hello!")).choices).toHaveLength(1);
  }
  runtime.close();
});

test("n choices side by side are those of an engine that runs one at a time, and so is their usage", async () => {
  const alone = await startRuntime({ parallel: 1, shared: false });
  const body = {
    model: "infetch-tiny",
    messages: [{ role: "user" as const, content: "Say something about the sea. ".repeat(12) }],
    temperature: 1,
    seed: 11,
    n: 5,
    max_tokens: 8,
  };
  const [one, several] = await Promise.all(
    [alone.openai, openai].map((client) => client.chat.completions.create(body)),
  );
  alone.runtime.close();
  const texts = ({ choices }: OpenAI.ChatCompletion) => choices.map(({ message }) => message.content);
  expect(texts(several!)).toEqual(texts(one!));
  expect(new Set(texts(several!)).size).toBeGreaterThan(1);
  expect({ ...several!.usage, prompt_tokens_details: null }).toEqual({
    ...one!.usage,
    prompt_tokens_details: null,
  });
  const stream = await openai.chat.completions.create({ ...body, n: 3, stream: true });
  const streamed = ["", "", ""];
  for await (const { choices } of stream)
    for (const { index, delta } of choices) streamed[index] += delta.content ?? "";
  expect(streamed).toEqual(texts(one!).slice(0, 3));
});

test("the prompts of one completions request give what each gives alone, and their usage is the sum", async () => {
  const prompts = Array.from({ length: 6 }, (_, at) => `Count to ${at + 3}: 1, 2,`);
  const body = { model: "infetch-tiny", temperature: 1, seed: 3, n: 2, max_tokens: 6 };
  const several = await openai.completions.create({ ...body, prompt: prompts });
  let [input, output] = [0, 0];
  for (const [at, prompt] of prompts.entries()) {
    const { choices, usage } = await openai.completions.create({ ...body, prompt });
    expect(several.choices.slice(2 * at, 2 * at + 2).map(({ text }) => text)).toEqual(
      choices.map(({ text }) => text),
    );
    input += usage!.prompt_tokens;
    output += usage!.completion_tokens;
  }
  expect(several.usage).toMatchObject({ prompt_tokens: input, completion_tokens: output });
});
