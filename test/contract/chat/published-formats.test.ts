/** Formats of tool calls whose templates expect other ids, definitions or roles than the API's. */

import { expect, test } from "vitest";
import { CHAT, messages, tools } from "../../support/template-app.ts";
import { plain, readEvents, testApp } from "../../support/test-app.ts";

/** Short templates with the marks of published ones. */
const TEMPLATES = {
  kimi:
    "{% if tools %}<|im_system|>tool_declare<|im_middle|>{{ tools | tojson }}<|im_end|>{% endif %}" +
    "{% for m in messages %}<|im_{{ m.role }}|>{{ m.name or m.role }}<|im_middle|>" +
    "{% if m.role == 'assistant' %}<think>{{ m.reasoning_content }}</think>{% endif %}" +
    "{% if m.role == 'tool' %}## Return of {{ m.tool_call_id }}\n{% endif %}{{ m.content }}" +
    "{% if m.tool_calls %}<|tool_calls_section_begin|>{% for c in m.tool_calls %}<|tool_call_begin|>{{ c.id }}" +
    "<|tool_call_argument_begin|>{{ c.function.arguments if c.function.arguments is string else c.function.arguments | tojson }}" +
    "<|tool_call_end|>{% endfor %}<|tool_calls_section_end|>{% endif %}<|im_end|>{% endfor %}<|im_assistant|>assistant<|im_middle|>",
  olmo3:
    "{% for m in messages %}<|im_start|>{{ 'environment' if m.role == 'tool' else m.role }}\n{{ m.content }}" +
    "{% if loop.first and tools %}<functions>{{ tools | tojson }}</functions>{% endif %}" +
    "{% if m.tool_calls %}<function_calls>{% for c in m.tool_calls %}{{ c.function.name }}(" +
    "{% for key, value in c.function.arguments.items() %}{{ key }}={{ value | tojson }}{% endfor %})" +
    "{{ '' if loop.last else '\n' }}{% endfor %}</function_calls>{% endif %}<|im_end|>\n{% endfor %}<|im_start|>assistant\n",
  apertus:
    "<|developer_start|>Deliberation: {{ 'enabled' if enable_thinking is defined and enable_thinking else 'disabled' }}\n" +
    "{% for t in tools or [] %}{{ '// ' + t.description }}\ntype {{ t.name }} = (_: { {{ t.parameters.properties | join }} }) => any;{% endfor %}<|developer_end|>" +
    "{% for m in messages %}{% if m.role == 'tool' %}[{{ m.content }}]{% else %}<|{{ m.role }}_start|>{{ m.content }}" +
    "{% if m.tool_calls %}<|tools_prefix|>[{% for c in m.tool_calls %}{{ '{\"' + c.function.name + '\": ' + c.function.arguments + '}' }}" +
    "{{ '' if loop.last else ', ' }}{% endfor %}]<|tools_suffix|>{% endif %}{% endif %}{% endfor %}<|assistant_start|>" +
    "{# <|inner_prefix|> <|inner_suffix|> #}",
  "functionary-3.2":
    "Respond in this format:\n>>>recipient\ncontent\n{{ tools }}{% for m in messages %}<|{{ m.role }}|>" +
    "{% if m.role != 'assistant' %}{{ m.content }}{% elif m.content %}>>>all\n{{ m.content }}{% endif %}" +
    "{% for c in m.tool_calls or [] %}>>>{{ c.function.name ~ '\n' ~ c.function.arguments }}{% endfor %}{% endfor %}<|assistant|>>>>",
  "gigachat-3.5":
    "{% for m in messages %}{{ m.role }}<|role_sep|>\n{{ tools if loop.first }}{{ '<think>' ~ m.reasoning_content ~ '</think>\n\n' if m.reasoning_content }}{{ m.content }}" +
    '{% if m.tool_calls %}\n\n<｜GCML｜tool_calls>\n{% for c in m.tool_calls %}<｜GCML｜invoke name="{{ c.function.name }}">\n' +
    '{% for k, v in c.function.arguments.items() %}<｜GCML｜parameter name="{{ k }}" string="true">{{ v }}</｜GCML｜parameter>\n{% endfor %}' +
    "</｜GCML｜invoke>{{ '' if loop.last else '\n' }}{% endfor %}{{ '\n' }}</｜GCML｜tool_calls>{% endif %}<|message_sep|>\n\n{% endfor %}" +
    "assistant<|role_sep|>\n{{ '<think>' if reasoning is defined and reasoning }}",
  "minimax-m1":
    '{% if tools %}{{ tools | tojson }}\n<tool_calls>\n{"name": <tool-name>, "arguments": <args-json-object>}\n...\n</tool_calls>{% endif %}' +
    "{% for m in messages %}<beginning_of_sentence>{{ m.role }}\n{% for part in m.content | selectattr('type', 'equalto', 'text') %}{{ part.text }}{% endfor %}" +
    "<end_of_sentence>\n{% endfor %}<beginning_of_sentence>ai name=MiniMax AI\n",
  "glm-4":
    "[gMASK]<sop>{% for item in messages %}{% if item['tools'] is defined %}<|system|>\n# 可用工具{% for tool in item['tools'] %}## {{ tool['function']['name'] }}\n" +
    "{{ tool['function'] | tojson(indent=4) }}\n在调用上述函数时，请使用 Json 格式表示调用的参数。{% endfor %}{% endif %}" +
    "{% if item['content'] %}<|{{ item['role'] }}|>{{ item['metadata'] }}\n{{ item['content'] }}{% endif %}{% endfor %}<|assistant|>",
  "kimi-k3":
    "{% macro open_tag(tag, attrs=[]) %}{{ '<|open|>' + tag }}{% for a in attrs %}{{ ' ' + a[0] + '=\"' + a[1]|string + '\"' }}{% endfor %}{{ '<|sep|>' }}{% endmacro %}" +
    "{% macro close_tag(tag) %}{{ '<|close|>' + tag + '<|sep|>' }}{% endmacro %}{{ tools | tojson if tools }}" +
    "{% for m in messages %}{{ open_tag('message', [('role', m.role)]) }}{% if m.role == 'assistant' %}{{ open_tag('think') }}{{ m.reasoning_content }}{{ close_tag('think') }}" +
    "{{ open_tag('response') }}{{ m.content }}{{ close_tag('response') }}{% if m.tool_calls %}{{ open_tag('tools') }}{% for c in m.tool_calls %}" +
    "{{ open_tag('call', [('tool', c.function.name), ('index', loop.index)]) }}{% for k, v in c.function.arguments.items() %}" +
    "{{ open_tag('argument', [('key', k), ('type', 'string' if v is string else 'number')]) }}{{ v }}{{ close_tag('argument') }}{% endfor %}{{ close_tag('call') }}{% endfor %}" +
    "{{ close_tag('tools') }}{% endif %}{% else %}{{ m.content }}{% endif %}{{ close_tag('message') }}<|end_of_msg|>{% endfor %}" +
    "{{ open_tag('message', [('role', 'assistant')]) }}{{ open_tag('response' if thinking is defined and not thinking else 'think') }}",
  "plamo-3":
    "{% macro tag(name, text) %}<|plamo:begin_{{ name }}:plamo|>{{ text }}<|plamo:end_{{ name }}:plamo|>{% endmacro %}{{ tools | tojson if tools }}" +
    "{% for m in messages %}<|plamo:op|>{{ m.role }}{% if m.reasoning_content %}<|plamo:begin_think:plamo|>{{ m.reasoning_content }}<|plamo:end_think:plamo|>{% endif %}{{ m.content }}" +
    "{% if m.tool_calls %}<|plamo:begin_tool_requests:plamo|>{% for c in m.tool_calls %}<|plamo:begin_tool_request:plamo|>{{ tag('tool_name', c.function.name) }}" +
    "{{ tag('tool_arguments', '<|plamo:constrain|>json<|plamo:msg|>' ~ (c.function.arguments | tojson)) }}<|plamo:end_tool_request:plamo|>{% endfor %}" +
    "<|plamo:end_tool_requests:plamo|>{% endif %}<|plamo:tag|>{% endfor %}<|plamo:op|>assistant" +
    "{{ '<|plamo:begin_think:plamo|>' if enable_thinking is not defined or enable_thinking }}",
  pangu:
    "{% if thinking is not defined %}{% set thinking = true %}{% endif %}<|pangu_text_start|>{{ tools | tojson if tools }}" +
    "{% for m in messages %}<|message_start|>{{ m.role }}\n{{ '<think>' ~ m.reasoning_content ~ '</think>' if m.reasoning_content }}{{ m.content }}" +
    "{% if m.tool_calls %}<|tool_call_start|>[{% for c in m.tool_calls %}{{ '{\"name\": \"' ~ c.function.name ~ '\", \"arguments\": ' ~ (c.function.arguments | tojson) ~ '}' }}" +
    "{{ '' if loop.last else ', ' }}{% endfor %}]<|tool_call_end|>{% endif %}<|message_end|>\n{% endfor %}<|message_start|>assistant\n{{ '<think>' if thinking else '</think>' }}",
  "command-action":
    "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}{{ tools }}<|SYSTEM_TOKEN|>Write 'Action:' followed by a json-formatted list of actions" +
    "<|CHATBOT_TOKEN|>",
} as const;
type Name = keyof typeof TEMPLATES;

