/** Prompts that end within or after the last message: vLLM's `continue_final_message` and `add_generation_prompt`. */

import { describe, expect, test } from "vitest";
import { appWith, CHAT, templateOf, tools } from "../../support/template-app.ts";
import { plain, readEvents, testApp } from "../../support/test-app.ts";

const QUESTION = { role: "user", content: "Why was he sad?" };
const BEGUN = { role: "assistant", content: "The king was sad because " };
const messages = [QUESTION, BEGUN];
const continued = { messages, continue_final_message: true };

describe.each([
  ["tagged", "<|im_start|>assistant\nThe king was sad because "],
  ["thinking", "<|im_start|>assistant\n<think>\n\n</think>\n\nThe king was sad because "],
  ["header", "<|start_header_id|>assistant<|end_header_id|>\n\nThe king was sad because "],
  ["alternating", "[/INST]The king was sad because "],
] as const)("the template %s", (name, end) => {
  test("the prompt ends with the text as it was sent, and the reply is what follows", async () => {
    const { ask } = await appWith(name, " he lost it.");
    const { body } = await ask(continued, `${CHAT}/render`);
    expect(body.prompt.slice(-end.length)).toBe(end);
    const { status, body: reply } = await ask({ ...continued, add_generation_prompt: false });
    expect(status).toBe(200);
    expect(reply.choices[0].message).toMatchObject({ role: "assistant", content: " he lost it." });
    expect(reply.usage.prompt_tokens).toBe(body.prompt_tokens);
  });

  test("without an opening, the prompt ends after the message", async () => {
    const { ask } = await appWith(name);
    const { body } = await ask({ messages, add_generation_prompt: false }, `${CHAT}/render`);
    const { body: usual } = await ask({ messages }, `${CHAT}/render`);
    expect(usual.prompt.startsWith(body.prompt)).toBe(true);
    expect(body.prompt).toMatch(/The king was sad because ?(<\|im_end\|>\n|<\|eot_id\|>|<\/s>)$/);
  });
});

test("the engine is asked to go on with the prompt's text, streamed and whole", async () => {
  const { engine, post } = await testApp({ reply: () => [" he", " lost it."] });
  const response = await post(CHAT, { model: plain.id, ...continued, stream: true });
  const { events } = await readEvents<{ choices: { delta: { content?: string } }[] }>(response);
  expect(response.headers.get("x-infetch-ignored-parameters")).toBeNull();
  expect(events.map(({ choices: [choice] }) => choice?.delta.content ?? "").join("")).toBe(" he lost it.");
  expect(engine.requests.at(-1)).toMatchObject({ continuesPrompt: true });
  await (await post(CHAT, { model: plain.id, messages })).json();
  expect(engine.requests.at(-1)).toMatchObject({ continuesPrompt: false });
});

test("a reply that was cut off goes on where it ended, also one that is known", async () => {
  const { ask } = await appWith("tagged", "One, two");
  const question = { role: "user", content: "Count." };
  const { body } = await ask({ messages: [question] });
  const cut = body.choices[0].message;
  const rendered = await ask({ messages: [question, cut], continue_final_message: true }, `${CHAT}/render`);
  expect(rendered.body.prompt).toMatch(/<\|im_start\|>assistant\nOne, two$/);
});

test("a thought that the text has begun goes on", async () => {
  const { ask } = await appWith("thinking", "red.\n</think>\n\nIt is red.");
  const begun = { role: "assistant", content: "<think>\nIt may be " };
  const { body } = await ask({ messages: [QUESTION, begun], continue_final_message: true });
  expect(body.choices[0].message).toMatchObject({ reasoning_content: "red.", content: "It is red." });
});

describe("a thought without text goes on", () => {
  const begun = { role: "assistant", content: null, reasoning_content: "It may be " };
  const request = { messages: [QUESTION, begun], continue_final_message: true };

  test.each([
    ["thinking", "<|im_start|>assistant\n<think>\nIt may be "],
    ["thought-opened", "<|im_start|>assistant\n<think>\nIt may be "],
  ])("in the template %s", async (name, end) => {
    const opened =
      "{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n<think>\\n' }}{% endif %}";
    const template = name === "thinking" ? templateOf(name) : { ...templateOf("thinking"), source: opened };
    const { post } = await testApp({ reply: () => ["red.\n</th", "ink>\n\nIt is red."], template });
    const rendered = await (await post(`${CHAT}/render`, { model: plain.id, ...request })).json();
    expect(rendered.prompt.slice(-end.length)).toBe(end);
    expect(rendered.prompt.match(/<think>/g)).toHaveLength(1);
    const { choices } = await (await post(CHAT, { model: plain.id, ...request })).json();
    expect(choices[0].message).toMatchObject({ reasoning_content: "red.", content: "It is red." });
  });

  test("of a model that does not think it is a 400", async () => {
    const { ask } = await appWith("tagged");
    const { status, body } = await ask(request);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: "unsupported_parameter", param: "continue_final_message" });
  });
});

test("a text with marks of its template's is continued at its end", async () => {
  const { ask } = await appWith("tagged");
  const last = { role: "assistant", content: "<|im_end|>\n im_end" };
  const { body } = await ask({ messages: [QUESTION, last], continue_final_message: true }, `${CHAT}/render`);
  expect(body.prompt.endsWith("<|im_end|>\n im_end")).toBe(true);
});

test("calls may follow the text", async () => {
  const raw = 'I look.\n<tool_call>\n{"name": "weather", "arguments": {"city": "Paris"}}\n</tool_call>';
  const { ask } = await appWith("tagged", raw);
  const { body } = await ask({ ...continued, tools });
  expect(body.choices[0]).toMatchObject({ finish_reason: "tool_calls", message: { content: "I look." } });
});

test.each([
  ["both are true", { ...continued, add_generation_prompt: true }, "invalid_parameter_combination"],
  ["the last message is the user's", { ...continued, messages: [QUESTION] }, "invalid_value"],
  ["it has no text", { ...continued, messages: [QUESTION, { ...BEGUN, content: "" }] }, "invalid_value"],
])("400 if %s", async (_, body, code) => {
  const { ask } = await appWith("tagged");
  const answer = await ask(body);
  expect(answer.status).toBe(400);
  expect(answer.body.error).toMatchObject({ code, param: "continue_final_message" });
});

test("400 if it is no boolean", async () => {
  const { ask } = await appWith("tagged");
  const { status, body } = await ask({ ...continued, continue_final_message: "yes" });
  expect([status, body.error.param]).toEqual([400, "continue_final_message"]);
});

test("a template that leaves the message out is an error that says so", async () => {
  const source =
    "{% for m in messages %}{% if m.role == 'user' %}{{ m.content }}{% endif %}{% endfor %}{% if add_generation_prompt %}:{% endif %}";
  const { post } = await testApp({ template: { source, bos: "", eos: "", engineAddsBos: false } });
  const response = await post(CHAT, { model: plain.id, ...continued });
  expect(response.status).toBe(400);
  expect((await response.json()).error).toMatchObject({ param: "continue_final_message" });
});
