import { expect, test } from "vitest";
import { Origin } from "../../support/keyed-app.ts";
import { testApp } from "../../support/test-app.ts";

const messages = [{ role: "user", content: "Hi" }];
const call = { id: "call_1", type: "function", function: { name: "f", arguments: "{}" } };

/** Requests answered with 400: body, `param`, `code`. */
const BAD: [object, string | null, string][] = [
  [{}, "model", "missing_required_parameter"],
  [{ model: "infetch-tiny" }, "messages", "missing_required_parameter"],
  [{ model: 5, messages }, "model", "invalid_type"],
  [{ model: "infetch-tiny", messages: "Hi" }, "messages", "invalid_type"],
  [{ model: "infetch-tiny", messages: [] }, "messages", "empty_array"],
  [{ model: "infetch-tiny", messages: [{}] }, "messages[0].role", "missing_required_parameter"],
  [
    { model: "infetch-tiny", messages: [{ role: "robot", content: "x" }] },
    "messages[0].role",
    "invalid_value",
  ],
  [{ model: "infetch-tiny", messages: [{ role: 5, content: "x" }] }, "messages[0].role", "invalid_type"],
  [
    { model: "infetch-tiny", messages: [{ role: "user" }] },
    "messages[0].content",
    "missing_required_parameter",
  ],
  [
    { model: "infetch-tiny", messages: [{ role: "user", content: 5 }] },
    "messages[0].content",
    "invalid_type",
  ],
  [
    { model: "infetch-tiny", messages: [{ role: "user", content: [{ type: "text" }] }] },
    "messages[0].content[0].text",
    "missing_required_parameter",
  ],
  [
    {
      model: "infetch-tiny",
      messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "data:," } }] }],
    },
    "messages[0].content[0]",
    "unsupported_content",
  ],
  [
    { model: "infetch-tiny", messages: [{ role: "assistant", content: null }] },
    "messages[0].content",
    "invalid_type",
  ],
  [
    { model: "infetch-tiny", messages: [{ role: "tool", content: "x", tool_call_id: "call_9" }] },
    "messages[0].tool_call_id",
    "invalid_value",
  ],
  [
    {
      model: "infetch-tiny",
      messages: [...messages, { role: "assistant", tool_calls: [call] }, ...messages],
    },
    "messages",
    "invalid_value",
  ],
  [{ model: "infetch-tiny", messages, temperature: 2.1 }, "temperature", "decimal_above_max_value"],
  [{ model: "infetch-tiny", messages, temperature: -1 }, "temperature", "decimal_below_min_value"],
  [{ model: "infetch-tiny", messages, temperature: "hot" }, "temperature", "invalid_type"],
  [{ model: "infetch-tiny", messages, top_p: 1.1 }, "top_p", "decimal_above_max_value"],
  [{ model: "infetch-tiny", messages, top_k: -2 }, "top_k", "integer_below_min_value"],
  [{ model: "infetch-tiny", messages, min_p: 2 }, "min_p", "decimal_above_max_value"],
  [{ model: "infetch-tiny", messages, presence_penalty: 3 }, "presence_penalty", "decimal_above_max_value"],
  [
    { model: "infetch-tiny", messages, frequency_penalty: -3 },
    "frequency_penalty",
    "decimal_below_min_value",
  ],
  [
    { model: "infetch-tiny", messages, repetition_penalty: 0 },
    "repetition_penalty",
    "decimal_below_min_value",
  ],
  [{ model: "infetch-tiny", messages, max_tokens: 0 }, "max_tokens", "integer_below_min_value"],
  [{ model: "infetch-tiny", messages, max_completion_tokens: 1.5 }, "max_completion_tokens", "invalid_type"],
  [{ model: "infetch-tiny", messages, n: 0 }, "n", "integer_below_min_value"],
  [{ model: "infetch-tiny", messages, n: 129 }, "n", "integer_above_max_value"],
  [{ model: "infetch-tiny", messages, stop: ["a", "b", "c", "d", "e"] }, "stop", "array_above_max_length"],
  [{ model: "infetch-tiny", messages, stop: 5 }, "stop", "invalid_type"],
  [{ model: "infetch-tiny", messages, seed: 1.5 }, "seed", "invalid_type"],
  [{ model: "infetch-tiny", messages, stream: "yes" }, "stream", "invalid_type"],
  [{ model: "infetch-tiny", messages, stream_options: {} }, "stream_options", "invalid_value"],
  [{ model: "infetch-tiny", messages, top_logprobs: 2 }, "top_logprobs", "invalid_value"],
  [
    { model: "infetch-tiny", messages, logprobs: true, top_logprobs: 21 },
    "top_logprobs",
    "integer_above_max_value",
  ],
  [{ model: "infetch-tiny", messages, logit_bias: { 5: 101 } }, "logit_bias.5", "decimal_above_max_value"],
  [{ model: "infetch-tiny", messages, logit_bias: { "-1": 1 } }, "logit_bias", "invalid_value"],
  [{ model: "infetch-tiny", messages, logit_bias: { 5000: 1 } }, "logit_bias", "invalid_request"],
  [{ model: "infetch-tiny", messages, max_tokens: 5000 }, "messages", "context_length_exceeded"],
  [
    { model: "infetch-tiny", messages, response_format: { type: "xml" } },
    "response_format.type",
    "invalid_value",
  ],
  [{ model: "infetch-tiny", messages, tool_choice: "required" }, "tool_choice", "invalid_value"],
  [{ model: "infetch-tiny", messages, tool_choice: 5 }, "tool_choice", "invalid_type"],
  [{ model: "infetch-tiny", messages, reasoning_effort: 5 }, "reasoning_effort", "invalid_type"],
  [{ model: "infetch-tiny", messages, seed: 1.5 }, "seed", "invalid_type"],
  [{ model: "infetch-tiny", messages, seed: 1e300 }, "seed", "integer_above_max_value"],
  [{ model: "", messages }, "model", "empty_string"],
  [{ model: "infetch-tiny", messages, audio: {} }, "audio", "unsupported_parameter"],
  [{ model: "infetch-tiny", messages, store: true }, "store", "unsupported_value"],
  [{ model: "infetch-tiny", messages, moderation: { model: "m" } }, "moderation", "unsupported_parameter"],
  [
    { model: "infetch-tiny", messages, prompt_cache_options: { mode: "explicit" } },
    "prompt_cache_options.mode",
    "unsupported_value",
  ],
  [{ model: "infetch-tiny", messages, prompt_cache_key: 5 }, "prompt_cache_key", "invalid_type"],
  [{ model: "plain", messages, reasoning_effort: "high" }, "reasoning_effort", "unsupported_parameter"],
];

