/** Tools of the type `custom` in Responses. */

import { createOpenAI } from "@ai-sdk/openai";
import { generateText, stepCountIs, streamText, type ToolSet } from "ai";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { lastResponse, readResponse, readResponseStream } from "../../support/response-stream.ts";
import { plain, testApp } from "../../support/test-app.ts";
import { GrammarEngine } from "../../support/xgrammar.ts";

const PATH = "/v1/responses";
const python = { type: "custom", name: "run_python", description: "Runs Python." };
const date = {
  type: "custom",
  name: "date",
  format: { type: "grammar", syntax: "regex", definition: "^\\d{4}-\\d\\d$" },
};
const weather = { type: "function", name: "get_weather" };
const request = { model: "infetch-tiny", input: "1 + 1?", tools: [python, weather] };
const CODE = 'print("é")\n';
const call = (name: string, input: string) =>
  `<tool_call>\n{"name": "${name}", "arguments": {"input": ${JSON.stringify(input)}}}\n</tool_call>`;
const pieces = (text: string): string[] => text.match(/[\s\S]{1,3}/g) ?? [];
const replying = (...texts: string[]) => {
  let turn = 0;
  return testApp({ reply: () => pieces(texts[Math.min(turn++, texts.length - 1)]!) });
};

test("a call is an item of its own, and streams its input", async () => {
  const { post } = await replying(call("run_python", CODE));
  const expected = {
    id: expect.stringMatching(/^ctc_\w{29}$/),
    type: "custom_tool_call",
    status: "completed",
    call_id: expect.stringMatching(/^call_\w{24}$/),
    name: "run_python",
    input: CODE,
  };
  const body = await readResponse(await post(PATH, request));
  expect(body).toMatchObject({
    status: "completed",
    output: [expected],
    tools: [{ ...python, format: { type: "text" } }, weather],
  });
  const events = await readResponseStream(await post(PATH, { ...request, stream: true }));
  expect(lastResponse(events).output).toMatchObject([expected]);
  expect(events[2]).toMatchObject({ item: { name: "run_python", input: "", status: "in_progress" } });
  const deltas = events.flatMap((event) =>
    event.type === "response.custom_tool_call_input.delta" ? [event.delta] : [],
  );
  expect(deltas.length).toBeGreaterThan(3);
  expect(deltas.join("")).toBe(CODE);
  expect(events.at(-3)).toMatchObject({ type: "response.custom_tool_call_input.done", input: CODE });
});

test("a call that the limit cut off is incomplete", async () => {
  const { post } = await replying(call("run_python", "abcdefghijkl".repeat(4)));
  const cut = { ...request, max_output_tokens: 24 };
  const { status, output } = await readResponse(await post(PATH, cut));
  expect(status).toBe("incomplete");
  expect(output).toMatchObject([{ type: "custom_tool_call", status: "incomplete" }]);
  const events = await readResponseStream(await post(PATH, { ...cut, stream: true }));
  expect(events.at(-2)).toMatchObject({ type: "response.output_item.done", item: { status: "incomplete" } });
});

const FIRST = '<tool_call>\n{"name": "run_python", "arguments": ';

/** Of Qwen3-Coder: an argument is an element, which is read when it ends. */
const ELEMENTS =
  "{{ tools | tojson if tools }}{% for m in messages %}[{{ m.role }}]{{ m.content }}{% for c in m.tool_calls or [] %}" +
  "<tool_call>\n<function={{ c.function.name }}>\n{% for k, v in c.function.arguments.items() %}" +
  "<parameter={{ k }}>\n{{ v }}\n</parameter>\n{% endfor %}</function>\n</tool_call>{% endfor %}{% endfor %}[assistant]";

test.each([
  ["in elements", "<tool_call>\n<function=run_python>\n<parameter=input>\nprint(1", "", ELEMENTS],
  ["before the text", `${FIRST}{"inp`, "", undefined],
  ["of another parameter", `${FIRST}{"code": "abc`, '{"code": "abc', undefined],
])("a call %s that the limit cut off is incomplete", async (_, text, input, source) => {
  const template =
    source === undefined ? {} : { template: { source, bos: "", eos: "", engineAddsBos: false } };
  const written = pieces(text);
  const { post } = await testApp({ reply: () => [...written, "never written"], ...template });
  const cut = { ...request, model: source === undefined ? request.model : plain.id };
  const limit = { max_output_tokens: written.length };
  const body = await readResponse(await post(PATH, { ...cut, ...limit }));
  expect(body.incomplete_details).toEqual({ reason: "max_output_tokens" });
  expect(body.output).toMatchObject([{ type: "custom_tool_call", status: "incomplete", input }]);
});

