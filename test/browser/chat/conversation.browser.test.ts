/** Reusing the KV cache saves work and never changes a reply. */

import type { Runtime } from "infetch";
import type OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startRuntime } from "../support/runtime.ts";

type Message = OpenAI.ChatCompletionMessageParam;
const QUESTIONS = [
  "Hello!",
  "My name is Omar.",
  "What is 2 + 3?",
  "List three fruits.",
  "What is my name?",
  "Who are you?",
  "How many meters are in 2 kilometers?",
  "What is the capital of France?",
  "Thanks!",
  "Goodbye.",
];

let warm: { runtime: Runtime; openai: OpenAI };
let cold: { runtime: Runtime; openai: OpenAI };
let colds = 0;

beforeAll(async () => {
  warm = await startRuntime();
  cold = await startRuntime();
});
afterAll(() => {
  warm.runtime.close();
  cold.runtime.close();
});

const ask = (openai: OpenAI, messages: Message[], more: object = {}) =>
  openai.chat.completions.create({
    model: "infetch-tiny",
    messages,
    temperature: 0,
    max_tokens: 40,
    ...more,
  });

/** Sends a history for an account of its own, which finds nothing in the cache. */
async function askCold(messages: Message[], more: object = {}) {
  const name = `cold-${colds++}`;
  const { apiKey } = await cold.runtime.keys.create({ name, account: name });
  return ask(cold.openai.withOptions({ apiKey }), messages, more);
}

test("each of ten turns equals the same history on a fresh engine, and prefills each token once", async () => {
  const messages: Message[] = [];
  const replies: OpenAI.ChatCompletion[] = [];
  let prefilled = 0;
  let sampled = 0;
  let last: OpenAI.CompletionUsage | undefined;
  for (const question of QUESTIONS) {
    messages.push({ role: "user", content: question });
    const reply = await ask(warm.openai, messages);
    replies.push(reply);
    // The end token of the previous reply is sampled but not cached: the next turn prefills it.
    if (last) sampled += last.completion_tokens - 1;
    prefilled += reply.usage!.prompt_tokens - reply.usage!.prompt_tokens_details!.cached_tokens!;
    last = reply.usage;
    messages.push(reply.choices[0]!.message);
  }
  // After all turns: llama.cpp reuses nothing for accounts that alternate.
  for (const [turn, reply] of replies.entries()) {
    const fresh = await askCold(messages.slice(0, 2 * turn + 1));
    expect(reply.choices[0]!.finish_reason).toBe("stop");
    expect(reply.choices[0]!.message.content).toBe(fresh.choices[0]!.message.content);
    expect(reply.usage!.prompt_tokens).toBe(fresh.usage!.prompt_tokens);
    expect(fresh.usage!.prompt_tokens_details!.cached_tokens).toBe(0);
  }
  expect(prefilled + sampled).toBe(last!.prompt_tokens);
});

test("a conversation goes on from its cache although the client dropped the thoughts and rewrote the calls", async () => {
  const tools: OpenAI.ChatCompletionTool[] = [
    {
      type: "function",
      function: {
        name: "get_weather",
        description: "Get the current weather for a city.",
        parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
      },
    },
  ];
  const messages: Message[] = [{ role: "user", content: "What is the weather in Rome?" }];
  const first = await ask(warm.openai, messages, { tools, tool_choice: "required", max_tokens: 200 });
  const calls = first.choices[0]!.message.tool_calls ?? [];
  expect(calls.length).toBeGreaterThan(0);
  messages.push(
    first.choices[0]!.message,
    ...calls.map((call) => ({ role: "tool" as const, tool_call_id: call.id, content: '{"sky": "sunny"}' })),
  );
  const second = await ask(warm.openai, messages, { tools });
  expect(second.usage!.prompt_tokens_details!.cached_tokens).toBeGreaterThan(first.usage!.prompt_tokens);
  const uncached = await askCold(messages, { tools });
  expect(uncached.usage!.prompt_tokens_details!.cached_tokens).toBe(0);
  expect(second.usage!.prompt_tokens).toBe(uncached.usage!.prompt_tokens);
  expect(second.choices[0]!.message.content).toBe(uncached.choices[0]!.message.content);
});

test("a reply cut by a stop string leaves nothing behind that would be reused wrongly", async () => {
  const messages: Message[] = [{ role: "user", content: "Hello!" }];
  const whole = await ask(warm.openai, messages);
  const text = whole.choices[0]!.message.content ?? "";
  const stop = text.slice(2, 5);
  const cutReply = await ask(warm.openai, messages, { stop });
  expect(cutReply.choices[0]!.message.content).toBe(text.slice(0, text.indexOf(stop)));
  const next: Message[] = [...messages, cutReply.choices[0]!.message, { role: "user", content: "Go on." }];
  const warmReply = await ask(warm.openai, next);
  const fresh = await askCold(next);
  expect(warmReply.choices[0]!.message.content).toBe(fresh.choices[0]!.message.content);
  expect(warmReply.usage!.prompt_tokens).toBe(fresh.usage!.prompt_tokens);
});