test.each(BAD)("%j → 400 that names %s", async (body, param, code) => {
  const { post, engine } = await testApp();
  const response = await post("/v1/chat/completions", body);
  const { error } = await response.json();
  expect({ status: response.status, param: error.param, code: error.code }).toEqual({
    status: 400,
    param,
    code,
  });
  const rendered = await post("/v1/chat/completions/render", body);
  expect([rendered.status, await rendered.json()]).toEqual([400, { error }]);
  expect(error.type).toBe("invalid_request_error");
  expect(error.message).not.toBe("");
  expect(engine.requests).toEqual([]);
});

test.each(["5", 1.5, true])("where a whole number belongs, the 400 of %j says so", async (value) => {
  const { post } = await testApp();
  const response = await post("/v1/chat/completions", { model: "infetch-tiny", messages, max_tokens: value });
  expect((await response.json()).error).toMatchObject({
    code: "invalid_type",
    message: expect.stringContaining("expected an integer, but got a"),
  });
});

test("calls without results are named in their order, each once", async () => {
  const { post } = await testApp();
  const calls = ["b", "a", "b", "c"].map((id) => ({
    id,
    type: "function",
    function: { name: "f", arguments: "{}" },
  }));
  const history = [...messages, { role: "assistant", content: null, tool_calls: calls }];
  const response = await post("/v1/chat/completions", { model: "infetch-tiny", messages: history });
  expect((await response.json()).error.message).toMatch(/did not have response messages: b, a, c$/);
});

test("the limits of a seed are shown with all their digits", async () => {
  const { post } = await testApp();
  const messageOf = async (seed: number) =>
    (await (await post("/v1/chat/completions", { model: "infetch-tiny", messages, seed })).json()).error
      .message;
  expect(await messageOf(1e300)).toContain(
    "Expected a value <= 9223372036854775808, but got 1e+300 instead.",
  );
  expect(await messageOf(-1e300)).toContain("Expected a value >= -9223372036854775808, but got -1e+300");
});

test("a seed may have 64 bits, and those of several replies still differ", async () => {
  const { post, engine } = await testApp();
  const seed = 2 ** 63 - 2 ** 10;
  const response = await post("/v1/chat/completions", { model: "infetch-tiny", messages, seed, n: 2 });
  expect(response.status).toBe(200);
  const [first, second] = engine.requests.map(({ randomState }) => randomState);
  expect(first).not.toBe(second);
  await post("/v1/chat/completions", { model: "infetch-tiny", messages, seed, n: 1 });
  expect(engine.requests.at(-1)!.randomState).toBe(first);
});

