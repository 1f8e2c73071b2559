import { expect, test } from "vitest";
import { testApp } from "../../support/test-app.ts";

const messages = [{ role: "user", content: "Hi" }];
const chat = { model: "infetch-tiny", messages };
const PATH = "/v1/chat/completions";
const HEADER = "x-infetch-ignored-parameters";
const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };

test.each<[string, object]>([
  [PATH, chat],
  ["/v1/completions", { model: "infetch-tiny", prompt: "Hi" }],
  ["/v1/responses", { model: "infetch-tiny", input: "Hi" }],
  ["/v1/embeddings", { model: "infetch-tiny-embed", input: "Hi" }],
])("%s: unknown fields are ignored and listed in a header", async (path, body) => {
  const { post } = await testApp();
  for (const extra of path.endsWith("embeddings") ? [{}] : [{}, { stream: true }]) {
    const sent = { ...body, ...extra, temprature: 1, "a,b\nc": 2, thinking: null, user: "u" };
    const response = await post(path, sent);
    expect([response.status, response.headers.get(HEADER)]).toEqual([200, "temprature, a%2Cb%0Ac"]);
    expect((await post(path, body)).headers.get(HEADER)).toBeNull();
  }
});

test.each([
  [PATH, chat],
  ["/v1/completions", { model: "infetch-tiny", prompt: "x" }],
  ["/v1/responses", { model: "infetch-tiny", input: "x" }],
])("%s: fields of structured_outputs that are not read are listed, too", async (path, body) => {
  const { post } = await testApp({ reply: () => ["a"] });
  const structured_outputs = { choice: ["a"], whitespace_pattern: " ?", disable_fallback: null };
  const response = await post(path, { ...body, structured_outputs });
  expect([response.status, response.headers.get(HEADER)]).toEqual([
    200,
    "structured_outputs.whitespace_pattern",
  ]);
});

test("an object of any members refuses the one key that would be dropped", async () => {
  const { post } = await testApp();
  const hostile = JSON.parse('{"__proto__": {}, "type": "object"}');
  for (const [extra, param] of [
    [{ chat_template_kwargs: hostile }, "chat_template_kwargs"],
    [{ response_format: { type: "json_object", schema: hostile } }, "response_format.schema"],
    [{ structured_outputs: { json: hostile } }, "structured_outputs.json"],
    [{ guided_json: hostile }, "guided_json"],
    [{ json_schema: hostile }, "json_schema"],
  ] as const) {
    const response = await post(PATH, { ...chat, ...extra });
    expect([response.status, (await response.json()).error]).toMatchObject([
      400,
      { param, message: expect.stringContaining("__proto__") },
    ]);
  }
});

