/** `POST /v1/responses/input_tokens` counts what the response itself would be charged for as input. */

import OpenAI from "openai";
import { expect, test } from "vitest";
import { testApp } from "../../support/test-app.ts";

const PATH = "/v1/responses/input_tokens";
const model = "infetch-tiny";

async function client(strict = false) {
  const app = await testApp({}, { strict });
  const openai = new OpenAI({
    apiKey: app.apiKey,
    baseURL: "https://app.test/v1",
    fetch: (input, init) => app.app.fetch(new Request(input, init)),
    maxRetries: 0,
  });
  return { ...app, openai };
}

const tool: OpenAI.Responses.FunctionTool = {
  type: "function",
  name: "weather",
  strict: false,
  parameters: { type: "object", properties: { city: { type: "string" } } },
};
const input: OpenAI.Responses.ResponseInput = [
  { role: "user", content: "Weather in Paris?" },
  { type: "function_call", call_id: "call_1", name: "weather", arguments: '{"city":"Paris"}' },
  { type: "function_call_output", call_id: "call_1", output: "Sunny" },
];

test.each<[string, OpenAI.Responses.InputTokenCountParams & { input: string | typeof input }]>([
  ["a text", { input: "Hi" }],
  ["instructions", { input: "Hi", instructions: "Be brief." }],
  ["tools and their results", { input, tools: [tool], tool_choice: "auto", parallel_tool_calls: false }],
  ["a thought that is asked for", { input: "Hi", reasoning: { effort: "low" } }],
  ["a format", { input: "Hi", text: { format: { type: "json_object" } }, truncation: "auto" }],
])("the count of %s is that of the response; nothing runs or is billed", async (_, fields) => {
  const { openai, engine, ledger } = await client();
  const counted = await openai.responses.inputTokens.count({ model, ...fields });
  expect(engine.requests).toEqual([]);
  expect(ledger.events()).toEqual([]);
  const { usage } = await openai.responses.create({
    ...fields,
    model,
  } as OpenAI.Responses.ResponseCreateParamsNonStreaming);
  expect(counted).toEqual({ object: "response.input_tokens", input_tokens: usage?.input_tokens });
});

test("a reply that is referred to counts as the items do", async () => {
  const { openai } = await client();
  const { output } = await openai.responses.create({ model, input: "Hi" });
  const user = { role: "user" as const, content: "And?" };
  const [item] = output as OpenAI.Responses.ResponseOutputMessage[];
  const count = async (sent: OpenAI.Responses.ResponseInputItem) =>
    (await openai.responses.inputTokens.count({ model, input: [sent, user] })).input_tokens;
  expect(await count({ type: "item_reference", id: item!.id })).toBe(await count(item!));
});

test.each([
  ["input", {}],
  ["input", { input: "x".repeat(5000) }],
  ["input[0].role", { input: [{ role: "robot", content: "x" }] }],
  ["input[0].id", { input: [{ type: "item_reference", id: "msg_0" }] }],
  ["previous_response_id", { input: "Hi", previous_response_id: "resp_1" }],
  ["tools[0].type", { input: "Hi", tools: [{ type: "web_search" }] }],
  ["model", { input: "Hi", model: "nope" }],
  ["model", { input: "Hi", model: null }],
])("the error that names %s is the response's own", async (param, fields) => {
  const { post, engine } = await testApp();
  const ask = async (path: string) => {
    const response = await post(path, { model, ...fields });
    return [response.status, await response.json()];
  };
  const counted = await ask(PATH);
  expect(counted[1].error.param).toBe(param);
  expect(counted).toEqual(await ask("/v1/responses"));
  expect(engine.requests).toEqual([]);
});

test("store is never missing, which the package has no field for; unknown fields are listed", async () => {
  const { openai } = await client(true);
  const { response } = await openai.responses.inputTokens
    .count({ model, input: "Hi", moods: ["friendly"] } as object)
    .withResponse();
  expect(response.headers.get("x-infetch-ignored-parameters")).toBe("moods");
});

test("only POST, and a body is needed", async () => {
  const { get, openai } = await client();
  const wrongMethod = await get(PATH);
  expect([wrongMethod.status, wrongMethod.headers.get("allow")]).toEqual([405, "POST"]);
  await expect(openai.responses.inputTokens.count()).rejects.toMatchObject({ status: 400 });
});
