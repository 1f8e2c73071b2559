/** Replies of llama.cpp itself with bytes that are no text. */

import { expect, test } from "vitest";
import type { EngineStep, GenerateRequest, TokenLogprob } from "../../../../worker/engine-api/chat-engine.ts";
import { completionRequest } from "../../../../worker/engines/llamacpp/completion-request.ts";
import { LlamaReply } from "../../../../worker/engines/llamacpp/llama-reply.ts";
import { neutralSampling } from "../../../support/neutral-sampling.ts";
import { useLlamaInstance } from "../../../support/node-llamacpp.ts";

const instance = useLlamaInstance(512);

/** Single-byte tokens: `\x80` starts no character, `\xde` is the first half of one. */
const [CONTINUATION, HALF] = [128, 222];

interface Reply {
  text: string;
  logprobs: TokenLogprob[];
  finish: Extract<EngineStep, { type: "finish" }>;
}

async function reply(
  sampling: Partial<GenerateRequest["sampling"]>,
  more: Partial<GenerateRequest> = {},
): Promise<Reply> {
  const request: GenerateRequest = {
    prompt: "Hello",
    cacheScope: "any",
    sampling: { ...neutralSampling, temperature: 0, maxTokens: 6, ...sampling },
    randomState: 1n,
    reader: { stop: [] },
    ...more,
  };
  const steps: EngineStep[] = [];
  const { signal } = new AbortController();
  const emit = (step: EngineStep) => steps.push(step);
  const taken = new LlamaReply(request, { promptTokens: 1, contextWindow: 512, signal, emit });
  const completion = completionRequest("Hello", request, { contextWindow: 512 }, { mayReuse: false });
  await instance().complete(completion, [], (step) => taken.take(step), taken.ended);
  taken.finish();
  const told = steps.filter((step) => step.type === "reply");
  const events = told.flatMap((step) => step.events);
  return {
    text: events.map((event) => (event.type === "text" ? event.text : "")).join(""),
    logprobs: told.flatMap((step) => step.logprobs),
    finish: steps.find((step) => step.type === "finish")!,
  };
}

test("bytes that are no text are U+FFFD", async () => {
  const { text, finish } = await reply({ logitBias: { [CONTINUATION]: 100 } });
  expect(text).toBe("\uFFFD".repeat(6));
  expect(finish).toMatchObject({ reason: "length", usage: { completionTokens: 6 } });
});

test("a stop token ends a reply after bytes that are no text", async () => {
  const sampling = { logitBias: { [CONTINUATION]: 100 }, stopTokens: [HALF] };
  expect(await reply(sampling)).toMatchObject({ text: "\uFFFD".repeat(6), finish: { reason: "length" } });
  const stopped = await reply({ logitBias: { [CONTINUATION]: 100 }, stopTokens: [CONTINUATION] });
  expect(stopped).toMatchObject({ text: "", finish: { reason: "stop" } });
});

test("log probabilities have the exact bytes of parts of a character, also those of alternatives", async () => {
  const { logprobs } = await reply({ logitBias: { [CONTINUATION]: 100 } }, { topLogprobs: 1_536 });
  expect(logprobs).toHaveLength(6);
  expect(logprobs[0]).toMatchObject({ token: "bytes:\\x80", bytes: [CONTINUATION] });
  const entry = (byte: number) =>
    logprobs[0]!.top.find(({ bytes }) => bytes.length === 1 && bytes[0] === byte);
  expect(entry(CONTINUATION)).toMatchObject({ token: "bytes:\\x80" });
  expect(entry(HALF)).toMatchObject({ token: "bytes:\\xde" });
});

test("half a character at the limit is left out and counted", async () => {
  const { text, finish } = await reply({ logitBias: { [HALF]: 100 }, maxTokens: 1 });
  expect(text).toBe("");
  expect(finish).toMatchObject({ reason: "length", usage: { completionTokens: 1 } });
});

test("a stop token that the reply includes has its log probability, as on WebGPU", async () => {
  const sampling = { logitBias: { 33: 100 }, stopTokens: [33] };
  const included = await reply(sampling, { topLogprobs: 0, reader: { stop: [], includeStop: true } });
  expect(included).toMatchObject({ text: "!", logprobs: [{ token: "!" }], finish: { reason: "stop" } });
  const left = await reply(sampling, { topLogprobs: 0 });
  expect(left).toMatchObject({ text: "", logprobs: [], finish: { reason: "stop" } });
});
