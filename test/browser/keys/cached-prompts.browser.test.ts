/** A prompt that one account has sent must not tell another one that it has: nothing of it is reused. */

import { createRuntime, type Runtime } from "infetch";
import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshLedgerName } from "../billing/support/frames.ts";
import { hasWebGPU } from "../support/runtime.ts";

type Message = OpenAI.ChatCompletionMessageParam;

let runtime: Runtime;
beforeAll(async () => {
  runtime = await createRuntime({ storageName: freshLedgerName() });
});
afterAll(() => runtime.close());

async function clientOf(account: string): Promise<(messages: Message[]) => Promise<OpenAI.ChatCompletion>> {
  const { apiKey } = await runtime.keys.create({ name: "test", account });
  const { baseURL, fetch } = runtime;
  const openai = new OpenAI({ apiKey, baseURL, fetch, dangerouslyAllowBrowser: true });
  return (messages) =>
    openai.chat.completions.create({ model: "infetch-tiny", messages, temperature: 0, max_tokens: 60 });
}

const conversation = (system: string): Message[] => [
  { role: "system", content: system.repeat(30) },
  { role: "user", content: "Hello!" },
];

test("the prompts of another account are never found in the cache, its own are", async () => {
  const alice = await clientOf("alice");
  const colleague = await clientOf("alice");
  const bob = await clientOf("bob");
  const cached = ({ usage }: OpenAI.ChatCompletion) => usage!.prompt_tokens_details!.cached_tokens!;
  const first = conversation("You answer briefly. ");
  const second = conversation("You are a helpful assistant. ");

  expect(cached(await alice(first))).toBe(0);
  const reply = await alice(second);
  expect(reply.choices[0]!.finish_reason).toBe("stop");
  // WebKitGTK stores no models, so none is listed there.
  const stored = (await runtime.models.cached()).find(({ model }) => model === "infetch-tiny");
  if (await hasWebGPU()) expect(stored!.retainedTokens).toBeGreaterThanOrEqual(reply.usage!.prompt_tokens);
  else expect(stored?.retainedTokens ?? 0).toBe(0);
  const next: Message[] = [...second, reply.choices[0]!.message, { role: "user", content: "Who are you?" }];
  expect(cached(await colleague(next))).toBeGreaterThan(reply.usage!.prompt_tokens * 0.9);

  const same = await bob(second);
  expect(same.choices[0]!.message).toEqual(reply.choices[0]!.message);
  expect(cached(same)).toBe(0);
  expect(cached(await bob(next))).toBeGreaterThan(reply.usage!.prompt_tokens * 0.9);
  // llama.cpp has saved this one, and would restore it.
  expect(cached(await bob(first))).toBe(0);
});