const REPLIES: Record<Name, string> = {
  kimi:
    "<think>Both.</think>I look. <|tool_calls_section_begin|><|tool_call_begin|>functions.weather:0<|tool_call_argument_begin|>" +
    '{"city": "Paris"}<|tool_call_end|><|tool_call_begin|>functions.weather:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>',
  olmo3: 'I look. <function_calls>\nweather(city="Paris")\nweather()\n</function_calls>',
  "gigachat-3.5":
    '<think>Both.</think>\n\nI look.\n\n<｜GCML｜tool_calls>\n<｜GCML｜invoke name="weather">\n<｜GCML｜parameter name="city" string="true">Paris</｜GCML｜parameter>\n</｜GCML｜invoke>\n' +
    '<｜GCML｜invoke name="weather">\n</｜GCML｜invoke>\n</｜GCML｜tool_calls>',
  "minimax-m1":
    'I look.\n<tool_calls>\n{"name": "weather", "arguments": {"city": "Paris"}}\n{"name": "weather", "arguments": {}}\n</tool_calls>',
  "glm-4": 'I look.<|assistant|>weather\n{"city": "Paris"}<|assistant|>weather\n{}<|observation|>',
  "kimi-k3":
    "Both.<|close|>think<|sep|><|open|>response<|sep|>I look.<|close|>response<|sep|><|open|>tools<|sep|>" +
    '<|open|>call tool="weather" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>Paris<|close|>argument<|sep|><|close|>call<|sep|>' +
    '<|open|>call tool="weather" index="2"<|sep|><|open|>json type="object"<|sep|>{}<|close|>json<|sep|><|close|>call<|sep|>' +
    "<|close|>tools<|sep|><|close|>message<|sep|>",
  "plamo-3":
    "Both.<|plamo:end_think:plamo|>I look.<|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>weather<|plamo:end_tool_name:plamo|>" +
    '<|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>{"city": "Paris"}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|>' +
    "<|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>weather<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|>" +
    "<|plamo:constrain|>json<|plamo:msg|>{}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|><|plamo:end_tool_requests:plamo|>",
  pangu:
    'Both.</think>I look.\n<|tool_call_start|>[{"name": "weather", "arguments": {"city": "Paris"}}, {"name": "weather", "arguments": {}}]<|tool_call_end|>',
  "command-action":
    'I look.\nAction: ```json\n[\n    {\n        "tool_name": "weather",\n        "parameters": {\n            "city": "Paris"\n        }\n    },\n' +
    '    {\n        "tool_name": "weather",\n        "parameters": {}\n    }\n]```',
  "functionary-3.2": 'all\nI look.>>>weather\n{"city": "Paris"}>>>weather\n{}',
  apertus:
    '<|inner_prefix|>Both.<|inner_suffix|>I look. <|tools_prefix|>[{"weather": {"city": "Paris"}}, {"weather": {}}]<|tools_suffix|>',
};

