/** Random requests and replies: the chunks of a stream add up to the reply that is sent whole. */

import type OpenAI from "openai";
import { expect, test } from "vitest";
import { fc } from "../../support/random.ts";
import { validChatRequest } from "../../support/random-chat-request.ts";
import { readEvents, testApp } from "../../support/test-app.ts";

const PATH = "/v1/chat/completions";

type Message = OpenAI.ChatCompletionMessage & { reasoning_content?: string };
type Delta = OpenAI.ChatCompletionChunk.Choice.Delta & { reasoning_content?: string };

const reply = fc.array(
  fc.constantFrom(
    "Hello",
    " ",
    "END",
    "<think>",
    "</think>",
    "<tool_call>",
    "</tool_call>",
    "\u{1F600}",
    '{"name": "get_weather", "arguments": {"city": "Paris"}}',
    '{"name": "run", "arguments": {"input": "12',
    '"}}',
    "}",
    '{"a": 1}',
  ),
  { maxLength: 10 },
);

/** A choice without its call ids, which differ between two replies. */
function shape(message: Message, logprobs: unknown, reason: string) {
  const calls = message.tool_calls?.map((call) => ({ ...call, id: "call" })) ?? [];
  const { content, reasoning_content: thought = "" } = message;
  return { content: content ?? "", thought, calls, logprobs, reason };
}

/** The choices that the chunks make. */
function accumulated(chunks: readonly OpenAI.ChatCompletionChunk[]) {
  const choices: ReturnType<typeof shape>[] = [];
  for (const { index, delta, logprobs, finish_reason: reason } of chunks.flatMap((one) => one.choices)) {
    choices[index] ??= { content: "", thought: "", calls: [], logprobs: null, reason: "" };
    const choice = choices[index]!;
    expect(choice.reason).toBe("");
    choice.reason = reason ?? "";
    choice.content += delta.content ?? "";
    choice.thought += (delta as Delta).reasoning_content ?? "";
    if (logprobs?.content) choice.logprobs = [...((choice.logprobs ?? []) as unknown[]), ...logprobs.content];
    for (const call of delta.tool_calls ?? []) addCall(choice.calls as Record<string, unknown>[], call);
  }
  return choices;
}

type CallDelta = NonNullable<Delta["tool_calls"]>[number] & { custom?: { name?: string; input?: string } };

function addCall(calls: Record<string, unknown>[], { index, id, type, ...rest }: CallDelta): void {
  const { function: fn, custom } = rest as CallDelta;
  if (id) {
    expect(calls).toHaveLength(index);
    calls.push({ id: "call", type, ...(fn ? { function: { ...fn } } : { custom: { ...custom } }) });
    return;
  }
  const call = calls[index] as { function?: { arguments: string }; custom?: { input: string } };
  if (fn) call.function!.arguments += fn.arguments;
  if (custom) call.custom!.input += custom.input;
}

test("the chunks of a stream add up to the whole reply", async () => {
  const reasons = new Set<string>();
  const property = fc.asyncProperty(validChatRequest, reply, async (request, pieces) => {
    const { post } = await testApp({ reply: () => pieces });
    const whole = (await (
      await post(PATH, { ...request, stream: false, stream_options: null })
    ).json()) as OpenAI.ChatCompletion;
    const options = { stream: true, stream_options: { include_usage: true } };
    const { events } = await readEvents<OpenAI.ChatCompletionChunk>(
      await post(PATH, { ...request, ...options }),
    );
    const expected = whole.choices.map(({ message, logprobs, finish_reason: reason }) =>
      // A stream without tokens has no logprobs.
      shape(message, logprobs?.content?.length ? logprobs.content : null, reason),
    );
    for (const { reason } of expected) reasons.add(reason);
    expect(accumulated(events)).toEqual(expected);
    expect(events.at(-1)).toMatchObject({ choices: [], usage: whole.usage });
    expect(new Set(events.map(({ id }) => id)).size).toBe(1);
  });
  await fc.assert(property, { numRuns: 200 });
  expect([...reasons].sort()).toEqual(expect.arrayContaining(["stop", "tool_calls"]));
});