test.each([
  ["at the end", ""],
  ["before other text", "\nMore."],
])("a call that the model broke off %s is incomplete, as one of a function is", async (_, after) => {
  // A line break is invalid in JSON: it ends the call.
  for (const name of ["run_python", "get_weather"]) {
    const { post } = await replying(
      `<tool_call>\n{"name": "${name}", "arguments": {"input": "print(1${after}`,
    );
    const { status, output } = await readResponse(await post(PATH, request));
    expect([status, output[0]?.status]).toEqual(["completed", "incomplete"]);
    const events = await readResponseStream(await post(PATH, { ...request, stream: true }));
    const done = events.flatMap((event) => (event.type === "response.output_item.done" ? [event.item] : []));
    expect(done.map((item) => item.status)).toEqual(output.map((item) => item.status));
  }
});

test("calls and outputs are sent back, by items or by reference", async () => {
  const { post, engine } = await replying(call("run_python", CODE));
  const { output } = await readResponse(await post(PATH, request));
  const [item] = output;
  if (item?.type !== "custom_tool_call") throw new Error("No custom call.");
  const result = {
    type: "custom_tool_call_output",
    call_id: item.call_id,
    output: [{ type: "input_text", text: "two" }],
  };
  for (const sent of [item, { type: "item_reference", id: item.id }]) {
    const input = [{ role: "user", content: "1 + 1?" }, sent, result];
    await readResponse(await post(PATH, { ...request, input }));
    const prompt = String(engine.requests.at(-1)!.prompt);
    expect(prompt).toContain(call("run_python", CODE));
    expect(prompt).toContain("two");
  }
});

test("in a namespace, beside a function of the same name", async () => {
  const group = { type: "namespace", name: "py", description: "Code.", tools: [python, weather] };
  const { post, engine } = await replying(call("py__run_python", CODE));
  const body = await readResponse(await post(PATH, { ...request, tools: [weather, group] }));
  expect(body.output).toMatchObject([
    { type: "custom_tool_call", namespace: "py", name: "run_python", input: CODE },
  ]);
  expect(body.tools[1]).toMatchObject({ tools: [{ ...python, format: { type: "text" } }, weather] });
  const history = [{ role: "user", content: "?" }, body.output[0]!];
  const callId = body.output[0]!.type === "custom_tool_call" ? body.output[0]!.call_id : "";
  const result = { type: "custom_tool_call_output", call_id: callId, output: "2" };
  await readResponse(await post(PATH, { ...request, tools: [group], input: [...history, result] }));
  expect(String(engine.requests.at(-1)!.prompt)).toContain('{"name": "py__run_python"');
});

test.each([
  ["the tool", { type: "custom", name: "date" }],
  [
    "allowed tools",
    { type: "allowed_tools", mode: "required", tools: [{ type: "custom", name: "date" }, weather] },
  ],
])("tool_choice of %s enforces the regex", async (_, choice) => {
  const { post, engine } = await replying(call("date", "2026-11"));
  const tools = [python, weather, date];
  const body = await readResponse(await post(PATH, { ...request, tools, tool_choice: choice }));
  expect(body.tool_choice).toEqual(choice);
  const grammars = await GrammarEngine.load();
  const texts = ["2026-11", "2026-1", "x"].map((input) => call("date", input));
  expect(await grammars.judge(engine.requests[0]!.constraint!, texts)).toEqual(["match", "no", "no"]);
});