async function appOf(name: Name) {
  const template = { source: TEMPLATES[name], bos: "", eos: "", engineAddsBos: false };
  const app = await testApp({ reply: () => REPLIES[name].match(/[\s\S]{1,3}/g)!, template });
  const post = (body: object, path = CHAT) => app.post(path, { model: plain.id, ...body });
  return {
    engine: app.engine,
    post,
    ask: async (body: object, path = CHAT) => (await post(body, path)).json(),
  };
}

const call = (id: string, city?: string) => ({
  id,
  type: "function",
  function: { name: "weather", arguments: city === undefined ? "" : `{"city":"${city}"}` },
});
/** Two calls with ids of the API, and one of a client that makes ids of its own. */
const LOOP = [
  ...messages,
  { role: "assistant", content: null, tool_calls: [call("call_a", "Paris"), call("call_b")] },
  { role: "tool", tool_call_id: "call_b", content: "none" },
  { role: "tool", tool_call_id: "call_a", content: "sunny" },
  { role: "assistant", content: "Sunny." },
  { role: "user", content: "And Rome?" },
  { role: "assistant", content: null, tool_calls: [call("functions.weather:0", "Rome")] },
  { role: "tool", tool_call_id: "functions.weather:0", content: "rain" },
];

test("Kimi's calls and results have ids that hold the name, counted through the conversation", async () => {
  const { ask } = await appOf("kimi");
  const { prompt } = await ask({ messages: LOOP, tools }, `${CHAT}/render`);
  const ids = [...prompt.matchAll(/(?:<\|tool_call_begin\|>|Return of )([^<\n]*)/g)].map(([, id]) => id);
  const [first, second, third] = ["functions.weather:0", "functions.weather:1", "functions.weather:2"];
  expect(ids).toEqual([first, second, first, second, third, third]);
  expect(prompt).toContain("<|im_tool|>weather<|im_middle|>## Return of functions.weather:2\nrain<|im_end|>");
  expect(prompt).not.toMatch(/\bcall_[ab]\b/);
});

