/** Random chat requests of all kinds, with short replies that a seed or temperature 0 decides. */

import type OpenAI from "openai";
import { fc, seed } from "../../../support/random.ts";

export type Body = OpenAI.ChatCompletionCreateParamsNonStreaming;

const tools: OpenAI.ChatCompletionTool[] = [
  {
    type: "function",
    function: {
      name: "get_weather",
      parameters: {
        type: "object",
        properties: { city: { type: "string", maxLength: 8 } },
        required: ["city"],
        additionalProperties: false,
      },
    },
  },
];
const response_format = {
  type: "json_schema" as const,
  json_schema: {
    name: "person",
    strict: true,
    schema: {
      type: "object",
      properties: { name: { type: "string", maxLength: 6 }, age: { type: "integer" } },
      required: ["name", "age"],
      additionalProperties: false,
    },
  },
};

const kind = fc.constantFrom<Partial<Body>>(
  {},
  {},
  { tools },
  { tools, tool_choice: "required" },
  { response_format },
  { response_format: { type: "json_object" } },
  { logprobs: true, top_logprobs: 2 },
  { stop: ["e", "."] },
);
const sampling = fc.oneof(
  fc.constant({ temperature: 0 }),
  fc.integer({ min: 0, max: 1e9 }).map((seed) => ({ temperature: 1, seed })),
  fc
    .integer({ min: 0, max: 1e9 })
    .map((seed) => ({ temperature: 0.9, seed, top_p: 0.8, presence_penalty: 0.5 })),
  fc.integer({ min: 0, max: 1e9 }).map((seed) => ({ temperature: 1.2, seed, top_k: 20, min_p: 0.02 })),
);
/** Most are short; a few take several chunks. */
const words = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 30 }) },
  { weight: 1, arbitrary: fc.integer({ min: 150, max: 250 }) },
);

const body = fc
  .record({ kind, sampling, words, tokens: fc.integer({ min: 1, max: 24 }) })
  .map(({ kind, sampling, words, tokens }): Omit<Body, "messages"> & { words: number } => ({
    model: "infetch-tiny",
    max_tokens: tokens,
    ...sampling,
    ...kind,
    words,
  }));

/** So many requests, each with its own prompt; the same for the same seed. */
export function mixedRequests(count: number): Body[] {
  return fc.sample(body, { seed, numRuns: count }).map(({ words, ...rest }, at) => ({
    ...rest,
    messages: [{ role: "user", content: `${"and so on ".repeat(words)}What is ${at} plus ${words}?` }],
  }));
}

/** What of a reply does not depend on chance; ids and times do. */
export function contentOf({ choices, usage }: OpenAI.ChatCompletion) {
  const [{ message, finish_reason, logprobs }] = choices as [OpenAI.ChatCompletion.Choice];
  return {
    content: message.content,
    calls: message.tool_calls?.map((call) => ("function" in call ? call.function : call)),
    finish_reason,
    logprobs,
    prompt: usage!.prompt_tokens,
    completion: usage!.completion_tokens,
  };
}
