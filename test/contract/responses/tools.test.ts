import { expect, test } from "vitest";
import { lastResponse, readResponse, readResponseStream } from "../../support/response-stream.ts";
import { testApp } from "../../support/test-app.ts";

const PATH = "/v1/responses";
const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const weather = { type: "function", name: "get_weather", description: "Weather of a city.", parameters };
const request = { model: "infetch-tiny", input: "Weather in Paris?", tools: [weather] };
const CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>';
const ARGUMENTS = '{"city": "Paris"}';
const pieces = (text: string): string[] => text.match(/[\s\S]{1,3}/g) ?? [];
const replying = (text: string) => testApp({ reply: () => pieces(text) });

test("a call is an item of its own, with an id of its own", async () => {
  const { post } = await replying(CALL);
  const body = await readResponse(await post(PATH, request));
  expect(body).toMatchObject({
    status: "completed",
    output: [
      {
        id: expect.stringMatching(/^fc_\w{29}$/),
        type: "function_call",
        status: "completed",
        call_id: expect.stringMatching(/^call_\w{24}$/),
        name: "get_weather",
        arguments: ARGUMENTS,
      },
    ],
    tools: [{ ...weather, strict: null }],
  });
});

test("streamed: the call is announced with its name, then its arguments come in pieces", async () => {
  const { post } = await replying(CALL);
  const events = await readResponseStream(await post(PATH, { ...request, stream: true }));
  expect(events[2]).toMatchObject({ item: { name: "get_weather", arguments: "", status: "in_progress" } });
  const deltas = events.flatMap((event) =>
    event.type === "response.function_call_arguments.delta" ? [event.delta] : [],
  );
  expect(deltas.length).toBeGreaterThan(3);
  expect(deltas.join("")).toBe(ARGUMENTS);
  expect(events.slice(-3)).toMatchObject([
    { type: "response.function_call_arguments.done", name: "get_weather", arguments: ARGUMENTS },
    { type: "response.output_item.done", item: { status: "completed" } },
    { type: "response.completed" },
  ]);
});

test("text, two calls and text again are four items; parallel_tool_calls: false ends with the first", async () => {
  const { post } = await replying(`Let me look.\n${CALL}\n${CALL}\nDone.`);
  const events = await readResponseStream(await post(PATH, { ...request, stream: true }));
  const kinds = lastResponse(events).output.map((item) => item.type);
  expect(kinds).toEqual(["message", "function_call", "function_call", "message"]);
  const callIds = lastResponse(events).output.flatMap((item) =>
    item.type === "function_call" ? [item.call_id] : [],
  );
  expect(new Set(callIds).size).toBe(2);
  const one = await readResponse(await post(PATH, { ...request, parallel_tool_calls: false }));
  expect(one.output.map((item) => item.type)).toEqual(["message", "function_call"]);
});

test("a call that the limit cut off is incomplete, and so is the response", async () => {
  const { post } = await replying(CALL);
  const cut = { ...request, max_output_tokens: 20 };
  const body = await readResponse(await post(PATH, cut));
  expect(body).toMatchObject({
    status: "incomplete",
    output: [{ type: "function_call", status: "incomplete" }],
  });
  const events = await readResponseStream(await post(PATH, { ...cut, stream: true }));
  expect(events.at(-2)).toMatchObject({ type: "response.output_item.done", item: { status: "incomplete" } });
});

test.each([
  ["required", "required"],
  ["a function", { type: "function", name: "get_weather" }],
  [
    "allowed tools",
    { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "get_weather" }] },
  ],
])("tool_choice %s constrains the whole reply to calls", async (_, choice) => {
  const { post, engine } = await replying(CALL);
  const body = await readResponse(await post(PATH, { ...request, tool_choice: choice }));
  expect(body.tool_choice).toEqual(choice);
  expect(engine.requests[0]?.constraint?.type).toBe("structural-tag");
  expect(JSON.stringify(engine.requests[0]?.constraint)).not.toContain("triggered_tags");
});

test("tool_choice none: the model is not told of the tools", async () => {
  const { post, engine } = await replying(CALL);
  const body = await readResponse(await post(PATH, { ...request, tool_choice: "none" }));
  expect(body.output).toMatchObject([{ type: "message", content: [{ text: CALL }] }]);
  expect(engine.requests[0]?.prompt).not.toContain("get_weather");
});

const THOUGHT = "<think>\nLet me see.\n</think>\n\nFour.";

test("thoughts are an item in front, in the open model's own words", async () => {
  const { post, engine } = await replying(THOUGHT);
  const body = { model: "infetch-tiny", input: "2+2?", reasoning: { effort: "low" } };
  const events = await readResponseStream(await post(PATH, { ...body, stream: true }));
  expect(lastResponse(events)).toMatchObject({
    reasoning: { effort: "low", summary: null },
    output: [
      { type: "reasoning", summary: [], content: [{ type: "reasoning_text", text: "Let me see." }] },
      { type: "message", content: [{ text: "Four." }] },
    ],
  });
  expect(lastResponse(events).usage?.output_tokens_details.reasoning_tokens).toBeGreaterThan(0);
  const kinds = new Set(events.map((event) => event.type));
  expect(kinds).toContain("response.reasoning_text.delta");
  expect(kinds).not.toContain("response.reasoning_summary_text.delta");
  expect(engine.requests[0]?.prompt).toContain("/think<|im_end|>");
});

