/** Tools of the type `custom`, which take text instead of JSON. */

import OpenAI from "openai";
import { beforeAll, describe, expect, test } from "vitest";
import { chatChunkSchema, chatCompletionSchema } from "../../../worker/endpoints/chat/response-schema.ts";
import { readEvents, testApp } from "../../support/test-app.ts";
import { GrammarEngine } from "../../support/xgrammar.ts";

const PATH = "/v1/chat/completions";
const python = { type: "custom", custom: { name: "run_python", description: "Runs Python." } };
const regex = (definition: string) => ({
  type: "custom",
  custom: { name: "date", format: { type: "grammar", grammar: { syntax: "regex", definition } } },
});
const weather = { type: "function", function: { name: "get_weather" } };
const messages = [{ role: "user", content: "Print a line." }];
const request = { model: "infetch-tiny", messages, tools: [python, weather] };
const CODE = 'print("é😀\\n")\n\tpass';
const call = (name: string, args: string) =>
  `<tool_call>\n{"name": "${name}", "arguments": ${args}}\n</tool_call>`;
const pieces = (text: string): string[] => text.match(/[\s\S]{1,3}/g) ?? [];
/** JSON in which all characters beyond ASCII are escapes, as of Python. */
const escaped = (text: string) =>
  JSON.stringify({ input: text }).replace(
    /[^\0-\x7f]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

test.each([
  ["as JavaScript writes it", JSON.stringify({ input: CODE }), CODE],
  ["with spaces", ` { "input" : ${JSON.stringify(CODE)} } `, CODE],
  ["with escapes", escaped(CODE), CODE],
  ["with an escaped slash", '{"input": "a\\/b"}', "a/b"],
  ["with more members", '{"input": "a", "more": [1]}', "a"],
  ["without input", "{}", ""],
  ["of another parameter", '{"code": "1\\n"}', '{"code": "1\\n"}'],
  ["that is no text", '{"input": {"a": [1]}}', '{"input": {"a": [1]}}'],
])("the input of a call %s", async (_, args, input) => {
  const { post } = await testApp({ reply: () => pieces(call("run_python", args)) });
  const body = chatCompletionSchema.parse(await (await post(PATH, request)).json());
  expect(body.choices[0]).toMatchObject({
    finish_reason: "tool_calls",
    message: { content: null, tool_calls: [{ type: "custom", custom: { name: "run_python", input } }] },
  });
  const { events } = await readEvents<OpenAI.ChatCompletionChunk>(
    await post(PATH, { ...request, stream: true }),
  );
  for (const event of events) chatChunkSchema.parse(event);
  const deltas = events.flatMap((event) => event.choices[0]?.delta.tool_calls ?? []) as unknown as {
    custom: { name?: string; input: string };
  }[];
  const [first, ...rest] = deltas;
  expect(first).toMatchObject({ index: 0, type: "custom", custom: { name: "run_python", input: "" } });
  expect(rest.map((delta) => delta.custom.input).join("")).toBe(input);
  expect(rest.every((delta) => Object.keys(delta).join() === "index,custom")).toBe(true);
  // Each is well-formed alone, as clients may show it at once.
  expect(rest.some((delta) => /\p{Surrogate}/u.test(delta.custom.input))).toBe(false);
});

test("the input streams as it is written", async () => {
  const { post } = await testApp({ reply: () => pieces(call("run_python", escaped(CODE.repeat(5)))) });
  const { events } = await readEvents<OpenAI.ChatCompletionChunk>(
    await post(PATH, { ...request, stream: true }),
  );
  expect(events.length).toBeGreaterThan(20);
});

test("functions and custom tools in one reply; those of n replies are apart", async () => {
  const text = call("run_python", '{"input": "1"}') + call("get_weather", '{"input": "2"}');
  const { post } = await testApp({ reply: () => pieces(text) });
  const expected = [
    { type: "custom", custom: { name: "run_python", input: "1" } },
    { type: "function", function: { name: "get_weather", arguments: '{"input": "2"}' } },
  ];
  const body = await (await post(PATH, { ...request, n: 2 })).json();
  for (const { message } of body.choices) expect(message.tool_calls).toMatchObject(expected);
});

test("a call that the limit cuts has the input so far", async () => {
  const { post } = await testApp({ reply: () => pieces(call("run_python", '{"input": "abcdefghijk"}')) });
  const body = await (await post(PATH, { ...request, max_tokens: 22 })).json();
  const [{ message, finish_reason }] = body.choices;
  expect(finish_reason).toBe("length");
  expect("abcdefghijk").toContain(message.tool_calls[0].custom.input);
  expect(message.tool_calls[0].custom.input).not.toBe("");
});

test("a call that the limit cuts before its text has no input", async () => {
  const text = call("run_python", '{"input": "abc"}');
  const { post } = await testApp({ reply: () => pieces(text) });
  const max_tokens = pieces(text.slice(0, text.indexOf("input"))).length;
  const [choice] = (await (await post(PATH, { ...request, max_tokens })).json()).choices;
  expect(choice.finish_reason).toBe("length");
  expect(choice.message.tool_calls[0].custom).toEqual({ name: "run_python", input: "" });
});

test("the model reads a function with one parameter, and the grammar in its description", async () => {
  const { post, engine } = await testApp();
  await post(PATH, { ...request, tools: [python, regex("^[a-z]+$")] });
  const prompt = engine.requests[0]!.prompt;
  expect(prompt).toContain('"name": "run_python", "description": "Runs Python."');
  expect(prompt).toContain('"input": {"type": "string"}');
  expect(prompt).toContain("regular expression:\\n^[a-z]+$");
});

test("calls and results of earlier turns are in the prompt, and the reply is reused", async () => {
  const { post, engine } = await testApp({ reply: () => pieces(call("run_python", escaped(CODE))) });
  const first = await (await post(PATH, request)).json();
  const reply = first.choices[0].message;
  const result = { role: "tool", tool_call_id: reply.tool_calls[0].id, content: "done" };
  const next = await post(PATH, { ...request, messages: [...messages, reply, result] });
  expect(next.status).toBe(200);
  const [before, after] = engine.requests.map((sent) => String(sent.prompt));
  // Exactly the text that the model wrote, so that its tokens are in the cache.
  expect(after!.startsWith(before + call("run_python", escaped(CODE)))).toBe(true);
  expect(after).toContain("done");
});

describe("tool_choice", () => {
  let grammars: GrammarEngine;
  beforeAll(async () => {
    grammars = await GrammarEngine.load();
  });
  const tools = [python, weather, regex('(?P<y>\\d{4})-"[^a]')];
  const custom = (name: string) => ({ type: "custom", custom: { name } });

  test.each([
    ["the tool", custom("date")],
    [
      "allowed tools",
      { type: "allowed_tools", allowed_tools: { mode: "required", tools: [custom("date"), weather] } },
    ],
  ])("of %s enforces the regex", async (_, choice) => {
    const { post, engine } = await testApp({ reply: () => [call("date", "{}")] });
    const sent = { ...request, tools, tool_choice: choice };
    expect((await post(PATH, sent)).status).toBe(200);
    const written = (input: string) => call("date", JSON.stringify({ input }));
    const texts = ['2026-"\n', '2026-"😀', '2026-"a', '2026-"', "x", '2026-"bb'].map(written);
    const verdicts = await grammars.judge(engine.requests[0]!.constraint!, [
      ...texts,
      call("run_python", '{"input": ""}'),
    ]);
    expect(verdicts).toEqual(["match", "match", "no", "no", "no", "no", "no"]);
  });

  test.each([
    ["a custom tool of another name", custom("other"), "tool_choice.custom.name"],
    ["a function as a custom tool", custom("get_weather"), "tool_choice.custom.name"],
    [
      "a custom tool as a function",
      { type: "function", function: { name: "date" } },
      "tool_choice.function.name",
    ],
    [
      "allowed tools that are unknown",
      { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [custom("other")] } },
      "tool_choice.allowed_tools.tools",
    ],
  ])("of %s is a 400", async (_, choice, param) => {
    const { post } = await testApp();
    const response = await post(PATH, { ...request, tools, tool_choice: choice });
    expect(response.status).toBe(400);
    expect((await response.json()).error).toMatchObject({ code: "invalid_value", param });
  });
});

