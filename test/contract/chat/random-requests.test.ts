/** Random requests: valid ones get a response that matches the schema, malformed ones a 4xx that names the field. */

import { expect, test } from "vitest";
import { chatChunkSchema, chatCompletionSchema } from "../../../worker/endpoints/chat/response-schema.ts";
import { errorSchema } from "../../../worker/endpoints/common-response-schema.ts";
import { fc } from "../../support/random.ts";
import { validChatRequest } from "../../support/random-chat-request.ts";
import { readEvents, testApp } from "../../support/test-app.ts";

const path = "/v1/chat/completions";

/** Model output of every kind, well-formed and malformed. */
const reply = fc.array(
  fc.constantFrom(
    "Hello",
    " ",
    "END",
    "E",
    "\n",
    "<think>",
    "</think>",
    "<tool_call>",
    "</tool_call>",
    "\u{1F600}",
    '{"name": "get_weather", "arguments": {"city": "Paris"}}',
    '{"name": "run", "arguments": {"input": "\\ud83d\\ude00',
    '"}}',
    '{"name": "',
    "}",
    '{"a": 1}',
    "[",
    "\\",
  ),
  { maxLength: 12 },
);

test("1,000 random valid requests never produce a response that is not of the schema", async () => {
  await fc.assert(
    fc.asyncProperty(validChatRequest, reply, async (request, pieces) => {
      const { post } = await testApp({ reply: () => pieces });
      const response = await post(path, request);
      expect(response.status, await response.clone().text()).toBe(200);
      if (!request.stream) return void chatCompletionSchema.parse(await response.json());
      const { events, done } = await readEvents(response);
      for (const event of events) chatChunkSchema.parse(event);
      expect(done).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

/** A request field and invalid values for it. */
const broken = fc.constantFrom<[string, readonly unknown[]]>(
  ["model", [undefined, null, 5, "", {}]],
  ["messages", [undefined, null, "x", [], [null], [{}], [{ role: "user" }], [{ role: 1, content: "x" }], {}]],
  ["temperature", [-0.1, 2.1, "1", [], true]],
  ["top_p", [-1, 1.5, "x", {}]],
  ["top_k", [-2, 1.5, "x"]],
  ["min_p", [-1, 2, "x"]],
  ["frequency_penalty", [-2.1, 2.1, "x"]],
  ["presence_penalty", [-2.1, 2.1, "x"]],
  ["repetition_penalty", [0, -1, "x"]],
  ["max_tokens", [0, -5, 1.5, "x"]],
  ["max_completion_tokens", [0, -5, 1.5, "x"]],
  ["n", [0, 129, 1.5, "x"]],
  ["seed", [1.5, "x", {}]],
  ["stop", [5, {}, [1], ["a", "b", "c", "d", "e"]]],
  ["stream", [1, "true", {}]],
  ["logprobs", [1, "x"]],
  ["top_logprobs", [-1, 21, "x"]],
  ["logit_bias", [[], 5, { a: 1 }, { 1: 101 }, { 1: "x" }]],
  [
    "tools",
    [5, {}, [{}], [{ type: "x" }], [{ type: "function" }], [{ type: "function", function: { name: "a b" } }]],
  ],
  ["tool_choice", [5, "always", { type: "function" }, { type: "function", function: { name: "nobody" } }]],
  ["parallel_tool_calls", [1, "x"]],
  ["response_format", [5, "json", {}, { type: "yaml" }, { type: "json_schema" }]],
  ["reasoning_effort", [5, "extreme"]],
  ["user", [5, {}]],
  ["metadata", [5, [], { a: 1 }]],
  ["store", [true]],
  ["audio", [{}]],
);

test("500 malformed requests each give a 4xx that names the field", async () => {
  const { post, engine } = await testApp();
  await fc.assert(
    fc.asyncProperty(validChatRequest, broken, fc.nat(), async (request, [field, values], pick) => {
      const body = { ...request, [field]: values[pick % values.length] };
      const response = await post(path, JSON.stringify(body));
      const { error } = errorSchema.parse(await response.json());
      expect(response.status).toBe(400);
      expect(error.param?.split(/[.[]/)[0]).toBe(field);
    }),
    { numRuns: 500 },
  );
  expect(engine.requests).toEqual([]);
});
