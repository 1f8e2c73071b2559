/** Models that bring their own chat template: prompts, tool formats and thoughts follow it. */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { TOKEN_BOUNDARY } from "../../../worker/engine-api/token-boundary.ts";
import { asSent } from "../../support/sent-message.ts";
import { appWith, CHAT, messages, templateFolder, templateOf, tools } from "../../support/template-app.ts";
import { plain, testApp } from "../../support/test-app.ts";

const { scenarios, rendered } = JSON.parse(readFileSync(resolve(templateFolder, "rendered.json"), "utf8"));

const said = (id: string, json: string) => ({
  id,
  type: "function",
  function: { name: "weather", arguments: json },
});

test.each(["tagged", "thinking", "alternating", "listed", "named"])(
  "render answers %s's prompts",
  async (name) => {
    const { ask } = await appWith(name);
    for (const [scenario, { messages, tools }] of Object.entries<{ messages: object[]; tools?: object[] }>(
      scenarios,
    )) {
      // LFM2's own template leaves calls out.
      if (name === "listed" && JSON.stringify(messages).includes("tool_calls")) continue;
      const { body } = await ask(
        { messages: messages.map(asSent), ...(tools ? { tools } : {}) },
        `${CHAT}/render`,
      );
      const expected = rendered[name][scenario].text.replace(/^<s>/, "");
      expect(body).toMatchObject({ object: "chat.completion.prompt", model: plain.id, prompt: expected });
      expect(body.prompt_tokens).toBe(expected.length);
    }
  },
);

test("render tells the formats, and answers Responses bodies alike", async () => {
  const { ask } = await appWith("thinking");
  const chat = await ask({ messages, tools, stop: ["END"] }, `${CHAT}/render`);
  expect(chat.body).toMatchObject({ tool_format: "hermes", reasoning_format: "<think>", stop: ["END"] });
  const flat = tools.map((tool) => ({ type: "function", strict: false, ...tool.function }));
  const response = await ask({ input: messages[0]!.content, tools: flat }, "/v1/responses/render");
  expect(response.body.prompt).toBe(chat.body.prompt.replace('"name": "weather",', '"name": "weather",'));
});

test.each([
  ["tagged", '<tool_call>\n{"name": "weather", "arguments": {"city": "Paris"}}\n</tool_call>'],
  ["alternating", '[TOOL_CALLS][{"name": "weather", "arguments": {"city": "Paris"}}]'],
  ["header", '{"name": "weather", "parameters": {"city": "Paris"}}'],
  ["listed", '<|tool_call_start|>[weather(city="Paris")]<|tool_call_end|>'],
  ["named", '[TOOL_CALLS]weather[CALL_ID]123456789[ARGS]{"city": "Paris"}'],
])("calls in the format of %s", async (name, raw) => {
  const { ask } = await appWith(name, raw);
  const { body } = await ask({ messages, tools });
  const [choice] = body.choices;
  expect(choice.finish_reason).toBe("tool_calls");
  expect(choice.message.content).toBeNull();
  const [call] = choice.message.tool_calls;
  expect([call.function.name, JSON.parse(call.function.arguments)]).toEqual(["weather", { city: "Paris" }]);
});

test.each([
  ["header", "[weather(the city…)] is how the documents call it."],
  ["header", "[weather(1, 2)] is a citation."],
  ["listed", "<|tool_call_start|>[weather(the city…)]<|tool_call_end|> is how I call it."],
])("text that only looks like a call in the format of %s is text: %s", async (name, raw) => {
  const { ask } = await appWith(name, raw);
  const { body } = await ask({ messages, tools });
  expect(body.choices).toMatchObject([{ finish_reason: "stop", message: { content: raw } }]);
  expect(body.choices[0].message).not.toHaveProperty("tool_calls");
});

test("without a known tool format, tools are a 400 that says so", async () => {
  const { ask, engine } = await appWith("plain");
  const { status, body } = await ask({ messages, tools });
  expect([status, body.error.code, body.error.param]).toEqual([400, "unsupported_parameter", "tools"]);
  expect(engine.requests).toHaveLength(0);
});

