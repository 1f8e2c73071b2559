/**
 * Custom tools whose format is a grammar: a model too small to follow one writes what it says. With WebGPU this is
 * web-llm, without it llama.cpp.
 */

import type OpenAI from "openai";
import { expect, test } from "vitest";
import { startRuntime } from "../support/runtime.ts";

const DATE = "20[2-3]\\d-(?:0[1-9]|1[0-2])";
const LIST = 'start: list\nlist: "[" [item ("," item)~0..2] "]"\nitem: "1" | "\\"" | "[" item "]"';
const tool = (name: string, syntax: "regex" | "lark", definition: string) => ({
  type: "custom" as const,
  custom: { name, format: { type: "grammar" as const, grammar: { syntax, definition } } },
});
const tools = [tool("open_month", "regex", DATE), tool("save_list", "lark", LIST)];

test("the input follows a regex or a Lark grammar, in chats and Responses", async () => {
  const { runtime, openai } = await startRuntime();
  const ask = async (name: string): Promise<string> => {
    const { choices } = await openai.chat.completions.create({
      model: "infetch-tiny",
      messages: [{ role: "user", content: "Open May 2026." }],
      tools,
      tool_choice: { type: "custom", custom: { name } },
      max_tokens: 200,
      temperature: 1,
      seed: 5,
    });
    const [call] = choices[0]!.message.tool_calls!;
    if (call?.type !== "custom") throw new Error("No custom call.");
    expect(call.custom.name).toBe(name);
    return call.custom.input;
  };
  expect(await ask("open_month")).toMatch(new RegExp(`^${DATE}$`));
  expect(await ask("save_list")).toMatch(/^\[[[\]1",]*/);
  const stream = await openai.responses.create({
    model: "infetch-tiny",
    input: "Open May 2026.",
    tools: [
      { type: "custom", name: "open_month", format: { type: "grammar", syntax: "regex", definition: DATE } },
    ],
    tool_choice: { type: "custom", name: "open_month" },
    store: false,
    stream: true,
  });
  const events: OpenAI.Responses.ResponseStreamEvent[] = [];
  for await (const event of stream) events.push(event);
  const inputs = events.flatMap((event) =>
    event.type === "response.custom_tool_call_input.done" ? [event.input] : [],
  );
  expect(inputs.join()).toMatch(new RegExp(`^${DATE}$`));
  runtime.close();
});
