import type OpenAI from "openai";
import { expect, test } from "vitest";
import { readEvents, testApp } from "../../support/test-app.ts";

const weather = {
  type: "function",
  function: {
    name: "get_weather",
    description: "Weather of a city.",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
};
const messages = [{ role: "user", content: "Weather in Paris?" }];
const request = { model: "infetch-tiny", messages, tools: [weather] };
const CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>';
const pieces = (text: string): string[] => text.match(/[\s\S]{1,3}/g) ?? [];

test("a call comes as OpenAI sends it: content null, id, name, arguments as text", async () => {
  const { post } = await testApp({ reply: () => pieces(CALL) });
  const { choices } = await (await post("/v1/chat/completions", request)).json();
  expect(choices[0]).toMatchObject({
    finish_reason: "tool_calls",
    message: {
      role: "assistant",
      content: null,
      tool_calls: [
        {
          id: expect.stringMatching(/^call_\w{24}$/),
          type: "function",
          function: { name: "get_weather", arguments: '{"city": "Paris"}' },
        },
      ],
    },
  });
});

test("streamed: id and name first, the arguments in pieces, then the finish reason", async () => {
  const { post } = await testApp({ reply: () => pieces(CALL) });
  const { events } = await readEvents<OpenAI.ChatCompletionChunk>(
    await post("/v1/chat/completions", { ...request, stream: true }),
  );
  const deltas = events.map((event) => event.choices[0]!.delta);
  expect(deltas[0]).toEqual({ role: "assistant", content: null, refusal: null });
  const calls = deltas.flatMap((delta) => delta.tool_calls ?? []);
  expect(calls[0]).toMatchObject({
    index: 0,
    type: "function",
    function: { name: "get_weather", arguments: "" },
  });
  expect(calls.slice(1).every((call) => !("id" in call) && !("name" in call.function!))).toBe(true);
  expect(calls.length).toBeGreaterThan(3);
  expect(calls.map((call) => call.function?.arguments).join("")).toBe('{"city": "Paris"}');
  expect(events.at(-1)?.choices[0]?.finish_reason).toBe("tool_calls");
});

test("several calls in one reply, and one only where parallel_tool_calls is false", async () => {
  const { post, engine } = await testApp({ reply: () => pieces(`${CALL}\n${CALL}`) });
  const both = await (await post("/v1/chat/completions", request)).json();
  expect(both.choices[0].message.tool_calls).toHaveLength(2);
  const one = await (await post("/v1/chat/completions", { ...request, parallel_tool_calls: false })).json();
  expect(one.choices[0].message.tool_calls).toHaveLength(1);
  expect(one.usage.completion_tokens).toBeLessThan(both.usage.completion_tokens);
  expect(engine.requests.map((sent) => sent.constraint?.type)).toEqual(["structural-tag", "structural-tag"]);
});

test("tool_choice none: the model is not told of the tools, and what looks like a call is text", async () => {
  const { post, engine } = await testApp({ reply: () => pieces(CALL) });
  const body = await (await post("/v1/chat/completions", { ...request, tool_choice: "none" })).json();
  expect(body.choices[0]).toMatchObject({ finish_reason: "stop", message: { content: CALL } });
  expect(engine.requests[0]?.prompt).not.toContain("get_weather");
  expect(engine.requests[0]?.constraint).toBeUndefined();
});

test.each([
  ["required", { tool_choice: "required" }],
  ["a named function", { tool_choice: { type: "function", function: { name: "get_weather" } } }],
])("tool_choice %s constrains the whole reply to calls", async (_, choice) => {
  const { post, engine } = await testApp({ reply: () => pieces(CALL) });
  await post("/v1/chat/completions", { ...request, ...choice });
  expect(JSON.stringify(engine.requests[0]?.constraint)).not.toContain("triggered_tags");
  expect(engine.requests[0]?.constraint?.type).toBe("structural-tag");
});

test.each([
  ["a named function", { type: "function", function: { name: "other" } }],
  [
    "allowed tools",
    {
      type: "allowed_tools",
      allowed_tools: { mode: "required", tools: [{ type: "function", function: { name: "other" } }] },
    },
  ],
])("with %s, the reader takes the tools of the constraint for calls, and no other", async (_, choice) => {
  const { post, engine } = await testApp({ reply: () => pieces(CALL) });
  const other = { type: "function", function: { name: "other" } };
  const body = await (
    await post("/v1/chat/completions", { ...request, tools: [weather, other], tool_choice: choice })
  ).json();
  expect(engine.requests[0]?.reader.tools?.names).toEqual(["other"]);
  expect(body.choices[0].message).toMatchObject({ content: CALL });
});

test("the round trip: calls and results are rendered in the model's own form", async () => {
  const { post, engine } = await testApp();
  const call = {
    id: "call_1",
    type: "function",
    function: { name: "get_weather", arguments: '{"city":"Paris"}' },
  };
  await post("/v1/chat/completions", {
    ...request,
    messages: [
      ...messages,
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "call_1", content: '{"sky": "sunny"}' },
    ],
  });
  const prompt = String(engine.requests[0]?.prompt);
  expect(prompt).toContain(`<|im_start|>assistant\n${CALL}<|im_end|>\n`);
  expect(prompt).toContain(
    '<|im_start|>user\n<tool_response>\n{"sky": "sunny"}\n</tool_response><|im_end|>\n',
  );
  expect(prompt.startsWith("<|im_start|>system\n# Tools\n\n")).toBe(true);
});