test("a tool format that is not known is that of the calls which the template writes", async () => {
  const source =
    "{{ tools | tojson if tools }}{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% for c in m.tool_calls or [] %}" +
    `<act>{"tool": "{{ c.function.name }}", "input": {{ c.function.arguments | tojson }}}</act>{% endfor %}{% endfor %}<|assistant|>`;
  const engine = {
    reply: () => ['Now: <act>{"tool": "wea', 'ther", "input": {"city": "Paris"}}</act>'],
    template: { source, bos: "", eos: "", engineAddsBos: false },
  };
  const app = await testApp(engine);
  const ask = { model: plain.id, messages, tools };
  const prompt = await (await app.post(`${CHAT}/render`, ask)).json();
  expect(prompt.tool_format).toBe("template");
  const { choices } = await (await app.post(CHAT, { ...ask, parallel_tool_calls: false })).json();
  const called = { function: { name: "weather", arguments: '{"city": "Paris"}' } };
  expect(choices).toMatchObject([
    { finish_reason: "tool_calls", message: { content: "Now:", tool_calls: [called] } },
  ]);
  const stream = await (await app.post(CHAT, { ...ask, stream: true })).text();
  expect(stream).toContain('"name":"weather"');
  expect(stream).not.toContain("<act>");
});

test.each(["tagged", "listed"])(
  "calls that must be made are constrained in the format of %s",
  async (name) => {
    const { ask, engine } = await appWith(name);
    await ask({ messages, tools, tool_choice: "required" });
    const tag = JSON.stringify(engine.requests[0]?.constraint);
    expect(tag).toContain(name === "listed" ? '"begin":"weather("' : "<tool_call>");
  },
);

test("tools of a deployment with tools: generic are described as JSON", async () => {
  const app = await testApp(
    {
      reply: () => ['<tool_call>\n{"name": "weather", ', '"arguments": {}}\n</tool_call>'],
      template: templateOf("plain"),
    },
    { sources: { deployments: () => [{ ...plain, id: "with-tools", tools: "generic" }] } },
  );
  const loop = [
    ...messages,
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "a", type: "function", function: { name: "weather", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "a", content: "sunny" },
  ];
  const response = await app.post(CHAT, { model: "with-tools", messages: loop, tools });
  const [choice] = (await response.json()).choices;
  expect(choice.message.tool_calls[0].function.name).toBe("weather");
  const prompt = String(app.engine.requests[0]?.prompt);
  expect(prompt).toContain('<tools>\n{"type": "function", "function": {"name": "weather"');
  expect(prompt).toContain("<|user|>\n<tool_response>\nsunny\n</tool_response><|end|>");
});

test("the template's own message is the error where it refuses a conversation", async () => {
  const { ask } = await appWith("named", "Hi");
  const { status, body } = await ask({ messages: [{ role: "user", content: "" }] });
  expect([status, body.error.param]).toEqual([400, "messages"]);
  expect(body.error.message).toContain("A turn is empty.");
});

test("a conversation may begin with the assistant, whatever the template says", async () => {
  const { ask, engine } = await appWith("alternating", "Hi");
  const { status } = await ask({ messages: [{ role: "assistant", content: "I begin." }, ...messages] });
  expect(status).toBe(200);
  expect(engine.requests[0]?.prompt).toBe("[INST][/INST]I begin.</s>[INST]Weather in Paris?[/INST]");
});

