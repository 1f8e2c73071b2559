/** A model whose replies are messages with channels, such as gpt-oss, through the endpoints. */

import type OpenAI from "openai";
import { expect, test } from "vitest";
import { CHAT, messages, tools } from "../../support/template-app.ts";
import { plain, readEvents, testApp } from "../../support/test-app.ts";

/** One call in each message, its thought or text before it; thoughts of finished turns are dropped. */
const SOURCE =
  "<|start|>system<|message|>Reasoning: {{ reasoning_effort or 'medium' }}<|end|>" +
  "{% if tools %}<|start|>developer<|message|>{% for t in tools %}{{ '// ' + t.function.description }}\n" +
  "type {{ t.function.name }} = {{ t.function.parameters | tojson }}{% endfor %}<|end|>{% endif %}" +
  "{% set ns = namespace(name=none) %}{% for m in messages %}" +
  "{% if m.role == 'assistant' and m.tool_calls %}" +
  "{% if m.content and m.thinking %}{{ raise_exception('both') }}{% endif %}" +
  "{% if m.content or m.thinking %}<|start|>assistant<|channel|>analysis<|message|>{{ m.content or m.thinking }}<|end|>{% endif %}" +
  "{% set ns.name = m.tool_calls[0].function.name %}<|start|>assistant to=functions.{{ ns.name }}<|channel|>commentary json" +
  "<|message|>{{ m.tool_calls[0].function.arguments | tojson }}<|call|>" +
  "{% elif m.role == 'assistant' %}<|start|>assistant<|channel|>final<|message|>{{ m.content }}<|end|>" +
  "{% elif m.role == 'tool' %}<|start|>functions.{{ ns.name }} to=assistant<|channel|>commentary<|message|>{{ m.content | tojson }}<|end|>" +
  "{% else %}<|start|>{{ m.role }}<|message|>{{ m.content }}<|end|>{% endif %}{% endfor %}" +
  "{% if add_generation_prompt %}<|start|>assistant{% endif %}";
const template = { source: SOURCE, bos: "", eos: "<|return|>", engineAddsBos: false };

const THOUGHT = "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant";
const CALL = '<|channel|>commentary to=functions.weather <|constrain|>json<|message|>{"city": "Paris"}';

/** @param raw the reply to every prompt, a character at a time */
async function appWith(raw: string, topLogprobs = false) {
  const app = await testApp({ reply: () => [...raw], template });
  const given = { model: plain.id, messages, ...(topLogprobs ? { logprobs: true } : {}) };
  return {
    ...app,
    whole: async (body: object, path = CHAT) => (await app.post(path, { ...given, ...body })).json(),
    streamed: async (body: object) =>
      (
        await readEvents<OpenAI.ChatCompletionChunk>(
          await app.post(CHAT, { ...given, ...body, stream: true }),
        )
      ).events.map((event) => event.choices[0]!),
  };
}

/** The prompts of a model with another template. */
async function promptOf(source: string) {
  const { post } = await testApp({ template: { ...template, source } });
  return async (body: object): Promise<string> =>
    (await (await post(`${CHAT}/render`, { model: plain.id, messages, ...body })).json()).prompt;
}

test("the analysis channel is reasoning, the final one content", async () => {
  const { whole, streamed } = await appWith(`${THOUGHT}<|channel|>final<|message|>Hi.<|return|>`, true);
  const { choices, usage } = await whole({});
  expect(choices[0]).toMatchObject({
    finish_reason: "stop",
    message: { content: "Hi.", reasoning_content: "Hm." },
  });
  expect(choices[0].logprobs.content.map(({ token }: { token: string }) => token).join("")).toBe("Hi.");
  expect(usage.completion_tokens_details.reasoning_tokens).toBeGreaterThan(3);
  const deltas = (await streamed({})).map(
    ({ delta }) => delta as { content?: string; reasoning_content?: string },
  );
  expect(deltas.map((delta) => delta.content ?? "").join("")).toBe("Hi.");
  expect(deltas.map((delta) => delta.reasoning_content ?? "").join("")).toBe("Hm.");
});

test("a switch of its template is set", async () => {
  const source = SOURCE.replace(
    "{{ reasoning_effort or 'medium' }}",
    "{{ 'off' if enable_thinking is false else 'on' }}",
  );
  const prompt = await promptOf(source);
  const asked = "<|start|>user<|message|>Weather in Paris?<|end|><|start|>assistant";
  const system = (state: string) => `<|start|>system<|message|>Reasoning: ${state}<|end|>`;
  expect(await prompt({})).toBe(system("on") + asked);
  const off = `${system("off")}${asked}<|channel|>final<|message|>`;
  expect(await prompt({ reasoning_effort: "none" })).toBe(off);
  expect(await prompt({ chat_template_kwargs: { enable_thinking: false } })).toBe(off);
});