test.each([
  ["no name", { tools: [{ type: "custom" }] }, "missing_required_parameter", "tools[0].name"],
  [
    "a grammar as in chats",
    {
      tools: [{ ...date, format: { type: "grammar", grammar: { syntax: "regex", definition: "a" } } }],
    },
    "missing_required_parameter",
    "tools[0].format.definition",
  ],
  [
    "an invalid regex in a namespace",
    {
      tools: [
        {
          type: "namespace",
          name: "n",
          description: "",
          tools: [weather, { ...date, format: { ...date.format, definition: "(" } }],
        },
      ],
    },
    "invalid_grammar",
    "tools[0].tools[1].format.definition",
  ],
  [
    "an unknown choice",
    { tool_choice: { type: "custom", name: "get_weather" } },
    "invalid_value",
    "tool_choice.name",
  ],
  [
    "an output without its call",
    { input: [{ type: "custom_tool_call_output", call_id: "call_1", output: "" }] },
    "invalid_value",
    "input[0].call_id",
  ],
])("%s is a 400", async (_, change, code, param) => {
  const { post } = await replying("Hi.");
  const response = await post(PATH, { ...request, ...change });
  expect(response.status).toBe(400);
  expect((await response.json()).error).toMatchObject({ code, param });
});

const sent = {
  custom_tool_call: { type: "custom_tool_call", call_id: "call_1", name: "run_python", input: "1" },
  function_call: { type: "function_call", call_id: "call_2", name: "get_weather", arguments: "{}" },
  custom_tool_call_output: { type: "custom_tool_call_output", call_id: "call_1", output: "" },
  function_call_output: { type: "function_call_output", call_id: "call_2", output: "" },
};

test.each([
  ["custom_tool_call", "No tool output found for custom tool call call_1."],
  ["function_call", "No tool output found for function call call_2."],
  ["custom_tool_call_output", "No tool call found for custom tool call output with call_id call_1."],
  ["function_call_output", "No tool call found for function call output with call_id call_2."],
] as const)("a %s alone is a 400 in OpenAI's words", async (type, message) => {
  const { post } = await replying("Hi.");
  const pairs = Object.values(sent).filter((item) => item.call_id !== sent[type].call_id);
  const input = [{ role: "user", content: "?" }, ...pairs, sent[type], { role: "user", content: "?" }];
  const response = await post(PATH, { ...request, input });
  expect(response.status).toBe(400);
  expect((await response.json()).error.message).toBe(message);
});

async function client(...texts: string[]) {
  const { app, apiKey, engine } = await replying(...texts);
  const fetch = (async (input: RequestInfo | URL, init?: RequestInit) =>
    app.fetch(new Request(input, init))) as typeof globalThis.fetch;
  return { settings: { apiKey, baseURL: "https://app.test/v1", fetch }, engine };
}

test("the openai package", async () => {
  const { settings } = await client(call("run_python", CODE), "Two.");
  const openai = new OpenAI({ ...settings, maxRetries: 0 });
  const tools: OpenAI.Responses.Tool[] = [{ type: "custom", name: "run_python" }];
  const sent = { model: "infetch-tiny", store: false, tools };
  const stream = openai.responses.stream({ ...sent, input: "1 + 1?" });
  const seen: string[] = [];
  stream.on("response.custom_tool_call_input.delta", ({ delta }) => void seen.push(delta));
  const { output } = await stream.finalResponse();
  expect(seen.join("")).toBe(CODE);
  const [item] = output;
  if (item?.type !== "custom_tool_call") throw new Error("No custom call.");
  const input: OpenAI.Responses.ResponseInput = [
    { role: "user", content: "1 + 1?" },
    item,
    { type: "custom_tool_call_output", call_id: item.call_id, output: "2" },
  ];
  expect((await openai.responses.create({ ...sent, input })).output_text).toBe("Two.");
});

test("the AI SDK runs a custom tool, whole and streamed", async () => {
  for (const run of ["whole", "streamed"]) {
    const { settings, engine } = await client(call("run_python", CODE), "Two.");
    const openai = createOpenAI(settings);
    const inputs: unknown[] = [];
    const tool = openai.tools.customTool({
      name: "run_python",
      format: { type: "text" },
      execute: (input) => {
        inputs.push(input);
        return "the result";
      },
    });
    const options = {
      model: openai.responses("infetch-tiny"),
      prompt: "1 + 1?",
      tools: { run_python: tool } as ToolSet,
      stopWhen: stepCountIs(3),
      providerOptions: { openai: { store: false } },
    };
    const text = run === "whole" ? (await generateText(options)).text : await streamText(options).text;
    expect(text).toBe("Two.");
    expect(inputs).toEqual([CODE]);
    expect(String(engine.requests[1]!.prompt)).toContain("the result");
  }
});