test.each(["auto", "detailed"])("a summary of %s is asked for: the thoughts come as one", async (summary) => {
  const { post } = await replying(THOUGHT);
  const body = { model: "infetch-tiny", input: "2+2?", reasoning: { effort: "low", summary } };
  const events = await readResponseStream(await post(PATH, { ...body, stream: true }));
  expect(lastResponse(events).output[0]).toEqual({
    id: expect.stringMatching(/^rs_/),
    type: "reasoning",
    status: "completed",
    summary: [{ type: "summary_text", text: "Let me see." }],
  });
  const kinds = new Set(events.map((event) => event.type));
  expect(kinds).toContain("response.reasoning_summary_text.delta");
  expect(kinds).not.toContain("response.reasoning_text.delta");
});

test.each([
  ["text", "Four."],
  ["a thought before calls", `<think>\nHm.\n</think>\n\nLook:\n${CALL}\n${CALL}`],
])("output sent back as it came is the model's own words again: %s", async (_, raw) => {
  const { post, engine } = await replying(raw);
  const first = await readResponse(await post(PATH, request));
  const results = first.output.flatMap((item) =>
    item.type === "function_call"
      ? [{ type: "function_call_output", call_id: item.call_id, output: "sunny" }]
      : [],
  );
  const history = [{ role: "user", content: request.input }, ...first.output, ...results];
  const next = results.length > 0 ? history : [...history, { role: "user", content: "And then?" }];
  await readResponse(await post(PATH, { ...request, input: next }));
  const [before, after] = engine.requests.map((sent) => String(sent.prompt));
  expect(after?.startsWith(`${before}${raw}<|im_end|>\n`)).toBe(true);
});

test("JSON is constrained, and shown in the response", async () => {
  const { post, engine } = await replying("{}");
  const schema = { type: "object", properties: {}, required: [], additionalProperties: false };
  const format = { type: "json_schema", name: "thing", schema };
  const body = await readResponse(await post(PATH, { model: "plain", input: "x", text: { format } }));
  expect(body.text.format).toEqual({ ...format, description: null, strict: false });
  await post(PATH, { model: "plain", input: "x", text: { format: { type: "json_object" } } });
  const kinds = engine.requests.map((sent) => sent.constraint?.type);
  expect(kinds).toEqual(["grammar", "grammar"]);
});

const group = {
  type: "namespace",
  name: "home",
  description: "Devices at home.",
  tools: [
    { type: "function", name: "get_weather", description: "Weather at home.", parameters },
    { type: "function", name: "lights_off" },
  ],
};
const GROUPED_CALL = CALL.replace("get_weather", "home__get_weather");

test("functions of a namespace: the call has both names, and its result goes back", async () => {
  const { post, engine } = await replying(GROUPED_CALL);
  const lastPrompt = () => engine.requests.at(-1)?.prompt;
  const grouped = { ...request, tools: [weather, group] };
  const body = await readResponse(await post(PATH, grouped));
  const [call] = body.output;
  expect(call).toMatchObject({ type: "function_call", namespace: "home", name: "get_weather" });
  expect(body.tools[1]).toEqual({
    ...group,
    tools: group.tools.map((tool) => ({ description: null, parameters: null, strict: null, ...tool })),
  });
  expect(lastPrompt()).toContain("home__lights_off");
  expect(lastPrompt()).toContain("Devices at home.\\n\\nWeather at home.");
  const events = await readResponseStream(await post(PATH, { ...grouped, stream: true }));
  expect(lastResponse(events).output).toMatchObject([{ namespace: "home", name: "get_weather" }]);
  expect(events.find((event) => event.type === "response.function_call_arguments.done")).toMatchObject({
    name: "get_weather",
  });
  const result = {
    type: "function_call_output",
    call_id: (call as { call_id: string }).call_id,
    output: "12",
  };
  const input = [{ role: "user", content: "Weather?" }, call, result];
  await readResponse(await post(PATH, { ...grouped, input }));
  expect(lastPrompt()).toContain('"name": "home__get_weather"');
});

test("a choice names a function without its namespace: all functions of that name", async () => {
  const { post, engine } = await replying(GROUPED_CALL);
  const choose = async (name: string) => {
    await post(PATH, { ...request, tools: [weather, group], tool_choice: { type: "function", name } });
    return JSON.stringify(engine.requests.at(-1)?.constraint);
  };
  expect(await choose("lights_off")).toContain("home__lights_off");
  const both = await choose("get_weather");
  expect(both).toContain("home__get_weather");
  expect(both).not.toContain("lights_off");
});

test("a function and its namespace may both have the longest names", async () => {
  const [namespace, name] = ["n".repeat(64), "f".repeat(128)];
  const { post } = await replying(CALL.replace("get_weather", `${namespace}__${name}`));
  const tools = [{ ...group, name: namespace, tools: [{ type: "function", name }] }];
  const { output } = await readResponse(await post(PATH, { ...request, tools }));
  expect(output).toMatchObject([{ type: "function_call", namespace, name }]);
});

const misnamed = {
  ...group,
  tools: [group.tools[1], { type: "function", name: "f", parameters: { type: 1 } }],
};
const refusals: [tools: unknown[], param: string, code: string][] = [
  [[weather, { ...group, tools: [{ type: "shell" }] }], "tools[1].tools[0].type", "unsupported_tool"],
  [[misnamed], "tools[0].tools[1].parameters", "invalid_function_parameters"],
  [[{ ...group, name: "my home" }], "tools[0].name", "invalid_value"],
];
test.each(refusals)("an error in a namespace names its place: %#", async (tools, param, code) => {
  const { post } = await replying("Hi.");
  const response = await post(PATH, { ...request, tools });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { param, code } });
});
