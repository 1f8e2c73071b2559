import { expect, test } from "vitest";
import { testApp } from "../../support/test-app.ts";

const PATH = "/v1/responses";
const model = "infetch-tiny";
const f = { type: "function", name: "f" };
const call = { type: "function_call", call_id: "call_1", name: "f", arguments: "{}" };
const output = { type: "function_call_output", call_id: "call_1", output: "x" };
const user = { role: "user", content: "Hi" };
const text = (format: object) => ({ text: { format } });

const MISSING = "missing_required_parameter";
const UNSUPPORTED = "unsupported_parameter";
const UNSUPPORTED_VALUE = "unsupported_value";

/** Invalid fields, sent beside `model`: fields, `param`, `code`. */
const BAD: [fields: object, param: string, code: string][] = [
  [{}, "input", MISSING],
  [{ input: 5 }, "input", "invalid_type"],
  [{ input: [] }, "input", "empty_array"],
  [{ input: [5] }, "input[0]", "invalid_type"],
  [{ input: [{}] }, "input[0].role", MISSING],
  [{ input: [{ type: "item_reference" }] }, "input[0].id", MISSING],
  [{ input: [{ type: "item_reference", id: 5 }] }, "input[0].id", "invalid_type"],
  [{ input: [{ role: "robot", content: "x" }] }, "input[0].role", "invalid_value"],
  [{ input: [{ role: "user" }] }, "input[0].content", MISSING],
  [{ input: [{ role: "user", content: 5 }] }, "input[0].content", "invalid_type"],
  [{ input: [{ role: "user", content: [{ type: "input_text" }] }] }, "input[0].content[0].text", MISSING],
  [
    { input: [{ role: "user", content: [{ type: "output_text", text: "x" }] }] },
    "input[0].content[0].type",
    "invalid_value",
  ],
  [
    { input: [{ role: "assistant", content: [{ type: "input_text", text: "x" }] }] },
    "input[0].content[0].type",
    "invalid_value",
  ],
  [
    { input: [user, { role: "user", content: [{ type: "input_image", image_url: "data:," }] }] },
    "input[1].content[0]",
    "unsupported_content",
  ],
  [
    { input: [{ role: "user", content: [{ type: "input_text", text: "x" }, { type: "input_file" }] }] },
    "input[0].content[1]",
    "unsupported_content",
  ],
  [{ input: [{ type: "robot_call" }] }, "input[0].type", "invalid_value"],
  [{ input: [{ type: "web_search_call", id: "ws_1" }] }, "input[0]", "unsupported_item"],
  [{ input: [{ type: "configuration_update", reasoning: {} }] }, "input[0]", "unsupported_item"],
  [{ input: [{ type: "function_call", name: "f", arguments: "{}" }] }, "input[0].call_id", MISSING],
  [{ input: [{ ...call, arguments: {} }] }, "input[0].arguments", "invalid_type"],
  [{ input: [{ ...call, status: "odd" }, output] }, "input[0].status", "invalid_value"],
  [{ input: [user, call] }, "input", "invalid_value"],
  [{ input: [output, user, call] }, "input[0].call_id", "invalid_value"],
  [{ input: [call, { ...call, call_id: "call_2" }, output] }, "input", "invalid_value"],
  [{ input: [user, output] }, "input[1].call_id", "invalid_value"],
  [
    { input: [call, { ...output, output: [{ type: "input_image" }] }] },
    "input[1].output[0]",
    "unsupported_content",
  ],
  [{ input: [call, { ...output, output: 5 }] }, "input[1].output", "invalid_type"],
  [
    { input: [{ type: "reasoning", id: "rs_1", summary: [{ type: "x", text: "" }] }] },
    "input[0].summary[0].type",
    "invalid_value",
  ],
  [{ input: [{ type: "reasoning", id: "rs_1", summary: [{}] }] }, "input[0].summary[0].type", MISSING],
  [{ input: "Hi", store: true }, "store", UNSUPPORTED_VALUE],
  [{ input: "Hi", store: "no" }, "store", "invalid_type"],
  [{ input: "Hi", previous_response_id: "resp_1" }, "previous_response_id", UNSUPPORTED],
  [{ previous_response_id: "resp_1" }, "previous_response_id", UNSUPPORTED],
  [{ input: "Hi", conversation: "conv_1" }, "conversation", UNSUPPORTED],
  [{ input: "Hi", background: true }, "background", UNSUPPORTED_VALUE],
  [{ input: "Hi", prompt: { id: "pmpt_1" } }, "prompt", UNSUPPORTED],
  [
    { input: "Hi", background_options: { completion_window: "2h" } },
    "background_options.completion_window",
    UNSUPPORTED_VALUE,
  ],
  [{ input: "Hi", access_programs: { cyber: "daybreak_red" } }, "access_programs.cyber", UNSUPPORTED_VALUE],
  [
    { input: "Hi", image: { context_compression: "enabled" } },
    "image.context_compression",
    UNSUPPORTED_VALUE,
  ],
  [{ input: "Hi", context_management: [{ type: "compaction" }] }, "context_management", UNSUPPORTED],
  [{ input: "Hi", truncation: "some" }, "truncation", "invalid_value"],
  [{ input: "Hi", service_tier: "flex" }, "service_tier", UNSUPPORTED_VALUE],
  [{ input: "Hi", n: 2 }, "n", UNSUPPORTED],
  [{ messages: [user] }, "messages", UNSUPPORTED],
  [{ input: "Hi", max_tokens: 5 }, "max_tokens", UNSUPPORTED],
  [{ input: "Hi", max_tokens: 5, max_output_tokens: null }, "max_tokens", UNSUPPORTED],
  [{ input: "Hi", max_completion_tokens: 5 }, "max_completion_tokens", UNSUPPORTED],
  [{ input: "Hi", response_format: { type: "json_object" } }, "response_format", UNSUPPORTED],
  [{ input: "Hi", reasoning_effort: "low" }, "reasoning_effort", UNSUPPORTED],
  [{ input: "Hi", verbosity: "low" }, "verbosity", UNSUPPORTED],
  [{ input: "Hi", functions: [{ name: "f" }] }, "functions", UNSUPPORTED],
  [{ input: "Hi", function_call: "auto" }, "function_call", UNSUPPORTED],
  [{ input: "Hi", include: "all" }, "include", "invalid_type"],
  [{ input: "Hi", include: ["all"] }, "include[0]", "invalid_value"],
  [{ input: "Hi", instructions: 5 }, "instructions", "invalid_type"],
  [{ input: "Hi", max_output_tokens: 0 }, "max_output_tokens", "integer_below_min_value"],
  [{ input: "Hi", max_output_tokens: 1.5 }, "max_output_tokens", "invalid_type"],
  [{ input: "Hi", max_output_tokens: 5000 }, "input", "context_length_exceeded"],
  [{ input: "x".repeat(5000) }, "input", "context_length_exceeded"],
  [{ input: "Hi", max_tool_calls: 0 }, "max_tool_calls", "integer_below_min_value"],
  [{ input: "Hi", temperature: 2.1 }, "temperature", "decimal_above_max_value"],
  [{ input: "Hi", top_p: -1 }, "top_p", "decimal_below_min_value"],
  [{ input: "Hi", top_logprobs: 21 }, "top_logprobs", "integer_above_max_value"],
  [{ input: "Hi", stream: "yes" }, "stream", "invalid_type"],
  [{ input: "Hi", stream_options: { include_obfuscation: false } }, "stream_options", "invalid_value"],
  [{ input: "Hi", metadata: { a: 1 } }, "metadata.a", "invalid_type"],
  [
    { input: "Hi", metadata: Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`k${at}`, ""])) },
    "metadata",
    "object_above_max_properties",
  ],
  [{ input: "Hi", safety_identifier: "x".repeat(129) }, "safety_identifier", "string_above_max_length"],
  [{ input: "Hi", reasoning: { effort: "huge" } }, "reasoning.effort", "invalid_value"],
  [{ input: "Hi", reasoning: { summary: "concise" } }, "reasoning.summary", UNSUPPORTED_VALUE],
  [{ input: "Hi", reasoning: { context: "all_turns" } }, "reasoning.context", UNSUPPORTED_VALUE],
  [{ input: "Hi", text: { verbosity: "low" } }, "text.verbosity", UNSUPPORTED_VALUE],
  [{ input: "Hi", ...text({ type: "xml" }) }, "text.format.type", "invalid_value"],
  [{ input: "Hi", ...text({ type: "json_schema", schema: {} }) }, "text.format.name", MISSING],
  [{ input: "Hi", ...text({ type: "json_schema", name: "n" }) }, "text.format.schema", MISSING],
  [
    { input: "Hi", ...text({ type: "json_schema", name: "n", strict: true, schema: { type: "object" } }) },
    "text.format.schema",
    "invalid_json_schema",
  ],
  [
    { input: "Hi", tools: [{ ...f, parameters: { type: "array" } }] },
    "tools[0].parameters",
    "invalid_function_parameters",
  ],
  [{ input: "Hi", tools: [{ type: "web_search" }] }, "tools[0].type", "unsupported_tool"],
  [{ input: "Hi", tools: [f, { type: "file_search" }] }, "tools[1].type", "unsupported_tool"],
  [{ input: "Hi", tools: [{ type: "computer_use_preview" }] }, "tools[0].type", "unsupported_tool"],
  [
    { input: "Hi", tools: [{ type: "web_search" }], include: ["web_search_call.action.sources"] },
    "tools[0].type",
    "unsupported_tool",
  ],
  [
    { input: "Hi", tools: [f, { ...f, name: "g", allowed_callers: ["programmatic"] }] },
    "tools[1].allowed_callers",
    UNSUPPORTED_VALUE,
  ],
  [{ input: "Hi", tools: [{ ...f, async: true }] }, "tools[0].async", UNSUPPORTED_VALUE],
  [{ input: "Hi", tools: [f, { ...f, defer_loading: true }] }, "tools[1].defer_loading", UNSUPPORTED_VALUE],
  [
    {
      input: "Hi",
      tools: [{ type: "namespace", name: "n", tools: [{ type: "custom", name: "c", defer_loading: true }] }],
    },
    "tools[0].tools[0].defer_loading",
    UNSUPPORTED_VALUE,
  ],
  [{ input: "Hi", tools: [{ ...f, output_schema: "x" }] }, "tools[0].output_schema", "invalid_type"],
  [{ input: "Hi", tools: [{ type: "robot" }] }, "tools[0].type", "invalid_value"],
  [{ input: "Hi", tools: [{ type: "function" }] }, "tools[0].name", MISSING],
  [{ input: "Hi", tools: [f, f] }, "tools[1].name", "invalid_value"],
  [{ input: "Hi", tool_choice: "required" }, "tool_choice", "invalid_value"],
  [
    { input: "Hi", tools: [f], tool_choice: { type: "function", name: "g" } },
    "tool_choice.name",
    "invalid_value",
  ],
  [{ input: "Hi", tools: [f], tool_choice: { type: "web_search" } }, "tool_choice.type", "unsupported_tool"],
  [
    { input: "Hi", tools: [f], tool_choice: { type: "computer_use" } },
    "tool_choice.type",
    "unsupported_tool",
  ],
  [
    {
      input: "Hi",
      tools: [f],
      tool_choice: { type: "allowed_tools", mode: "auto", tools: [f, { type: "mcp" }] },
    },
    "tool_choice.tools[1].type",
    "unsupported_tool",
  ],
  [
    {
      input: "Hi",
      tools: [f],
      tool_choice: { type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "g" }] },
    },
    "tool_choice.tools[0].name",
    "invalid_value",
  ],
];

