import { fc } from "./random.ts";

const text = fc.oneof(
  fc.constantFrom("Hello!", "What is 2 + 3?", "$$x$$ {user_message} <|im_end|>", ""),
  fc.string({ unit: "binary", maxLength: 20 }),
);
const parts = fc.array(
  text.map((one) => ({ type: "text" as const, text: one })),
  { minLength: 1, maxLength: 3 },
);
const content = fc.oneof(text, parts);

const call = fc.constantFrom("call_a", "call_b").map((id) => ({
  id,
  type: "function" as const,
  function: { name: "get_weather", arguments: '{"city": "Paris"}' },
}));
/** Tool calls followed by their results. */
const round = fc.array(call, { minLength: 1, maxLength: 2 }).map((calls) => {
  const own = [...new Map(calls.map((one) => [one.id, one])).values()];
  return [
    { role: "assistant", content: null, tool_calls: own },
    ...own.map(({ id }) => ({ role: "tool", tool_call_id: id, content: '{"sky": "sunny"}' })),
  ];
});
const message = fc.oneof(
  content.map((one) => [{ role: "user", content: one }]),
  content.map((one) => [{ role: "assistant", content: one }]),
  content.map((one) => [{ role: "system", content: one }]),
  content.map((one) => [{ role: "developer", content: one }]),
  round,
);

const weather = {
  type: "function",
  function: {
    name: "get_weather",
    parameters: {
      type: "object",
      properties: { city: { type: "string" } },
      required: ["city"],
      additionalProperties: false,
    },
  },
};
const run = { type: "custom", custom: { name: "run" } };
const digits = {
  type: "custom",
  custom: {
    name: "run",
    format: { type: "grammar", grammar: { syntax: "regex", definition: "\\d+" } },
  },
};
const offers = fc.constantFrom(
  {},
  { tools: [weather, run] },
  { tools: [weather, digits], tool_choice: { type: "custom", custom: { name: "run" } } },
  { tools: [weather] },
  { tools: [weather], tool_choice: "auto", parallel_tool_calls: false },
  { tools: [weather], tool_choice: "none" },
  { tools: [weather], tool_choice: "required" },
  { tools: [weather], tool_choice: { type: "function", function: { name: "get_weather" } } },
  { response_format: { type: "text" } },
  { response_format: { type: "json_object" } },
  { response_format: { type: "json_schema", json_schema: { name: "x", schema: { type: "object" } } } },
);
const scores = fc.constantFrom(
  {},
  { logprobs: true },
  { logprobs: true, top_logprobs: 20 },
  { logprobs: false },
);
const streaming = fc.constantFrom(
  {},
  { stream: false },
  { stream: true },
  { stream: true, stream_options: { include_usage: true } },
);
const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });

const sampling = fc.record(
  {
    temperature: number(0, 2),
    top_p: number(0.01, 1),
    top_k: fc.constantFrom(-1, 0, 1, 40),
    min_p: number(0, 1),
    frequency_penalty: number(-2, 2),
    presence_penalty: number(-2, 2),
    repetition_penalty: number(0.5, 2),
    seed: fc.integer(),
    n: fc.constantFrom(1, 1, 2),
    stop: fc.constantFrom("END", ["END", "\n"], null, ""),
    logit_bias: fc.constantFrom({}, { 5: 1 }, null),
    user: fc.string(),
    metadata: fc.constant({ a: "b" }),
    reasoning_effort: fc.constantFrom("none", "low"),
    some_unknown_field: fc.anything({ maxDepth: 1 }),
  },
  { requiredKeys: [] },
);

/** Requests that the OpenAI API accepts, in every combination of options. Replies are short. */
export const validChatRequest = fc
  .tuple(fc.array(message, { minLength: 1, maxLength: 4 }), sampling, offers, scores, streaming)
  .map(([rounds, ...options]) => ({
    model: "infetch-tiny",
    max_completion_tokens: 12,
    messages: rounds.flat(),
    ...(Object.assign({}, ...options) as { stream?: boolean }),
  }));