test("hostile names cannot break the header, nor make it long", async () => {
  const { post } = await testApp();
  const names = Array.from({ length: 500 }, (_, at) => `${at}\ud800${"é".repeat(100)}`);
  const response = await post(PATH, {
    ...chat,
    ...Object.fromEntries(names.map((name) => [name, 1])),
    __proto__: { x: 1 },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get(HEADER)?.length).toBeLessThan(20_000);
});

test("json_object with a schema holds the reply to the schema, as json_schema does", async () => {
  const { post, engine } = await testApp({ reply: () => ['{"name": "Ann"}'] });
  await post(PATH, { ...chat, response_format: { type: "json_object", schema } });
  await post(PATH, {
    ...chat,
    response_format: { type: "json_schema", json_schema: { name: "n", schema } },
  });
  await post(PATH, { ...chat, response_format: { type: "json_object" } });
  const [first, second, third] = engine.requests.map((request) => request.constraint);
  expect(first).toEqual(second);
  expect(first).not.toEqual(third);
  const bad = await post(PATH, { ...chat, response_format: { type: "json_object", schema: { type: "x" } } });
  expect([bad.status, (await bad.json()).error.code]).toEqual([400, "invalid_json_schema"]);
});

test("strict formats and tools take multipleOf, and a 400 names its limit", async () => {
  const { post } = await testApp({ reply: () => ['{"size": 15}'] });
  const strict = (multipleOf: number) => ({
    type: "object",
    properties: { size: { type: "number", multipleOf } },
    required: ["size"],
    additionalProperties: false,
  });
  const format = (multipleOf: number) => ({
    response_format: {
      type: "json_schema",
      json_schema: { name: "n", strict: true, schema: strict(multipleOf) },
    },
  });
  const tool = (isStrict: boolean, multipleOf: number) => ({
    tools: [{ type: "function", function: { name: "f", strict: isStrict, parameters: strict(multipleOf) } }],
  });
  for (const fields of [format(5), format(0.01), tool(true, 5), tool(false, 1234)])
    expect((await post(PATH, { ...chat, ...fields })).status).toBe(200);
  for (const fields of [format(1234), tool(true, 1234)]) {
    const bad = await post(PATH, { ...chat, ...fields });
    expect(bad.status).toBe(400);
    expect((await bad.json()).error.message).toContain("exceeds the limit of 1000.");
  }
});

test("include_stop_str_in_output keeps the stop string", async () => {
  const { post } = await testApp({ reply: () => ["one ", "STO", "P two"] });
  const content = async (extra: object) =>
    (await (await post(PATH, { ...chat, stop: ["STOP"], ...extra })).json()).choices[0].message.content;
  expect(await content({})).toBe("one ");
  expect(await content({ include_stop_str_in_output: true })).toBe("one STOP");
});

test("stop_token_ids, ignore_eos and min_tokens reach the engine", async () => {
  const { post, engine } = await testApp();
  await post(PATH, { ...chat, stop_token_ids: [7, 8], ignore_eos: true, min_tokens: 3, max_tokens: 5 });
  expect(engine.requests[0]?.sampling).toMatchObject({ stopTokens: [7, 8], ignoreEos: true, minTokens: 3 });
});

test("min_tokens is an unsupported parameter where the engine does not have it", async () => {
  const { post } = await testApp({ engine: "llamacpp" });
  const response = await post(PATH, { ...chat, min_tokens: 3 });
  expect(response.status).toBe(400);
  expect((await response.json()).error).toMatchObject({ code: "unsupported_parameter", param: "min_tokens" });
});

test.each<[object, string]>([
  [{ stop_token_ids: [-1] }, "stop_token_ids[0]"],
  [{ stop_token_ids: [1000] }, "stop_token_ids"],
  [{ min_tokens: 6, max_tokens: 5 }, "min_tokens"],
  [{ min_tokens: -1 }, "min_tokens"],
  [{ ignore_eos: "yes" }, "ignore_eos"],
])("%j → 400 that names %s", async (fields, param) => {
  const { post } = await testApp();
  const response = await post(PATH, { ...chat, ...fields });
  expect([response.status, (await response.json()).error.param]).toEqual([400, param]);
});

test("HEAD is answered wherever GET is, without the content", async () => {
  const { app, apiKey } = await testApp();
  const head = (path: string) =>
    app.fetch(
      new Request(`https://app.test${path}`, {
        method: "HEAD",
        headers: { authorization: `Bearer ${apiKey}` },
      }),
    );
  for (const path of ["/v1/models", "/v1/models/infetch-tiny"]) {
    const response = await head(path);
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect(response.headers.get("content-type")).toContain("application/json");
  }
  expect((await head("/v1/models/nope")).status).toBe(404);
  const refused = await head("/v1/embeddings");
  expect([refused.status, refused.headers.get("allow")]).toEqual([405, "POST"]);
});

test.each([
  ["infetch-tny", "Did you mean 'infetch-tiny'?"],
  ["infetch_tiny_embed", "Did you mean 'infetch-tiny-embed'?"],
  ["gpt-4o", "GET /v1/models lists the models."],
])("a model named %s: %s", async (model, hint) => {
  const { post, get } = await testApp();
  for (const response of [await post(PATH, { ...chat, model }), await get(`/v1/models/${model}`)]) {
    const { error } = await response.json();
    expect([response.status, error.code]).toEqual([404, "model_not_found"]);
    expect(error.message).toContain(hint);
  }
});

const forms: [string, object, object][] = [
  [
    "structured_outputs.json",
    { structured_outputs: { json: schema } },
    { guided_json: JSON.stringify(schema) },
  ],
  // llama.cpp's name.
  ["json_schema", { json_schema: schema }, { guided_json: schema }],
  ["structured_outputs.regex", { structured_outputs: { regex: "^[a-c]{2}$" } }, { guided_regex: "[a-c]{2}" }],
  [
    "structured_outputs.choice",
    { structured_outputs: { choice: ["yes", "no"] } },
    { guided_choice: ["yes", "no"] },
  ],
];

test.each(forms)(
  "%s holds the reply to its form, by the former name too, on every endpoint",
  async (_, now, before) => {
    const { post, engine } = await testApp();
    for (const extra of [now, before]) {
      expect((await post(PATH, { ...chat, ...extra })).status).toBe(200);
      expect((await post("/v1/responses", { model: "infetch-tiny", input: "Hi", ...extra })).status).toBe(
        200,
      );
      expect((await post("/v1/completions", { model: "infetch-tiny", prompt: "Hi", ...extra })).status).toBe(
        200,
      );
    }
    const grammars = engine.requests.map(
      ({ constraint }) => constraint?.type === "grammar" && constraint.ebnf,
    );
    expect(grammars[0]).toContain("root ::=");
    expect(new Set(grammars).size).toBe(1);
  },
);

test.each<[object, string]>([
  [{ guided_regex: "a)(b" }, "guided_regex"],
  [{ guided_regex: "(?=x)y" }, "guided_regex"],
  [{ guided_regex: "((a{1000}){1000}){1000}" }, "guided_regex"],
  [{ guided_choice: [] }, "guided_choice"],
  [{ guided_choice: ["yes", "\ud83d"] }, "guided_choice"],
  [{ guided_regex: "\ud83d|a" }, "guided_regex"],
  [{ guided_json: "[1]" }, "guided_json"],
  [{ guided_json: { type: "nope" } }, "guided_json"],
  [{ json_schema: { type: "nope" } }, "json_schema"],
  [{ json_schema: schema, response_format: { type: "json_object" } }, "json_schema"],
  [{ grammar: 'root ::= "a"' }, "grammar"],
  [{ structured_outputs: { grammar: "root ::= x" } }, "structured_outputs.grammar"],
  [{ guided_json: schema, guided_regex: "a" }, "guided_regex"],
  [{ response_format: { type: "json_object" }, guided_choice: ["a"] }, "guided_choice"],
])("%j → 400 that names %s", async (fields, param) => {
  const { post } = await testApp();
  const response = await post(PATH, { ...chat, ...fields });
  expect([response.status, (await response.json()).error.param]).toEqual([400, param]);
});