test.each(BAD)("%j → 400 that names %s", async (fields, param, code) => {
  const { post, engine, ledger } = await testApp();
  for (const stream of "stream" in fields || "stream_options" in fields ? [undefined] : [false, true]) {
    const response = await post(PATH, { model, ...(stream === undefined ? {} : { stream }), ...fields });
    const { error } = await response.json();
    expect({ status: response.status, param: error.param, code: error.code }).toEqual({
      status: 400,
      param,
      code,
    });
    expect(error.type).toBe("invalid_request_error");
    expect(error.message).not.toBe("");
    const rendered = await post(`${PATH}/render`, { model, ...fields });
    expect([rendered.status, await rendered.json()]).toEqual([400, { error }]);
  }
  expect(engine.requests).toEqual([]);
  expect(ledger.events()).toEqual([]);
});

test.each([
  ["reasoning.effort", { effort: "high" }],
  ["reasoning.summary", { summary: "auto" }],
])("a model that cannot think: 400 that names %s", async (param, reasoning) => {
  const { post } = await testApp();
  const response = await post(PATH, { model: "plain", input: "Hi", reasoning });
  expect([response.status, (await response.json()).error.param]).toEqual([400, param]);
});

test("an absent store means false; with strict: true it is missing", async () => {
  const lenient = await testApp();
  const answer = await lenient.post(PATH, { model, input: "Hi" });
  expect([answer.status, (await answer.json()).store]).toEqual([200, false]);
  const strict = await testApp({}, { strict: true });
  for (const store of [undefined, null]) {
    const response = await strict.post(PATH, { model, input: "Hi", store });
    expect(response.status).toBe(400);
    expect((await response.json()).error).toMatchObject({ param: "store", code: MISSING });
  }
  expect((await strict.post(PATH, { model, input: "Hi", store: false })).status).toBe(200);
});