test("thoughts: switched by the template's variable, dropped after the next user message, kept in a tool loop", async () => {
  const thought = "<think>\nHm.\n</think>\n\n";
  const { ask, engine } = await appWith(
    "thinking",
    `${thought}<tool_call>\n{"name": "weather", "arguments": {}}\n</tool_call>`,
  );
  await ask({ messages, reasoning_effort: "none" });
  expect(engine.requests[0]?.prompt).toMatch(/<think>\n\n<\/think>\n\n$/);
  const { body } = await ask({ messages, tools });
  const reply = body.choices[0].message;
  expect(reply.reasoning_content ?? reply.reasoning).toBe("Hm.");
  const loop = [
    ...messages,
    { role: "assistant", content: null, tool_calls: reply.tool_calls },
    { role: "tool", tool_call_id: reply.tool_calls[0].id, content: "sunny" },
  ];
  await ask({ messages: loop, tools });
  expect(engine.requests[2]?.prompt).toContain("<think>\nHm.\n</think>");
  await ask({ messages: [...loop, { role: "assistant", content: "Sunny." }, ...messages], tools });
  expect(engine.requests[3]?.prompt).not.toContain("Hm.");
});

test("chat_template_kwargs are the template's variables; enable_thinking is a switch of every model that thinks", async () => {
  const { ask, engine } = await appWith("thinking");
  await ask({ messages, chat_template_kwargs: { enable_thinking: false } });
  expect(engine.requests[0]?.prompt).toMatch(/<think>\n\n<\/think>\n\n$/);
  await ask({ messages, reasoning_effort: "low", chat_template_kwargs: { enable_thinking: false } });
  expect(engine.requests[1]?.prompt).not.toContain("<think>");
  await ask({ messages, chat_template_kwargs: { messages: [], bos_token: "X" } });
  expect(engine.requests[2]?.prompt).toContain("Weather in Paris?");
  const without = await appWith("tagged");
  const { body } = await without.ask({ messages, chat_template_kwargs: { enable_thinking: true } });
  expect(body.error.param).toBe("chat_template_kwargs.enable_thinking");
  const extra = await appWith("header");
  await extra.ask({ messages, tools, chat_template_kwargs: { custom_tools: [{ name: "mine" }] } });
  expect(extra.engine.requests[0]?.prompt).toContain('"name": "mine"');
});

test.each([
  ["thinking", { tools: true, reasoning: true }],
  ["tagged", { tools: true, reasoning: false }],
  ["plain", { tools: false, reasoning: false }],
])("a loaded model's abilities are those of its template: %s", async (name, abilities) => {
  const { ask, get } = await appWith(name);
  await ask({ messages });
  expect((await (await get(`/v1/models/${plain.id}`)).json()).infetch.abilities).toMatchObject(abilities);
  const { data } = await (await get("/v1/models")).json();
  const listed = data.find(({ id }: { id: string }) => id === plain.id);
  expect(listed.infetch.abilities).toMatchObject(abilities);
});

test("reasoning_effort of a model that does not think is a 400", async () => {
  const { ask } = await appWith("tagged");
  const { status, body } = await ask({ messages, reasoning_effort: "low" });
  expect([status, body.error.param]).toEqual([400, "reasoning_effort"]);
  expect((await ask({ messages, reasoning_effort: "none" })).status).toBe(200);
});

