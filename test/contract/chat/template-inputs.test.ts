/** What clients send beside the text of messages reaches a model's own template. */

import { expect, test } from "vitest";
import { appWith, CHAT, messages, tools } from "../../support/template-app.ts";
import { plain, testApp } from "../../support/test-app.ts";

test("thoughts that a client sends back are the template's: kept in a tool loop, dropped before the user's next message", async () => {
  const { ask } = await appWith("thinking");
  const call = { id: "call_1", type: "function", function: { name: "weather", arguments: "{}" } };
  const loop = (thought: object) => [
    ...messages,
    { role: "assistant", content: null, tool_calls: [call], ...thought },
    { role: "tool", tool_call_id: "call_1", content: "Sunny" },
  ];
  const promptOf = async (sent: object[]) =>
    (await ask({ messages: sent, tools }, `${CHAT}/render`)).body.prompt as string;
  for (const field of ["reasoning_content", "reasoning"]) {
    const kept = await promptOf(loop({ [field]: "I should look." }));
    expect(kept).toContain("<think>\nI should look.\n</think>");
    const dropped = await promptOf([
      ...loop({ [field]: "I should look." }),
      { role: "assistant", content: "Sunny.", [field]: "Easy." },
      { role: "user", content: "Thanks" },
    ]);
    expect(dropped).not.toMatch(/look\.|Easy\./);
  }
  const items = [
    { role: "user", content: "Weather in Paris?" },
    {
      type: "reasoning",
      id: "rs_1",
      summary: [],
      content: [{ type: "reasoning_text", text: "I should look." }],
    },
    { type: "function_call", call_id: "call_1", name: "weather", arguments: "{}" },
    { type: "function_call_output", call_id: "call_1", output: "Sunny" },
  ];
  const flat = tools.map((tool) => ({ type: "function", strict: false, ...tool.function }));
  const response = await ask({ input: items, tools: flat }, "/v1/responses/render");
  expect(response.body.prompt).toContain("<think>\nI should look.\n</think>");
});

test("names, documents and the effort reach a template that shows them", async () => {
  const source =
    "{% for d in documents or [] %}[{{ d.title }}: {{ d.text }}]{% endfor %}{{ reasoning_effort | default('-') }}" +
    "{% for m in messages %}<{{ m.role }}{{ ' ' + m.name if m.name else '' }}>{{ m.content }}{% endfor %}<think>";
  const app = await testApp({
    reply: () => ["Hi"],
    template: { source, bos: "", eos: "", engineAddsBos: false },
  });
  const response = await app.post(`${CHAT}/render`, {
    model: plain.id,
    messages: [
      { role: "developer", content: "Be brief.", name: "boss" },
      { role: "user", content: "Hi", name: "Ann" },
      { role: "assistant", content: "Yes?", name: "Bob" },
      { role: "user", content: "Bye" },
    ],
    documents: [{ title: "A", text: "one" }],
    reasoning_effort: "low",
  });
  expect((await response.json()).prompt).toBe(
    "[A: one]low<system boss>Be brief.<user Ann>Hi<assistant Bob>Yes?<user>Bye<think>",
  );
  expect(response.headers.get("x-infetch-ignored-parameters")).toBeNull();
});

test("text, two calls and their results reach a template that writes either text or calls, and queues the names of results", async () => {
  const source =
    "{{ tools | tojson if tools }}{% set queue = namespace(names=[]) %}{% for m in messages %}" +
    "{% if m.role == 'tool' %}|{{ queue.names.pop(0) }} gave {{ m.content }}" +
    "{% elif m.content %}|{{ m.role[0] }}: {{ m.content }}{% else %}" +
    "{% for c in m.tool_calls %}{% set _ = queue.names.append(c.function.name) %}" +
    '|<tool_call>{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}</tool_call>' +
    "{% endfor %}{% endif %}{% endfor %}|";
  const template = { source, bos: "", eos: "", engineAddsBos: false };
  const app = await testApp({ reply: () => ["Hi"], template });
  const call = (id: string, city: string) => ({
    id,
    type: "function",
    function: { name: "weather", arguments: JSON.stringify({ city }) },
  });
  const sent = [
    messages[0],
    { role: "assistant", content: "Both:", tool_calls: [call("a", "Rome"), call("b", "Oslo")] },
    { role: "tool", tool_call_id: "a", content: "sun" },
    { role: "tool", tool_call_id: "b", content: "rain" },
  ];
  const response = await app.post(`${CHAT}/render`, { model: plain.id, messages: sent, tools });
  const { prompt } = await response.json();
  const written = (city: string) =>
    `<tool_call>{"name": "weather", "arguments": {"city": "${city}"}}</tool_call>`;
  const expected = `|a: Both:|${written("Rome")}|${written("Oslo")}|weather gave sun|weather gave rain|`;
  expect(prompt.slice(prompt.indexOf("|a:"))).toBe(expected);
});