test("a model that thinks on request only is asked to, and an empty thought is written once", async () => {
  const source = SOURCE.replace("Reasoning: {{ reasoning_effort or 'medium' }}", "").replace(
    "<|start|>assistant{% endif %}",
    "<|start|>assistant{{ '<|channel|>analysis<|message|><|end|><|start|>assistant' if not enable_thinking }}{% endif %}",
  );
  const prompt = await promptOf(source);
  const empty = "<|channel|>analysis<|message|><|end|><|start|>assistant";
  for (const [body, thoughts] of [
    [{}, 1],
    [{ reasoning_effort: "high" }, 0],
    [{ reasoning_effort: "none", tools }, 1],
  ] as const)
    expect((await prompt(body)).split(empty).length - 1).toBe(thoughts);
});

test("a message to a tool is a call, in chats and responses", async () => {
  const { whole, streamed, post } = await appWith(`${THOUGHT}${CALL}<|call|>`);
  const { choices } = await whole({ tools });
  expect(choices[0]).toMatchObject({
    finish_reason: "tool_calls",
    message: {
      content: null,
      reasoning_content: "Hm.",
      tool_calls: [{ function: { name: "weather", arguments: '{"city": "Paris"}' } }],
    },
  });
  const calls = (await streamed({ tools })).flatMap(({ delta }) => delta.tool_calls ?? []);
  expect(calls.map((call) => call.function?.arguments ?? "").join("")).toBe('{"city": "Paris"}');
  const flat = tools.map((tool) => ({ type: "function", ...tool.function }));
  const response = await post("/v1/responses", { model: plain.id, input: "Weather?", tools: flat });
  expect((await response.json()).output).toMatchObject([
    { type: "reasoning" },
    { type: "function_call", name: "weather", arguments: '{"city": "Paris"}' },
  ]);
});

test("one call where more are not allowed, and all where they are", async () => {
  const { whole } = await appWith(`${CALL}<|end|><|start|>assistant${CALL}<|call|>`);
  expect((await whole({ tools })).choices[0].message.tool_calls).toHaveLength(2);
  const { choices } = await whole({ tools, parallel_tool_calls: false });
  expect(choices[0].message.tool_calls).toHaveLength(1);
});

test("the effort reaches the template in the words that it knows", async () => {
  const { whole, post } = await appWith("");
  const promptOf = async (body: object): Promise<string> => (await whole(body, `${CHAT}/render`)).prompt;
  for (const [effort, shown] of [
    ["low", "low"],
    ["high", "high"],
    ["minimal", "low"],
    ["xhigh", "high"],
  ]) {
    const prompt = await promptOf({ reasoning_effort: effort });
    expect(prompt).toContain(`Reasoning: ${shown}<|end|>`);
    expect(prompt).toMatch(/<\|start\|>assistant$/);
  }
  const response = await post("/v1/responses/render", {
    model: plain.id,
    input: "Hi",
    reasoning: { effort: "high" },
  });
  expect((await response.json()).prompt).toContain("Reasoning: high<|end|>");
});

test("without reasoning the answer is begun, or where tools may be called, the thought is over", async () => {
  const { whole, engine } = await appWith("Hi.");
  const body = { reasoning_effort: "none" };
  expect((await whole(body)).choices[0].message.content).toBe("Hi.");
  expect(engine.requests.at(-1)!.prompt).toMatch(
    /Reasoning: low[\s\S]*<\|start\|>assistant<\|channel\|>final<\|message\|>$/,
  );
  await whole({ ...body, tools });
  expect(engine.requests.at(-1)!.prompt).toMatch(
    /<\|channel\|>analysis<\|message\|><\|end\|><\|start\|>assistant$/,
  );
});

test("earlier calls: a thought once, and text beside them in it", async () => {
  const { whole } = await appWith("");
  const call = (id: string) => ({
    id,
    type: "function",
    function: { name: "weather", arguments: '{"city":"Paris","n":1.0}' },
  });
  const result = (id: string) => ({ role: "tool", tool_call_id: id, content: "5" });
  const asked = (content: string | null) => ({
    role: "assistant",
    content,
    reasoning_content: "Hm.",
    tool_calls: [call("call_1"), call("call_2")],
  });
  const promptOf = async (content: string | null): Promise<string> => {
    const sent = [...messages, asked(content), result("call_1"), result("call_2")];
    return (await whole({ messages: sent, tools }, `${CHAT}/render`)).prompt;
  };
  const made =
    '<|start|>assistant to=functions.weather<|channel|>commentary json<|message|>{"city": "Paris", "n": 1.0}<|call|>' +
    '<|start|>functions.weather to=assistant<|channel|>commentary<|message|>"5"<|end|>';
  const thought = (text: string) => `<|start|>assistant<|channel|>analysis<|message|>${text}<|end|>`;
  expect(await promptOf(null)).toContain(`${thought("Hm.")}${made}${made}<|start|>assistant`);
  expect(await promptOf("I look.")).toContain(`${thought("Hm.\n\nI look.")}${made}${made}<|start|>assistant`);
});