test("a thought that the prompt opens is one although the reply does not", async () => {
  const opened = templateOf("thinking");
  const source = opened.source.replace(
    /\{\{- '<\|im_start\|>assistant\\n' \}\}\s*\{%- if enable_thinking[\s\S]*$/,
    "{{- '<|im_start|>assistant\\n<think>\\n' }}\n{%- endif %}",
  );
  const app = await testApp({
    reply: () => ["Hm", ".\n</thi", "nk>\n\nFour."],
    template: { ...opened, source },
  });
  const post = async (body: object) => (await app.post(CHAT, { model: plain.id, messages, ...body })).json();
  const { choices } = await post({});
  expect(choices[0].message).toMatchObject({ content: "Four." });
  await post({ reasoning_effort: "none" });
  expect(app.engine.requests[1]?.prompt).toMatch(/<think>\n\n<\/think>\n\n$/);
});

test("special tokens that users and tools spell out are text where the model's record says so", async () => {
  const record = { ...plain, id: "careful", parseSpecialTokens: false };
  const app = await testApp({ template: templateOf("tagged") }, { sources: { deployments: () => [record] } });
  Object.assign(app.engine.info, { specialTokens: ["<|im_start|>", "<|im_end|>"] });
  const sent = [
    { role: "system", content: "Be <|im_end|>" },
    { role: "user", content: "Hi<|im_end|>" },
  ];
  const prompt = async (model: string) => {
    await app.post(CHAT, { model, messages: sent });
    return app.engine.requests.at(-1)!.prompt as string;
  };
  const asTokens = await prompt(plain.id);
  const asText = await prompt("careful");
  expect(asText.replaceAll(TOKEN_BOUNDARY, "")).toBe(asTokens);
  expect(asText.split(TOKEN_BOUNDARY)).toHaveLength(2);
  expect(asText).toContain(`Hi<${TOKEN_BOUNDARY}|im_end|><|im_end|>`);
  app.services.parseSpecialTokens = false;
  expect(await prompt(plain.id)).toBe(asText);
});

test("a conversation goes on after a call whose raw reply is known, in a template that refuses results alone", async () => {
  const raw = '[TOOL_CALLS][{"name": "weather", "arguments": {"city": "Paris"}}]';
  const { ask } = await appWith("alternating", raw);
  const first = await ask({ messages, tools });
  const [call] = first.body.choices[0].message.tool_calls;
  const told = [
    ...messages,
    first.body.choices[0].message,
    { role: "tool", tool_call_id: call.id, content: "20" },
    { role: "assistant", content: "It is 20." },
    { role: "user", content: "Thanks" },
  ];
  const again = await ask({ messages: told, tools });
  expect(again.body.error).toBeUndefined();
  expect((await ask({ messages: told, tools }, `${CHAT}/render`)).body.prompt).toContain("[TOOL_CALLS]");
});

test.each([
  ["alternating", '[TOOL_CALLS][{"name": "weather", "arguments": {}, "id": "modelsown"}]', /"id": "(\w{9})"/],
  ["named", "[TOOL_CALLS]weather[CALL_ID]modelsown[ARGS]{}", /\[CALL_ID\](\w{9})/],
])("%s: a call and its result have the same id, whatever the model wrote", async (name, raw, written) => {
  const { ask } = await appWith(name, raw);
  const { body } = await ask({ messages, tools });
  const [{ message }] = body.choices;
  const result = { role: "tool", tool_call_id: message.tool_calls[0].id, content: "20" };
  const { prompt } = (await ask({ messages: [...messages, message, result], tools }, `${CHAT}/render`)).body;
  const [, id] = written.exec(prompt)!;
  expect(id).not.toBe("modelsown");
  expect(prompt.split(id)).toHaveLength(3);
});

test.each(["alternating", "named", "first-system"])(
  "%s: system messages in a conversation, and user messages after results, are in the prompt",
  async (name) => {
    const { ask } = await appWith(name);
    const told = [
      { role: "system", content: "system-one" },
      ...messages,
      { role: "assistant", content: null, tool_calls: [said("call_00001", '{"city":"Paris"}')] },
      { role: "tool", tool_call_id: "call_00001", content: "twenty" },
      { role: "user", content: "user-two" },
      { role: "assistant", content: "reply-two" },
      { role: "system", content: "system-two" },
      { role: "user", content: "user-three" },
    ];
    const { status, body } = await ask({ messages: told, tools }, `${CHAT}/render`);
    expect([status, body.error]).toEqual([200, undefined]);
    for (const { content } of told) if (content) expect(body.prompt).toContain(content);
    const order = ["twenty", "user-two", "reply-two", "system-two", "user-three"];
    const places = order.map((text) => body.prompt.indexOf(text));
    expect(places).toEqual([...places].sort((a, b) => a - b));
  },
);

test("a call of a tool that is not allowed is text", async () => {
  const { ask } = await appWith("header", '{"name": "weather", "parameters": {"city": "Paris"}}');
  const other = { type: "function", function: { ...tools[0]!.function, name: "other" } };
  const { body } = await ask({
    messages,
    tools: [...tools, other],
    tool_choice: {
      type: "allowed_tools",
      allowed_tools: { mode: "auto", tools: [{ type: "function", function: { name: "other" } }] },
    },
  });
  expect(body.choices[0].finish_reason).toBe("stop");
  expect(body.choices[0].message).toMatchObject({ content: expect.stringContaining("Paris") });
});

test("parallel calls are replayed one by one to a template that takes one at a time", async () => {
  const { ask } = await appWith("header");
  const told = [
    ...messages,
    {
      role: "assistant",
      content: null,
      tool_calls: [said("a", '{"city":"Paris"}'), said("b", '{"city":"Rome"}')],
    },
    { role: "tool", tool_call_id: "a", content: "twenty" },
    { role: "tool", tool_call_id: "b", content: "thirty" },
  ];
  const { body } = await ask({ messages: told, tools }, `${CHAT}/render`);
  const order = ["Paris", "twenty", "Rome", "thirty"].map((word) => body.prompt.lastIndexOf(word));
  expect(order).toEqual([...order].sort((a, b) => a - b));
  expect(order[0]).toBeGreaterThan(0);
});

test("earlier calls are in the prompt of a request without tools, whatever the template", async () => {
  const { ask } = await appWith("plain");
  const told = [
    ...messages,
    { role: "assistant", content: null, tool_calls: [said("a", '{"city":"Paris"}')] },
    { role: "tool", tool_call_id: "a", content: "twenty" },
  ];
  const { body } = await ask({ messages: told }, `${CHAT}/render`);
  expect(body.prompt).toContain('{"name": "weather", "arguments": {"city": "Paris"}}');
});

test.each(["tagged", "listed", "alternating", "header"])(
  "%s: arguments that were cut are no error",
  async (name) => {
    const { ask } = await appWith(name);
    const told = [
      ...messages,
      { role: "assistant", content: null, tool_calls: [said("call_00001", '{"city":"Par')] },
      { role: "tool", tool_call_id: "call_00001", content: "twenty" },
    ];
    const { status, body } = await ask({ messages: told, tools }, `${CHAT}/render`);
    expect([status, body.error]).toEqual([200, undefined]);
    expect(body.prompt).toContain("twenty");
  },
);

test("documents reach the template", async () => {
  const app = await testApp({
    template: {
      source: "{% for d in documents %}{{ d.text }}{% endfor %}{{ messages[0].content }}",
      bos: "",
      eos: "",
      engineAddsBos: false,
    },
  });
  const response = await app.post(`${CHAT}/render`, {
    model: plain.id,
    messages,
    chat_template_kwargs: { documents: [{ title: "a", text: "A text. " }] },
  });
  expect((await response.json()).prompt).toBe("A text. Weather in Paris?");
});

test("what a hub model can do is unknown until it is loaded", async () => {
  const deployment = { ...plain, id: "deployed", deployment: { model: "acme/unheard-of-GGUF" } };
  const template = templateOf("thinking");
  const app = await testApp({ template }, { sources: { deployments: () => [deployment] } });
  const abilities = async () => (await (await app.get("/v1/models/deployed")).json()).infetch.abilities;
  expect(await abilities()).toEqual({ tools: null, json: true, reasoning: null, vision: false });
  await app.post(CHAT, { model: "deployed", messages });
  expect(await abilities()).toEqual({ tools: true, json: true, reasoning: true, vision: false });
});

test.each([
  [CHAT, "messages"],
  ["/v1/responses", "input"],
  ["/v1/responses/render", "input"],
])("what a template refuses is named as the parameter of %s: %s", async (path, param) => {
  const source = "{{ raise_exception('No.') if 'Paris' in messages[-1].content else messages[-1].content }}";
  const app = await testApp({ template: { ...templateOf("plain"), source } });
  const response = await app.post(path, { model: plain.id, [param]: messages });
  expect(response.status).toBe(400);
  expect((await response.json()).error).toMatchObject({ code: "invalid_request", param });
});
