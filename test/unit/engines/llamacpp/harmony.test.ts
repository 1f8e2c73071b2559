/** llama.cpp takes the grammars of replies that are messages with headers, and what it writes under them is read. */

import { expect, test } from "vitest";
import type { GenerateRequest } from "../../../../worker/engine-api/chat-engine.ts";
import type { Constraint } from "../../../../worker/engine-api/constraint.ts";
import { completionRequest } from "../../../../worker/engines/llamacpp/completion-request.ts";
import { ReplyReader } from "../../../../worker/reply/reply-reader.ts";
import { constrainCalls, constrainJson } from "../../../../worker/tools/constraints.ts";
import { harmony } from "../../../../worker/tools/formats/harmony.ts";
import { neutralSampling } from "../../../support/neutral-sampling.ts";
import { useLlamaInstance } from "../../../support/node-llamacpp.ts";

const instance = useLlamaInstance(512);

const OBJECT = 'root ::= "{\\"a\\": " [0-9] "}"';
const reasoning = {
  open: "<|channel|>analysis<|message|>",
  close: "<|end|>",
  messages: { kind: "harmony" as const, begun: "assistant" },
};
const tools = { format: harmony.callFormat, names: ["f"], constrained: true, single: true };
const choices = { tools: [{ name: "f", grammar: OBJECT }], parallel: false, reasoning };

/** The types of events of the tiny model's reply, and the texts of each type. */
async function reply(constraint: Constraint): Promise<Record<string, string>> {
  const request: GenerateRequest = {
    prompt: "Hello",
    cacheScope: "any",
    sampling: { ...neutralSampling, temperature: 0, maxTokens: 200 },
    randomState: 1n,
    reader: { stop: [], reasoning, tools },
    constraint,
  };
  const completion = completionRequest("Hello", request, { contextWindow: 512 }, { mayReuse: false });
  const reader = new ReplyReader(request.reader, () => "call_0");
  const read: Record<string, string> = {};
  const take = (step: { text: string }): void => {
    for (const event of reader.push(step.text))
      read[event.type] =
        (read[event.type] ?? "") +
        ("text" in event
          ? event.text
          : "name" in event
            ? event.name
            : "arguments" in event
              ? event.arguments
              : "");
  };
  await instance().complete(completion, [], take, new AbortController().signal);
  return read;
}

test("a call that must be made", async () => {
  const read = await reply(
    constrainCalls(harmony.callSyntax, { choice: { mode: "named", name: "f" }, tools: choices.tools })!,
  );
  expect(read).toMatchObject({ "tool-call-start": "f", "tool-call-end": "" });
  expect(read["tool-call-delta"]).toMatch(/^\{"a": \d\}$/);
});

test("JSON in the final channel", async () => {
  const read = await reply(constrainJson(OBJECT, reasoning, false));
  expect(read).toEqual({ text: expect.stringMatching(/^\{"a": \d\}$/) });
});

test("JSON behind a thought, and calls in free text", async () => {
  const free = constrainCalls(harmony.callSyntax, { choice: { mode: "auto" }, ...choices })!;
  for (const constraint of [constrainJson(OBJECT, reasoning), free])
    expect(Object.keys(await reply(constraint)).length).toBeGreaterThan(0);
});
