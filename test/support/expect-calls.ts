/** A reply with a thought, a text and calls, as all ways to ask for it give it. */

import { expect } from "vitest";
import { CHAT, messages } from "./template-app.ts";
import { readEvents } from "./test-app.ts";

interface App {
  post(body: object): Promise<Response>;
  /** The body of the answer. */
  // biome-ignore lint/suspicious/noExplicitAny: as `Response.json` has it.
  ask(body: object, path?: string): Promise<any>;
}

interface Reply {
  text: string;
  thought: string;
  /** Names and parsed arguments. */
  calls: readonly (readonly [name: string, args: object])[];
}

interface Written {
  name: string;
  arguments: string;
}

interface Delta {
  content?: string;
  reasoning_content?: string;
  tool_calls?: { index: number; function: Partial<Written> }[];
}

const callsOf = (all: readonly Written[]) => all.map((one) => [one.name, JSON.parse(one.arguments)]);

/** Asks for a whole chat completion, a streamed one and a response, with the functions as tools. */
export async function expectCalls(
  { post, ask }: App,
  functions: readonly object[],
  { text, thought, calls }: Reply,
): Promise<void> {
  const chat = { messages, tools: functions.map((each) => ({ type: "function", function: each })) };
  const whole = (await ask(chat, CHAT)).choices[0];
  expect(whole).toMatchObject({
    finish_reason: "tool_calls",
    message: { content: text, reasoning_content: thought },
  });
  expect(callsOf(whole.message.tool_calls.map((one: { function: Written }) => one.function))).toEqual(calls);

  const { events } = await readEvents<{ choices: [{ delta: Delta }] }>(await post({ ...chat, stream: true }));
  const deltas = events.map(({ choices }) => choices[0].delta);
  const joined = (field: "content" | "reasoning_content"): string =>
    deltas.map((delta) => delta[field] ?? "").join("");
  expect([joined("content"), joined("reasoning_content")]).toEqual([text, thought]);
  const streamed: Written[] = [];
  for (const { index, function: part } of deltas.flatMap((delta) => delta.tool_calls ?? [])) {
    streamed[index] ??= { name: part.name!, arguments: "" };
    streamed[index].arguments += part.arguments ?? "";
  }
  expect(callsOf(streamed)).toEqual(calls);

  const flat = functions.map((each) => ({ type: "function", strict: false, ...each }));
  const { output } = await ask({ input: "Weather?", tools: flat, messages: undefined }, "/v1/responses");
  expect(callsOf(output.filter((one: { type: string }) => one.type === "function_call"))).toEqual(calls);
}
