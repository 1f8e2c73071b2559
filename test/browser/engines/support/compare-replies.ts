/** Compares the batch engine with web-llm's chat API, on one runtime each. */

import type OpenAI from "openai";
import { expect } from "vitest";
import { startRuntime } from "../../support/runtime.ts";

type Body = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, "model">;
interface Entry {
  messages: OpenAI.ChatCompletionMessageParam[];
  tools?: OpenAI.ChatCompletionTool[];
}

/** Ways to sample, in turn. */
const SAMPLING: Partial<Body>[] = [
  { temperature: 0 },
  { temperature: 1 },
  { temperature: 0.8, top_p: 0.9, presence_penalty: 0.5, frequency_penalty: 0.3 },
  { temperature: 0, logprobs: true, top_logprobs: 2 },
  { temperature: 1, logit_bias: { 100: 5, 200: -100 } },
  { temperature: 1.2, ...{ top_k: 20, min_p: 0.02 } },
  { temperature: 0.7, ...{ repetition_penalty: 1.2 } },
  { temperature: 1, ...{ min_tokens: 12, stop_token_ids: [50] } },
  { temperature: 1, stop: [" a", "."] },
  { temperature: 1, ...{ ignore_eos: true } },
];
const SCHEMA = {
  type: "json_schema" as const,
  json_schema: {
    name: "person",
    strict: true,
    schema: {
      type: "object",
      properties: { name: { type: "string", maxLength: 12 }, age: { type: "integer" } },
      required: ["name", "age"],
      additionalProperties: false,
    },
  },
};

async function ask(openai: OpenAI, body: Body) {
  const { choices, usage } = await openai.chat.completions.create({ model: "infetch-tiny", ...body });
  const [{ message, finish_reason, logprobs }] = choices as [OpenAI.ChatCompletion.Choice];
  const calls = message.tool_calls?.map((call) => ("function" in call ? call.function : call));
  return {
    content: message.content,
    calls,
    finish_reason,
    tokens: logprobs?.content?.map(({ token, top_logprobs }) => [
      token,
      top_logprobs.map((one) => one.token),
    ]),
    prompt: usage!.prompt_tokens,
    completion: usage!.completion_tokens,
  };
}

/** Expects equal replies to `count` prompts from number `first`, with tools, schemas and every way to sample. */
export async function compareReplies(count: number, first = 0): Promise<void> {
  const batch = await startRuntime();
  const single = await startRuntime({ assetsURL: "/single-engine/", storageName: "single-engine" });
  const all = (await (await fetch("/weights/tiny-chat/evaluation.json")).json()) as Entry[];
  // Results of calls have no ids there.
  const entries = all.filter(({ messages }) => messages.every(({ role }) => role !== "tool"));
  for (let at = first; at < first + count; at++) {
    // The step shares no factor with the number of prompts, so all of them come.
    const { messages, tools } = entries[(at * 5) % entries.length]!;
    const sampling = SAMPLING[at % SAMPLING.length]!;
    const format = !tools && at % 6 === 5 ? { response_format: SCHEMA } : {};
    const body = { messages, ...(tools && { tools }), max_tokens: 60, seed: at, ...sampling, ...format };
    const [got, expected] = await Promise.all([ask(batch.openai, body), ask(single.openai, body)]);
    expect(got, JSON.stringify(body)).toEqual(expected);
  }
  batch.runtime.close();
  single.runtime.close();
}