test.each(["{", "", "[]", "null", '"text"'])("a body of %j is no JSON object", async (body) => {
  const { post } = await testApp();
  const response = await post("/v1/chat/completions", body);
  expect(response.status).toBe(400);
  expect((await response.json()).error).toMatchObject({ code: "invalid_json", param: null });
});

test("a body that is not UTF-8 is refused, also for keys with limits, rather than read as other characters", async () => {
  const tab = await new Origin().openTab();
  const limited = await tab.create({ name: "limited", limits: { requestsPerMinute: 100 } });
  const body = Uint8Array.from(JSON.stringify({ model: "infetch-tiny", messages: "Größe" }), (character) =>
    character.charCodeAt(0),
  );
  for (const key of [tab.pageKey, limited.apiKey]) {
    const headers = { authorization: `Bearer ${key}` };
    const response = await tab.send(key, "/v1/chat/completions", undefined, {
      method: "POST",
      headers,
      body,
    });
    expect(response.status).toBe(400);
    expect((await response.json()).error).toMatchObject({
      code: "invalid_json",
      message: "The JSON body of your request is not valid UTF-8.",
    });
  }
});

test("what OpenAI allows is allowed: the effort 'max', and a function's name of 128 characters in a response", async () => {
  const { post } = await testApp();
  const effort = await post("/v1/chat/completions", {
    model: "infetch-tiny",
    messages,
    reasoning_effort: "max",
  });
  expect(effort.status).toBe(200);
  const named = (length: number) => ({
    model: "infetch-tiny",
    input: "Hi",
    tools: [{ type: "function", name: "f".repeat(length), parameters: { type: "object", properties: {} } }],
  });
  expect((await post("/v1/responses", named(128))).status).toBe(200);
  const { error } = await (await post("/v1/responses", named(129))).json();
  expect([error.param, error.code]).toEqual(["tools[0].name", "string_above_max_length"]);
});

test("a content without parts is an empty text, as at OpenAI", async () => {
  const { post, engine } = await testApp();
  for (const content of ["", []]) {
    const sent = (["system", "user"] as const).map((role) => ({ role, content }));
    expect((await post("/v1/chat/completions", { model: "plain", messages: sent })).status).toBe(200);
    expect((await post("/v1/responses", { model: "plain", input: sent })).status).toBe(200);
  }
  expect(new Set(engine.requests.map(({ prompt }) => prompt)).size).toBe(1);
});

test("unknown fields are ignored, and null is absent", async () => {
  const { post } = await testApp();
  const nulls = {
    temperature: null,
    top_p: null,
    n: null,
    stop: null,
    tools: null,
    seed: null,
    stream: null,
  };
  const response = await post("/v1/chat/completions", {
    model: "infetch-tiny",
    messages,
    my_field: 1,
    ...nulls,
  });
  expect(response.status).toBe(200);
});

test("metadata without store, and parallel_tool_calls without tools, request nothing", async () => {
  const { post } = await testApp();
  const fields = { metadata: { a: "b" }, parallel_tool_calls: true };
  expect((await post("/v1/chat/completions", { model: "infetch-tiny", messages, ...fields })).status).toBe(
    200,
  );
});

test.each([{}, { mode: "implicit" }, { ttl: "30m" }, { mode: "implicit", ttl: null, prewarm: false }])(
  "prompt_cache_options: %j asks for nothing",
  async (options) => {
    const { post } = await testApp();
    const body = { model: "infetch-tiny", messages, input: "Hi", prompt_cache_options: options };
    for (const path of ["/v1/chat/completions", "/v1/responses"])
      expect((await post(path, body)).status).toBe(200);
  },
);

const CACHE: [options: unknown, param: string, code: string][] = [
  [{ mode: "explicit" }, "prompt_cache_options.mode", "unsupported_value"],
  [{ ttl: "12h" }, "prompt_cache_options.ttl", "unsupported_value"],
  [{ ttl: "24h" }, "prompt_cache_options.ttl", "invalid_value"],
  [{ prewarm: true }, "prompt_cache_options.prewarm", "unsupported_value"],
  [{ mode: "implicit", breakpoints: 2 }, "prompt_cache_options.breakpoints", "unsupported_parameter"],
  [{ mode: "some" }, "prompt_cache_options.mode", "invalid_value"],
  [[], "prompt_cache_options", "invalid_type"],
  ["implicit", "prompt_cache_options", "invalid_type"],
];