test("thinking is split out, counted, and asked for with the model's own switch", async () => {
  const reply = () => ["<think>", "\n", "Let me", " see.", "\n</think>\n\n", "Four", "."];
  const { post, engine } = await testApp({ reply });
  const body = await (
    await post("/v1/chat/completions", { model: "infetch-tiny", messages, reasoning_effort: "low" })
  ).json();
  expect(body.choices[0].message).toMatchObject({ content: "Four.", reasoning_content: "Let me see." });
  expect(body.usage.completion_tokens_details.reasoning_tokens).toBeGreaterThan(0);
  expect(engine.requests[0]?.prompt).toContain("<|im_start|>system\n/think<|im_end|>");
  const { events } = await readEvents<OpenAI.ChatCompletionChunk>(
    await post("/v1/chat/completions", { model: "infetch-tiny", messages, stream: true }),
  );
  const deltas = events.map(
    (event) => event.choices[0]!.delta as { content?: string; reasoning_content?: string },
  );
  expect(deltas[0]).toEqual({ role: "assistant", content: null, refusal: null });
  expect(deltas.map((delta) => delta.reasoning_content ?? "").join("")).toBe("Let me see.");
  expect(deltas.map((delta) => delta.content ?? "").join("")).toBe("Four.");
  expect(engine.requests[1]?.prompt).not.toContain("/think");
});

test("thoughts are not rendered once the user has spoken again, as in published templates", async () => {
  const raw = "<think>\nHm.\n</think>\n\nFour.";
  const { post, engine } = await testApp({ reply: () => pieces(raw) });
  const first = await (await post("/v1/chat/completions", { model: "infetch-tiny", messages })).json();
  const { content } = first.choices[0].message;
  await post("/v1/chat/completions", {
    model: "infetch-tiny",
    messages: [...messages, { role: "assistant", content }, { role: "user", content: "And then?" }],
  });
  expect(String(engine.requests[1]?.prompt)).toContain(`${engine.requests[0]?.prompt}Four.<|im_end|>\n`);
});

test("what a stop string cut off never comes back into the prompt", async () => {
  const { post, engine } = await testApp({ reply: () => pieces("One END two") });
  const first = await (
    await post("/v1/chat/completions", { model: "infetch-tiny", messages, stop: "END" })
  ).json();
  const { content } = first.choices[0].message;
  expect(content).toBe("One ");
  const history = [...messages, { role: "assistant", content }, { role: "user", content: "And?" }];
  await post("/v1/chat/completions", { model: "infetch-tiny", messages: history, stop: "END" });
  expect(String(engine.requests[1]?.prompt)).toContain("assistant\nOne <|im_end|>");
});

test("JSON is constrained, also beside tools", async () => {
  const { post, engine } = await testApp();
  const schema = {
    type: "object",
    properties: { a: { type: "integer" } },
    required: ["a"],
    additionalProperties: false,
  };
  const format = { type: "json_schema", json_schema: { name: "a", schema, strict: true } };
  await post("/v1/chat/completions", {
    model: "infetch-tiny",
    messages,
    response_format: { type: "json_object" },
  });
  await post("/v1/chat/completions", { model: "infetch-tiny", messages, response_format: format });
  await post("/v1/chat/completions", { ...request, response_format: format });
  expect(engine.requests.map((sent) => sent.constraint?.type)).toEqual([
    "grammar",
    "grammar",
    "structural-tag",
  ]);
  const either = JSON.stringify(engine.requests[2]?.constraint);
  expect(either).toContain('"or"');
  // JSON terminates, so calls must too: xgrammar cannot compile a mix of both kinds.
  expect(either).not.toMatch(/triggered_tags|"stop_after_first":false/);
});

test("a schema or a tool that cannot be enforced is a 400 before anything runs", async () => {
  const { post, engine } = await testApp();
  const bad = { type: "object", properties: { a: { $ref: "#/nowhere" } } };
  const format = { type: "json_schema", json_schema: { name: "a", schema: bad } };
  const first = await post("/v1/chat/completions", {
    model: "infetch-tiny",
    messages,
    response_format: format,
  });
  expect([first.status, (await first.json()).error]).toMatchObject([
    400,
    { code: "invalid_json_schema", param: "response_format" },
  ]);
  const tools = [{ type: "function", function: { name: "f", parameters: bad } }];
  const second = await post("/v1/chat/completions", { model: "infetch-tiny", messages, tools });
  expect([second.status, (await second.json()).error]).toMatchObject([
    400,
    { code: "invalid_function_parameters", param: "tools[0].function.parameters" },
  ]);
  expect(engine.requests).toEqual([]);
});

test("a call without its marker is one at the beginning of a reply, and none where the answer must be JSON", async () => {
  const { post } = await testApp({ reply: () => pieces('{"name": "f", "arguments": {}}') });
  const tools = [{ type: "function", function: { name: "f" } }];
  const ask = async (fields: object) => {
    const messages = [{ role: "user", content: "Hi" }];
    const answer = await post("/v1/chat/completions", { model: "infetch-tiny", messages, tools, ...fields });
    return (await answer.json()).choices[0];
  };
  expect(await ask({})).toMatchObject({ finish_reason: "tool_calls", message: { content: null } });
  const json = await ask({ response_format: { type: "json_object" } });
  expect(json).toMatchObject({
    finish_reason: "stop",
    message: { content: '{"name": "f", "arguments": {}}' },
  });
});