test("Kimi K3's answer may be begun by the prompt", async () => {
  const template = { source: TEMPLATES["kimi-k3"], bos: "", eos: "", engineAddsBos: false };
  const reply = "Hi <|close|>.<|close|>response<|sep|><|close|>message<|sep|>";
  const app = await testApp({ reply: () => [...reply], template });
  const body = { model: plain.id, messages, reasoning_effort: "none" };
  const { choices } = await (await app.post(CHAT, body)).json();
  expect(choices[0].message.content).toBe("Hi <|close|>.");
  expect(choices[0].message.reasoning_content).toBeUndefined();
});

test("Kimi's calls in an open thought end the reply with their section, streamed or not; one of them if one is asked for", async () => {
  const template = { source: TEMPLATES.kimi, bos: "", eos: "", engineAddsBos: false };
  const [, section] = REPLIES.kimi.split("I look. ");
  const app = await testApp({ reply: () => [...`<think>Both. ${section}Then`], template });
  for (const [parallel, sent] of [
    [true, ['{"city": "Paris"}', "{}"]],
    [false, ['{"city": "Paris"}']],
  ] as const) {
    const body = { model: plain.id, messages, tools, parallel_tool_calls: parallel };
    const [{ message, finish_reason }] = (await (await app.post(CHAT, body)).json()).choices;
    expect(message).toMatchObject({ content: null, reasoning_content: "Both. " });
    expect(message.tool_calls.map((one: typeof first) => one.function.arguments)).toEqual(sent);
    expect(finish_reason).toBe("tool_calls");
    const [first] = message.tool_calls;
    type Event = { choices: { delta: { content?: string; tool_calls?: (typeof first)[] } }[] };
    const { events } = await readEvents<Event>(await app.post(CHAT, { ...body, stream: true }));
    const deltas = events.flatMap(({ choices }) => choices.map((choice) => choice.delta));
    const pieces: string[] = sent.map(() => "");
    for (const one of deltas.flatMap((delta) => delta.tool_calls ?? []))
      pieces[one.index] += one.function.arguments ?? "";
    expect(pieces).toEqual(sent);
    expect(deltas.map(({ content }) => content ?? "").join("")).toBe("");
  }
});

