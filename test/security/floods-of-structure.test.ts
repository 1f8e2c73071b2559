/** Hostile bodies: deep, wide, long, or with catastrophic patterns. */

import { expect, test } from "vitest";
import { withResultsAtCalls } from "../../worker/endpoints/responses/results-at-calls.ts";
import type { ChatMessage } from "../../worker/prompt/messages.ts";
import { ends } from "../faults/support/watchdog.ts";
import { testApp } from "../support/test-app.ts";

const DEEP = 100_000;
const head = '"model":"infetch-tiny","messages":[{"role":"user","content":"go"}]';
const nested = (open: string, close: string): string => open.repeat(DEEP) + close.repeat(DEEP);

test.each([
  ["lists in messages", `{"model":"infetch-tiny","messages":${nested("[", "]")}}`],
  ["objects in metadata", `{${head},"metadata":${'{"a":'.repeat(DEEP)}1${"}".repeat(DEEP)}}`],
  [
    "schemas",
    `{${head},"response_format":{"type":"json_schema","json_schema":{"name":"a","schema":${'{"type":"array","items":'.repeat(5_000)}{}${"}".repeat(5_000)}}}}`,
  ],
  ["unknown fields", `{${head},"unheard":${nested("[", "]")}}`],
  [
    "a parameter of a tool",
    `{${head},"tools":[{"type":"function","function":{"name":"a","parameters":${'{"properties":{"a":'.repeat(5_000)}{}${"}}".repeat(5_000)}}}]}`,
  ],
])("%s a hundred thousand deep are an answer, not a crash", async (_, body) => {
  const { post } = await testApp();
  const response = await ends("the answer", post("/v1/chat/completions", body));
  expect([200, 400]).toContain(response.status);
  expect((await post("/v1/chat/completions", `{${head}}`)).status).toBe(200);
});

test("a reply with a hundred thousand calls, and a result for each, is read in one go", async () => {
  const { post } = await testApp();
  const ids = Array.from({ length: 100_000 }, (_, at) => `call_${at}`);
  const calls = ids.map((id) => ({ id, type: "function", function: { name: "a", arguments: "{}" } }));
  const results = ids.map((id) => ({ role: "tool", tool_call_id: id, content: "" }));
  const messages = [{ role: "assistant", content: null, tool_calls: calls }, ...results];
  const request = post("/v1/chat/completions", { model: "infetch-tiny", messages });
  expect((await (await ends("the answer", request)).json()).error.code).toBe("context_length_exceeded");
});

test("results of three hundred thousand replies whose calls have the same id are matched in one go", () => {
  const callId = "call_1";
  const numbers = Array.from({ length: 300_000 }, (_, at) => String(at));
  const replies = numbers.map((text) => ({ role: "assistant", text, toolCalls: [{ id: callId }] }));
  const results = numbers.map((text) => ({ role: "tool", callId, text }));
  const entries = [...replies, ...results].map((message) => ({ message: message as unknown as ChatMessage }));
  const matched = withResultsAtCalls(entries).map(({ message }) => message);
  expect(matched.every(({ text }, at) => text === numbers[at >> 1])).toBe(true);
}, 60_000);

test.each([
  ["nested repetition", "^(a+)+$"],
  ["alternatives that are the same", "^(a|a)*b$"],
  ["many wildcards", "^(.*a){12}$"],
  ["a huge count", "^a{1,100000}$"],
  ["counts of counts", "^((a{1,50}){1,50}){1,50}$"],
])("a pattern with %s is compiled or refused, never run against itself", async (_, pattern) => {
  const { post } = await testApp({ reply: () => ['"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"'] });
  const schema = {
    type: "object",
    properties: { a: { type: "string", pattern } },
    required: ["a"],
    additionalProperties: false,
  };
  const format = { type: "json_schema", json_schema: { name: "a", strict: true, schema } };
  const body = {
    model: "infetch-tiny",
    messages: [{ role: "user", content: "go" }],
    response_format: format,
  };
  const response = await ends("the answer", post("/v1/chat/completions", body));
  expect([200, 400]).toContain(response.status);
  if (response.status === 400) expect((await response.json()).error.param).toContain("response_format");
});

test("what is long and nearly right is read in one go", async () => {
  const { get, post } = await testApp();
  const long = "a".repeat(100_000);
  for (const path of [
    `/v1/billing/invoices?starting_on=${"1".repeat(100_000)}`,
    `/v1/billing/invoices/breakdowns?window_size=${long}`,
    `/v1/models/${"a/".repeat(10_000)}`,
    `/v1/models/${"%2e%2e%2f".repeat(1_000)}`,
  ]) {
    expect([400, 403, 404], path.slice(0, 60)).toContain((await ends(path.slice(0, 60), get(path))).status);
  }
  const url = `data:image/png;base64,${long}`;
  const content = [{ type: "image_url", image_url: { url } }];
  const body = { model: "infetch-tiny", messages: [{ role: "user", content }] };
  expect((await ends("a picture", post("/v1/chat/completions", body))).status).toBe(400);
  const stop = ["a".repeat(1_000), `${"a".repeat(999)}b`];
  const chat = { model: "infetch-tiny", messages: [{ role: "user", content: long.slice(0, 1_000) }], stop };
  expect([200, 400]).toContain((await ends("long stops", post("/v1/chat/completions", chat))).status);
});
