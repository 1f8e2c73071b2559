/** Reasoning items belong to the reply that follows them, as in the same conversation through chat. */

import { expect, test } from "vitest";
import { appWith, CHAT, tools } from "../../support/template-app.ts";

const user = { role: "user", content: "Weather in Paris?" };
const said = (content: string) => ({ role: "assistant", content });
const thought = (text: string) => ({
  type: "reasoning",
  id: "rs_1",
  summary: [],
  content: [{ type: "reasoning_text", text }],
});
const call = { type: "function_call", call_id: "call_1", name: "weather", arguments: "{}" };
const output = { type: "function_call_output", call_id: "call_1", output: "Sunny" };

const calls = [{ id: "call_1", type: "function", function: { name: "weather", arguments: "{}" } }];
const result = { role: "tool", tool_call_id: "call_1", content: "Sunny" };

const CASES: [what: string, items: object[], messages: object[]][] = [
  [
    "between two messages: of the second",
    [said("FIRST"), thought("T"), said("SECOND")],
    [said("FIRST"), { ...said("SECOND"), reasoning_content: "T" }],
  ],
  [
    "behind an empty message: of the next",
    [said(""), thought("T"), said("SECOND")],
    [said(""), { ...said("SECOND"), reasoning_content: "T" }],
  ],
  [
    "before each message: its own",
    [thought("A"), said("FIRST"), thought("B"), said("SECOND")],
    [
      { ...said("FIRST"), reasoning_content: "A" },
      { ...said("SECOND"), reasoning_content: "B" },
    ],
  ],
  [
    "two in a row: both",
    [thought("A"), thought("B"), said("FIRST")],
    [{ ...said("FIRST"), reasoning_content: "A\n\nB" }],
  ],
  [
    "between a message and its call: of the one reply",
    [thought("A"), said("FIRST"), thought("B"), call, output],
    [{ ...said("FIRST"), tool_calls: calls, reasoning_content: "A\n\nB" }, result],
  ],
  [
    "between a message and its call, the first thought: of the one reply",
    [said("FIRST"), thought("B"), call, output],
    [{ ...said("FIRST"), tool_calls: calls, reasoning_content: "B" }, result],
  ],
  [
    "behind a call without a result: of the same reply",
    [call, thought("T"), said("FIRST"), output],
    [{ ...said("FIRST"), tool_calls: calls, reasoning_content: "T" }, result],
  ],
  [
    "behind a result: of the next reply",
    [call, output, thought("T"), said("FIRST")],
    [{ role: "assistant", tool_calls: calls }, result, { ...said("FIRST"), reasoning_content: "T" }],
  ],
];

test.each(CASES)("a thought %s", async (_, items, messages) => {
  const { ask } = await appWith("thinking");
  const flat = tools.map((tool) => ({ type: "function", strict: false, ...tool.function }));
  const responses = await ask({ input: [user, ...items], tools: flat }, "/v1/responses/render");
  const chat = await ask({ messages: [user, ...messages], tools }, `${CHAT}/render`);
  expect(chat.body.prompt).toContain("<think>");
  expect(responses.body.prompt).toBe(chat.body.prompt);
});

test("a thought that led to nothing before the user spoke again is dropped", async () => {
  const { ask } = await appWith("thinking");
  const items = [user, said("FIRST"), thought("T"), { role: "user", content: "And?" }, said("SECOND")];
  const { body } = await ask({ input: items }, "/v1/responses/render");
  expect(body.prompt).not.toMatch(/<think>\nT/);
});