test("OLMo's calls are lines of Python with JSON's values, and results its environment's", async () => {
  const { ask } = await appOf("olmo3");
  const { prompt } = await ask({ messages: LOOP, tools }, `${CHAT}/render`);
  expect(prompt).toContain('<function_calls>weather(city="Paris")\nweather()</function_calls><|im_end|>');
  expect(prompt).toContain("<|im_start|>environment\nsunny<|im_end|>");
});

test("Functionary's prompt without tools ends with the user as the recipient", async () => {
  const { ask } = await appOf("functionary-3.2");
  const promptOf = async (body: object): Promise<string> =>
    (await ask({ messages, ...body }, `${CHAT}/render`)).prompt;
  expect(await promptOf({})).toMatch(/<\|assistant\|>>>>all\n$/);
  expect(await promptOf({ tools, tool_choice: "none" })).toMatch(/<\|assistant\|>>>>all\n$/);
  expect(await promptOf({ tools })).toMatch(/<\|assistant\|>>>>$/);
});

test("Apertus's definitions are functions alone, described or not, and its calls keyed", async () => {
  const { ask } = await appOf("apertus");
  const { prompt } = await ask({ messages: LOOP, tools }, `${CHAT}/render`);
  expect(prompt).toContain("Deliberation: disabled\n// \ntype weather = (_: { city }) => any;");
  expect(prompt).toContain(
    '<|tools_prefix|>[{"weather": {"city":"Paris"}}, {"weather": {}}]<|tools_suffix|>',
  );
});

test.each<[Name, string]>([
  [
    "gigachat-3.5",
    '<｜GCML｜invoke name="weather">\n</｜GCML｜invoke>\n</｜GCML｜tool_calls><|message_sep|>',
  ],
  [
    "minimax-m1",
    '{"name": "weather", "arguments": {"city": "Paris"}}\n{"name": "weather", "arguments": {}}\n</tool_calls>',
  ],
  [
    "plamo-3",
    'weather<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>{"city": "Paris"}<|plamo:end_tool_arguments:plamo|>',
  ],
  [
    "pangu",
    '<|tool_call_start|>[{"name": "weather", "arguments": {"city": "Paris"}}, {"name": "weather", "arguments": {}}]<|tool_call_end|><|message_end|>',
  ],
  ["command-action", '"tool_name": "weather",\n        "parameters": {}\n    }\n]```'],
  [
    "glm-4",
    '<|assistant|>weather\n{"city":"Paris"}<|assistant|>weather\n{}<|observation|>\nsunny<|observation|>\nnone<|assistant|>\nSunny.<|user|>',
  ],
])("%s: earlier calls and results reach the template", async (name, written) => {
  const { ask } = await appOf(name);
  const { prompt } = await ask({ messages: LOOP, tools }, `${CHAT}/render`);
  expect(prompt).toContain(written);
  expect(prompt).toContain("sunny");
  expect(prompt).toContain("rain");
});