test.each(CACHE)("prompt_cache_options: %j is a 400 that names %s", async (options, param, code) => {
  const { post } = await testApp();
  const body = { model: "infetch-tiny", messages, input: "Hi", prompt_cache_options: options };
  for (const path of ["/v1/chat/completions", "/v1/responses"]) {
    const response = await post(path, body);
    const { error } = await response.json();
    expect([response.status, error.param, error.code]).toEqual([400, param, code]);
  }
});

test("the order of answers: path, method, key, body, model, context length", async () => {
  const { app, apiKey, post } = await testApp();
  const send = (path: string, method: string, key?: string) =>
    app.fetch(
      new Request(`https://app.test${path}`, {
        method,
        headers: key ? { authorization: `Bearer ${key}` } : {},
      }),
    );
  expect((await send("/v1/nothing", "POST")).status).toBe(404);
  const wrongMethod = await send("/v1/chat/completions", "GET");
  expect([wrongMethod.status, wrongMethod.headers.get("allow")]).toEqual([405, "POST"]);
  const noKey = await send("/v1/chat/completions", "POST");
  expect([noKey.status, (await noKey.json()).error.code]).toEqual([401, "missing_api_key"]);
  const wrongKey = await send("/v1/chat/completions", "POST", `${apiKey}x`);
  expect([wrongKey.status, (await wrongKey.json()).error.code]).toEqual([401, "invalid_api_key"]);
  const badBody = await post("/v1/chat/completions", { model: "nope", messages: 5 });
  expect(badBody.status).toBe(400);
  const noModel = await post("/v1/chat/completions", { model: "nope", messages, max_tokens: 99999 });
  expect([noModel.status, (await noModel.json()).error.code]).toEqual([404, "model_not_found"]);
});

test.each([
  [
    "",
    "empty_string",
    "empty string. Expected a string with minimum length 1, but got an empty string instead.",
  ],
  [
    "f".repeat(65),
    "string_above_max_length",
    "string too long. Expected a string with maximum length 64, but got a string with length 65 instead.",
  ],
  [
    "get weather",
    "invalid_value",
    "string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
  ],
])("the name %j of a tool or schema is a 400 with OpenAI's code and message", async (name, code, why) => {
  const { post } = await testApp();
  const places: [string, string, object][] = [
    ["/v1/chat/completions", "tools[0].function.name", { tools: [{ type: "function", function: { name } }] }],
    ["/v1/chat/completions", "functions[0].name", { functions: [{ name }] }],
    [
      "/v1/chat/completions",
      "response_format.json_schema.name",
      { response_format: { type: "json_schema", json_schema: { name, schema: {} } } },
    ],
    ["/v1/responses", "text.format.name", { text: { format: { type: "json_schema", name, schema: {} } } }],
  ];
  for (const [path, param, fields] of places) {
    const common = path === "/v1/responses" ? { input: "Hi" } : { messages };
    const { error } = await (await post(path, { model: "infetch-tiny", ...common, ...fields })).json();
    expect(error).toMatchObject({ param, code, message: `Invalid '${param}': ${why}` });
  }
});

test.each([
  [
    Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`k${at}`, "v"])),
    "metadata",
    "object_above_max_properties",
    "Invalid 'metadata': too many properties. Expected an object with at most 16 properties, but got an object with 17 properties instead.",
  ],
  [
    { ["k".repeat(65)]: "v" },
    `metadata.${"k".repeat(65)}`,
    "property_name_above_max_length",
    "Invalid property name in 'metadata': 'kkk...kkk' is too long. Expected a string with maximum length 64, but got a string with length 65 instead.",
  ],
  [
    { k: "v".repeat(513) },
    "metadata.k",
    "string_above_max_length",
    "Invalid 'metadata.k': string too long. Expected a string with maximum length 512, but got a string with length 513 instead.",
  ],
])(
  "metadata beyond OpenAI's limits is a 400 with OpenAI's code (%#)",
  async (metadata, param, code, message) => {
    const { post } = await testApp();
    for (const [path, common] of [
      ["/v1/chat/completions", { messages }],
      ["/v1/responses", { input: "Hi" }],
    ] as const) {
      const { error } = await (await post(path, { model: "infetch-tiny", ...common, metadata })).json();
      expect(error).toEqual({ type: "invalid_request_error", param, code, message });
    }
  },
);