test("unknown fields are ignored, null is absent, and what asks for nothing may stand", async () => {
  const { post } = await testApp();
  const nulls = Object.fromEntries(
    [
      "instructions",
      "tools",
      "tool_choice",
      "text",
      "reasoning",
      "include",
      "stream",
      "metadata",
      "truncation",
    ]
      .concat(["previous_response_id", "conversation", "prompt", "background", "max_output_tokens", "user"])
      .map((name) => [name, null]),
  );
  const twice = { messages: [user], max_tokens: 5, max_output_tokens: 5, response_format: { type: "text" } };
  const both = { ...twice, text: { format: { type: "text" } } };
  expect((await post(PATH, { model, input: "Hi", ...both })).status).toBe(200);
  const idle = {
    background: false,
    background_options: { completion_window: "soonest", continuation_id: null },
    access_programs: { cyber: "standard" },
    image: { context_compression: "auto" },
    truncation: "disabled",
    include: ["reasoning.encrypted_content", "file_search_call.results", "message.input_image.image_url"],
    tools: [{ ...f, allowed_callers: ["direct", "programmatic"], async: false, defer_loading: false }],
  };
  expect((await post(PATH, { model, input: "Hi", my_field: 1, ...nulls })).status).toBe(200);
  expect((await post(PATH, { model, input: "Hi", ...idle })).status).toBe(200);
});

test("the body before the model, the model before the length, and only POST", async () => {
  const { post, get } = await testApp();
  expect((await post(PATH, { model: "nope", input: 5 })).status).toBe(400);
  const unknown = await post(PATH, { model: "nope", input: "x".repeat(9999) });
  expect([unknown.status, (await unknown.json()).error.code]).toEqual([404, "model_not_found"]);
  const wrongMethod = await get(PATH);
  expect([wrongMethod.status, wrongMethod.headers.get("allow")]).toEqual([405, "POST"]);
});