test.each<[Name, string | undefined]>([
  ["kimi", "Both."],
  ["olmo3", undefined],
  ["apertus", "Both."],
  ["functionary-3.2", undefined],
  ["gigachat-3.5", "Both."],
  ["minimax-m1", undefined],
  ["glm-4", undefined],
  ["kimi-k3", "Both."],
  ["plamo-3", "Both."],
  ["pangu", "Both."],
  ["command-action", undefined],
])("%s: thoughts, text and calls arrive, streamed and whole, in both APIs", async (name, thought) => {
  const { post, ask } = await appOf(name);
  const called = [
    ["weather", { city: "Paris" }],
    ["weather", {}],
  ];
  const whole = (await ask({ messages, tools })).choices[0];
  expect(whole).toMatchObject({ finish_reason: "tool_calls", message: { content: "I look." } });
  expect(whole.message.reasoning_content).toBe(thought);
  const callsOf = (calls: { name: string; arguments: string }[]) =>
    calls.map((one) => [one.name, JSON.parse(one.arguments)]);
  expect(callsOf(whole.message.tool_calls.map((one: { function: object }) => one.function))).toEqual(called);

  const { events } = await readEvents<{ choices: [{ delta: Record<string, never> }] }>(
    await post({ messages, tools, stream: true }),
  );
  const deltas = events.map(({ choices }) => choices[0].delta);
  const joined = (field: string): string => deltas.map((delta) => delta[field] ?? "").join("");
  expect([joined("content"), joined("reasoning_content")]).toEqual(["I look.", thought ?? ""]);
  const streamed: { name: string; arguments: string }[] = [];
  for (const { index, function: part } of deltas.flatMap((delta) => delta.tool_calls ?? []) as never as {
    index: number;
    function: { name?: string; arguments: string };
  }[]) {
    streamed[index] ??= { name: part.name!, arguments: "" };
    streamed[index].arguments += part.arguments;
  }
  expect(callsOf(streamed)).toEqual(called);

  const flat = tools.map((tool) => ({ type: "function", strict: false, ...tool.function }));
  const { output } = await ask({ input: "Weather?", tools: flat }, "/v1/responses");
  expect(callsOf(output.filter((one: { type: string }) => one.type === "function_call"))).toEqual(called);
});

test.each<[Name, string]>([
  ["kimi", '"begin":"functions.weather:"'],
  ["olmo3", '"begin":"weather("'],
  ["apertus", '"begin":"{\\"weather\\": "'],
  ["gigachat-3.5", '"begin":"<｜GCML｜invoke name=\\"weather\\">'],
  ["kimi-k3", '"begin":"<|open|>call tool=\\"weather\\" index=\\""'],
  [
    "plamo-3",
    '"begin":"<|plamo:begin_tool_name:plamo|>weather<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>"',
  ],
  ["pangu", '"begin":"<|tool_call_start|>['],
  ["minimax-m1", '"begin":"{\\"name\\": \\"weather\\", \\"arguments\\": "'],
  ["command-action", '"begin":"    {\\n        \\"tool_name\\": \\"weather\\"'],
])("%s: calls that must be made are constrained", async (name, begin) => {
  const { ask, engine } = await appOf(name);
  await ask({ messages, tools, tool_choice: "required" });
  expect(JSON.stringify(engine.requests[0]?.constraint)).toContain(begin);
});

test.each<[Name, object, end: string]>([
  ["plamo-3", {}, "assistant<|plamo:begin_think:plamo|>"],
  ["plamo-3", { reasoning_effort: "none" }, "assistant"],
  ["pangu", {}, "assistant\n<think>"],
  ["pangu", { reasoning_effort: "none" }, "assistant\n</think>"],
  ["pangu", { chat_template_kwargs: { enable_thinking: false } }, "assistant\n</think>"],
])("%s: thinking is switched by %j", async (name, body, end) => {
  const { ask } = await appOf(name);
  const { prompt } = await ask({ messages, ...body }, `${CHAT}/render`);
  expect(prompt.slice(prompt.lastIndexOf("assistant"))).toBe(end);
});