const GRAMMAR = "tools[0].custom.format.grammar.definition";

test.each([
  ["no name", { type: "custom", custom: {} }, "missing_required_parameter", "tools[0].custom.name"],
  ["no object", { type: "custom", name: "a" }, "missing_required_parameter", "tools[0].custom"],
  ["a wrong name", { type: "custom", custom: { name: "a b" } }, "invalid_value", "tools[0].custom.name"],
  [
    "an unknown format",
    { type: "custom", custom: { name: "a", format: { type: "json" } } },
    "invalid_value",
    "tools[0].custom.format.type",
  ],
  [
    "an unknown syntax",
    {
      type: "custom",
      custom: { name: "a", format: { type: "grammar", grammar: { syntax: "gbnf", definition: "" } } },
    },
    "invalid_value",
    "tools[0].custom.format.grammar.syntax",
  ],
  [
    "a grammar as in Responses",
    { type: "custom", custom: { name: "a", format: { type: "grammar", syntax: "regex", definition: "" } } },
    "missing_required_parameter",
    "tools[0].custom.format.grammar",
  ],
  ["an invalid regex", regex("("), "invalid_grammar", GRAMMAR],
  ["lookaround", regex("(?=a)b"), "invalid_grammar", GRAMMAR],
  ["a regex that nothing matches", regex("[^\\s\\S]"), "invalid_grammar", GRAMMAR],
  ["too large a regex", regex("(([a-z]{1,100}){1,100}){1,100}"), "invalid_grammar", GRAMMAR],
  ["a flag in the middle", regex("a(?i)b"), "invalid_grammar", GRAMMAR],
  ["a class in a class", regex("[[:alpha:]]"), "invalid_grammar", GRAMMAR],
])("a tool with %s is a 400", async (_, tool, code, param) => {
  const { post } = await testApp();
  const response = await post(PATH, { ...request, tools: [tool] });
  expect(response.status).toBe(400);
  expect((await response.json()).error).toMatchObject({ code, param });
});

