import type OpenAI from "openai";
import { expect, test } from "vitest";
import { readEvents, testApp } from "../../support/test-app.ts";

const weather = {
  name: "get_weather",
  description: "Weather of a city.",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};
const messages = [{ role: "user", content: "Weather in Paris?" }];
const request = { model: "infetch-tiny", messages, functions: [weather] };
const CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>';
const PATH = "/v1/chat/completions";
const pieces = (text: string): string[] => text.match(/[\s\S]{1,3}/g) ?? [];

test("functions are tools: the call comes as function_call, and the prompt is that of tools", async () => {
  const { post, engine } = await testApp({ reply: () => pieces(CALL) });
  const { choices } = await (await post(PATH, request)).json();
  expect(choices[0]).toMatchObject({
    finish_reason: "function_call",
    message: { content: null, function_call: { name: "get_weather", arguments: '{"city": "Paris"}' } },
  });
  expect(choices[0].message).not.toHaveProperty("tool_calls");
  const tools = [{ type: "function", function: weather }];
  await post(PATH, { model: "infetch-tiny", messages, tools, parallel_tool_calls: false });
  expect(engine.requests[0]?.prompt).toBe(engine.requests[1]?.prompt);
  expect(engine.requests[0]?.constraint).toEqual(engine.requests[1]?.constraint);
});

test("streamed: the name first, then the arguments in pieces", async () => {
  const { post } = await testApp({ reply: () => pieces(CALL) });
  const { events } = await readEvents<OpenAI.ChatCompletionChunk>(
    await post(PATH, { ...request, stream: true }),
  );
  const deltas = events.map((event) => event.choices[0]!.delta);
  const calls = deltas.flatMap((delta) => delta.function_call ?? []);
  expect(calls[0]).toEqual({ name: "get_weather", arguments: "" });
  expect(calls.map((call) => call.arguments).join("")).toBe('{"city": "Paris"}');
  expect(deltas.every((delta) => !("tool_calls" in delta))).toBe(true);
  expect(events.at(-1)?.choices[0]?.finish_reason).toBe("function_call");
});

test("function_call chooses as tool_choice does", async () => {
  const { post, engine } = await testApp({ reply: () => pieces(CALL) });
  await post(PATH, { ...request, function_call: { name: "get_weather" } });
  await post(PATH, { ...request, function_call: "none" });
  expect(JSON.stringify(engine.requests[0]?.constraint)).not.toContain("triggered_tags");
  expect(engine.requests[1]?.prompt).not.toContain("get_weather");
  expect((await post(PATH, { model: "infetch-tiny", messages, function_call: "none" })).status).toBe(200);
});

test("calls and results of earlier turns are those of tools", async () => {
  const { post, engine } = await testApp();
  const call = { name: "get_weather", arguments: '{"city":"Paris"}' };
  await post(PATH, {
    ...request,
    messages: [
      ...messages,
      { role: "assistant", content: null, function_call: call },
      { role: "function", name: "get_weather", content: "12 degrees" },
    ],
  });
  await post(PATH, {
    model: "infetch-tiny",
    tools: [{ type: "function", function: weather }],
    messages: [
      ...messages,
      { role: "assistant", content: null, tool_calls: [{ id: "c", type: "function", function: call }] },
      { role: "tool", tool_call_id: "c", content: "12 degrees" },
    ],
  });
  expect(engine.requests[0]?.prompt).toBe(engine.requests[1]?.prompt);
  expect(engine.requests[0]?.prompt).toContain("12 degrees");
});

test("a call without a result has an empty one", async () => {
  const { post, engine } = await testApp();
  const call = { name: "get_weather", arguments: "{}" };
  const asked = [...messages, { role: "assistant", content: null, function_call: call }, ...messages];
  expect((await post(PATH, { ...request, messages: asked })).status).toBe(200);
  expect(engine.requests[0]?.prompt).toContain("<tool_response>\n\n</tool_response>");
});

