/** Response objects match the types of the `openai` package, checked by the compiler. */

import type OpenAI from "openai";
import { expect, test } from "vitest";
import {
  type ChatReply,
  type ChunkDelta,
  chatChunk,
  chatCompletion,
  usageChunk,
} from "../../../worker/endpoints/chat/serialize.ts";
import {
  completionChunk,
  completionUsageChunk,
  textCompletion,
} from "../../../worker/endpoints/completions/serialize.ts";
import { toModelObject } from "../../../worker/endpoints/models/handler.ts";
import { thinker } from "../../support/test-app.ts";

const identity = { id: "chatcmpl-1", created: 1, model: "infetch-tiny", systemFingerprint: "fp_1" };
const counts = { inputTokens: 1, cachedTokens: 0, outputTokens: 1, reasoningTokens: 0 };
const token = { token: "a", bytes: [97], logprob: -1, top: [] };
const reply: ChatReply = {
  content: "a",
  reasoning: "b",
  toolCalls: [
    { id: "call_1", name: "f", arguments: "{}", isCustom: false },
    { id: "call_2", name: "g", arguments: "any text", isCustom: true },
  ],
  logprobs: [token],
  finishReason: "tool_calls",
};

test("chat completions and their chunks", () => {
  const whole: OpenAI.ChatCompletion = chatCompletion(identity, [reply], counts);
  const delta = {
    tool_calls: [{ index: 0, id: "call_1", type: "function" as const, function: { arguments: "" } }],
  };
  const chunks: OpenAI.ChatCompletionChunk[] = [
    chunkOf({ role: "assistant", content: "", refusal: null }),
    chunkOf(delta, { logprobs: [token] }),
    chunkOf({}, { finishReason: "stop" }),
    usageChunk(identity, counts),
  ];
  expect(chunks.every((chunk) => chunk.id === whole.id)).toBe(true);
});

type Call = NonNullable<ChunkDelta["tool_calls"]>[number];
type FunctionCall = Omit<Call, "type" | "custom"> & { type?: "function" };
/** OpenAI's type of chunks has no calls of custom tools. */
type FunctionDelta = Omit<ChunkDelta, "tool_calls"> & { tool_calls?: FunctionCall[] };

function chunkOf(delta: FunctionDelta, rest: Omit<Parameters<typeof chatChunk>[1], "index" | "delta"> = {}) {
  const { choices, ...chunk } = chatChunk(identity, { index: 0, delta, ...rest }, true);
  return {
    ...chunk,
    choices: choices.map((choice) => ({ ...choice, delta: choice.delta as FunctionDelta })),
  };
}

test("text completions and their chunks", () => {
  const choice = { index: 0, text: "a", logprobs: [token], offsets: [0], finishReason: "length" as const };
  // OpenAI's types lack the nulls of an echoed prompt.
  const whole = textCompletion(identity, [choice], counts) as OpenAI.Completion;
  const usage: OpenAI.Completion = completionUsageChunk(identity, counts);
  expect(usage.usage).toEqual(whole.usage);
  expect(
    completionChunk(identity, { ...choice, finishReason: null }, true).choices[0]?.finish_reason,
  ).toBeNull();
});

test("models", () => {
  const model: OpenAI.Model = toModelObject(thinker);
  expect(model).toMatchObject({ object: "model", owned_by: "infetch" });
});