test("a custom tool and a function may not have the same name", async () => {
  const { post } = await testApp();
  const tools = [weather, { type: "custom", custom: { name: "get_weather" } }];
  const { error } = await (await post(PATH, { ...request, tools })).json();
  expect(error).toMatchObject({ code: "invalid_value", param: "tools[1].custom.name" });
});

test("the openai package sends them, reads their calls, and sends these back", async () => {
  const { app, apiKey } = await testApp({ reply: () => pieces(call("run_python", '{"input": "1 + 1"}')) });
  const client = new OpenAI({
    apiKey,
    baseURL: "https://app.test/v1",
    maxRetries: 0,
    fetch: (input, init) => app.fetch(new Request(input, init)),
  });
  const tools = [{ type: "custom", custom: { name: "run_python", format: { type: "text" } } }] as const;
  const sent = { model: "infetch-tiny", tools: [...tools] };
  const user = { role: "user", content: "1 + 1?" } as const;
  const { choices } = await client.chat.completions.create({ ...sent, messages: [user] });
  const [one] = choices[0]!.message.tool_calls!;
  if (one?.type !== "custom") throw new Error("No custom call.");
  expect(one.custom).toEqual({ name: "run_python", input: "1 + 1" });
  const result = { role: "tool", tool_call_id: one.id, content: "2" } as const;
  const next = await client.chat.completions.create({
    ...sent,
    messages: [user, choices[0]!.message, result],
  });
  expect(next.choices[0]!.message.tool_calls).toHaveLength(1);
});