test.each([
  { functions: [] },
  { function_call: "none" },
  { messages: [{ role: "assistant", function_call: { name: "f", arguments: "{}" } }, ...messages] },
])("a request with tools has its calls as tool_calls, all of them: %j", async (fields) => {
  const tools = [{ type: "function", function: weather }];
  const { post } = await testApp({ reply: () => pieces(`${CALL}\n${CALL}`) });
  const body = { model: "infetch-tiny", messages, tools, ...fields };
  const { choices } = await (await post(PATH, body)).json();
  expect(choices[0].finish_reason).toBe("tool_calls");
  expect(choices[0].message.tool_calls).toHaveLength(2);
  expect(choices[0].message).not.toHaveProperty("function_call");
});

test.each<[object, string]>([
  [{ functions: [{ name: "a b" }] }, "functions[0].name"],
  [{ functions: [{ name: "f", parameters: { type: "nope" } }] }, "functions[0].parameters"],
  [{ function_call: "auto", functions: [] }, "function_call"],
  [{ function_call: { name: "other" } }, "function_call"],
  [{ tools: [{ type: "function", function: weather }] }, "functions"],
  [{ messages: [...messages, { role: "function", name: "f", content: "x" }] }, "messages[1].role"],
  [{ messages: [{ role: "assistant", function_call: { name: 5 } }] }, "messages[0].function_call"],
  [
    { messages: [{ role: "assistant", function_call: { name: "", arguments: "" } }] },
    "messages[0].function_call",
  ],
])("%j → 400 that names %s", async (fields, param) => {
  const { post } = await testApp();
  const response = await post(PATH, { ...request, ...fields });
  const { error } = await response.json();
  expect([response.status, error.param]).toEqual([400, param]);
  expect(error.message).not.toContain("tools[");
});

test("after an earlier function_call, an error of 'tools' names them as the request does", async () => {
  const { post } = await testApp();
  const call = { role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } };
  const tools = [{ type: "function", function: { name: "a b" } }];
  const body = { model: "infetch-tiny", messages: [call, ...messages], tools };
  const { error } = await (await post(PATH, body)).json();
  expect(error.param).toBe("tools[0].function.name");
  expect(error.message).toContain("'tools[0].function.name'");
});

test("an error names the message of the request, although a call without a result gets one", async () => {
  const { post } = await testApp();
  const call = { role: "assistant", content: null, function_call: { name: "get_weather", arguments: "{}" } };
  const faulty = [...messages, call, { role: "user", content: "Well?" }, { role: "user", content: 5 }];
  const { error } = await (await post(PATH, { ...request, messages: faulty })).json();
  expect(error.param).toBe("messages[3].content");
  expect(error.message).toContain("'messages[3].content'");
});

test("so does the error of an image, which is read after the request is parsed", async () => {
  const { post } = await testApp();
  const call = { role: "assistant", content: null, function_call: { name: "get_weather", arguments: "{}" } };
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
  const seen = [...messages, call, { role: "user", content: [image] }];
  const { error } = await (await post(PATH, { ...request, messages: seen })).json();
  expect(error.param).toBe("messages[2].content[0]");
  expect(error.message).toContain("'messages[2].content[0]'");
});

test("a model without tools refuses 'functions' under their own name", async () => {
  const template = { source: "{{ messages[0].content }}", bos: "", eos: "", engineAddsBos: false };
  const { post } = await testApp({ template });
  const error = async (body: object) =>
    (await (await post(PATH, { model: "plain", messages, ...body })).json()).error;
  const code = "unsupported_parameter";
  expect(await error({ functions: [weather] })).toMatchObject({
    code,
    param: "functions",
    message: expect.stringContaining("'functions' is not supported with 'plain'"),
  });
  expect(await error({ tools: [{ type: "function", function: weather }] })).toMatchObject({
    code,
    param: "tools",
  });
});

test("the error for two functions of one name names no 'tools'", async () => {
  const { post } = await testApp();
  const { error } = await (await post(PATH, { ...request, functions: [weather, weather] })).json();
  expect(error).toMatchObject({
    param: "functions[1].name",
    message: "Duplicate function name 'get_weather'.",
  });
});
