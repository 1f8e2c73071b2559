/** Calls whose arguments are elements, from a request to the reply. */

import { describe, expect, test } from "vitest";
import { expectCalls } from "../../support/expect-calls.ts";
import { CHAT, messages } from "../../support/template-app.ts";
import { plain, testApp } from "../../support/test-app.ts";
import { GrammarEngine } from "../../support/xgrammar.ts";

const MEMBERS = "{% for k, v in c.function.arguments.items() %}";
const VALUE = "{{ v if v is string else v | tojson }}";
const eachCall = (written: string): string => `{% for c in m.tool_calls or [] %}${written}{% endfor %}`;
const keyed = (gap: string): string =>
  eachCall(
    `<tool_call>{{ c.function.name }}${gap}${MEMBERS}<arg_key>{{ k }}</arg_key>${gap}<arg_value>${VALUE}</arg_value>${gap}{% endfor %}</tool_call>`,
  );
const template = (calls: string, begin: string, open = "<think>", close = "</think>"): string =>
  `{% if tools %}{{ tools | tojson }}{% endif %}{% for m in messages %}[{{ m.role }}]` +
  `{% if m.reasoning_content %}${open}{{ m.reasoning_content }}${close}{% endif %}` +
  `{% if m.role == 'tool' %}<response>{{ m.content }}</response>{% else %}{{ m.content }}{% endif %}` +
  `{% if true %}${calls}{% endif %}{% endfor %}[assistant]${begin}`;
const ifm = (text: string): string => text.replaceAll(/<(\/?)(?=tool_call|arg_)/g, "<$1ifm|");
const T = "]<]minimax[>[";
const OFF = "enable_thinking is defined and not enable_thinking";

/** Short templates with the marks of published ones. */
const TEMPLATES = {
  "glm-4.5": template(keyed("\n"), `{{ '\\n<think></think>' if ${OFF} else '' }}`),
  "glm-4.7": template(keyed(""), `{{ '</think>' if ${OFF} else '<think>' }}`),
  "minimax-m2": template(
    "{% if m.tool_calls %}<minimax:tool_call>\n" +
      eachCall(
        `<invoke name="{{ c.function.name }}">\n${MEMBERS}<parameter name="{{ k }}">${VALUE}</parameter>\n{% endfor %}</invoke>\n`,
      ) +
      "</minimax:tool_call>{% endif %}",
    "{{ '<think>\\n' }}",
  ),
  "minimax-m3":
    `{% set ns = '${T}' %}{% macro to_xml(v) %}{% if v is mapping %}{% for k, o in v.items() %}{{ ns }}<{{ k }}>{{ to_xml(o) }}{{ ns }}</{{ k }}>{% endfor %}` +
    "{% elif v is iterable and v is not string %}{% for o in v %}{{ ns }}<item>{{ to_xml(o) }}{{ ns }}</item>{% endfor %}{% else %}{{ v }}{% endif %}{% endmacro %}" +
    template(
      `{% if m.tool_calls %}{{ ns }}<tool_call>{{ '\n' }}${eachCall(
        "{{ ns }}<invoke name=\"{{ c.function.name }}\">{{ to_xml(c.function.arguments) }}{{ ns }}</invoke>{{ '\n' }}",
      )}{{ ns }}</tool_call>{% endif %}`,
      "{% if thinking_mode is defined and thinking_mode == 'disabled' %}</mm:think>{% elif thinking_mode is defined and thinking_mode == 'enabled' %}<mm:think>{% endif %}",
      "<mm:think>",
      "</mm:think>",
    ),
  dots: template(
    "{% if m.tool_calls %}<dots_function_call>\n" +
      eachCall(
        `<invoke name="{{ c.function.name }}">\n${MEMBERS}<parameter name="{{ k }}">${VALUE}</parameter>\n{% endfor %}</invoke>\n`,
      ) +
      "</dots_function_call>{% endif %}",
    `{{ '<think></think>' if ${OFF} else '' }}`,
  ),
  "iquest-coder-2": template(
    keyed("").replaceAll("tool_call>", "iquestcoder_tool_call>"),
    `{{ '</think>' if ${OFF} else '<think>' }}`,
  ),
  // It refuses replies without a thought, and has a marker for each effort.
  "k2-horizon":
    "{% set effort = reasoning_effort if reasoning_effort is defined else 'high' %}{% set tags = {'high': 'ifm|think', 'medium': 'ifm|think_fast', 'low': 'ifm|think_faster'} %}" +
    "{% if effort not in tags %}{{ raise_exception('effort') }}{% endif %}{{ tools | tojson if tools }}{% for m in messages %}[{{ m.role }}]\n" +
    "{% if m.role == 'assistant' %}{% if m.reasoning_content is not string %}{{ raise_exception('thought') }}{% endif %}<ifm|think>\n{{ m.reasoning_content }}</ifm|think>{% endif %}" +
    "{{ m.content }}{% if true and m.tool_calls %}" +
    ifm(
      `<tool_calls>\n${keyed("\n").replace("</tool_call>", "</tool_call>\n")}</tool_calls>{% endif %}{% endfor %}[assistant]\n<{{ tags[effort] }}>{{ '\n' }}`,
    ),
  "solar-2":
    "{% set effort = reasoning_effort if reasoning_effort is defined else 'high' %}" +
    template(
      eachCall(
        `<|tool_call:start|>{{ c.function.name }}\n${MEMBERS}<|tool_arg:start|>{{ k }}<|tool_arg:value|>${VALUE}<|tool_arg:end|>\n{% endfor %}<|tool_call:end|>`,
      ),
      "<|think:start|>{{ '' if effort in ['medium', 'high', 'xhigh'] else '<|think:end|>' }}{# 'low' 'minimal' #}",
      "<|think:start|>",
      "<|think:end|>",
    ),
  "mimo-v2":
    "{% if tools %}<tool_call>\n<function=one>\n<parameter=first>value_1</parameter>\n</function>\n</tool_call>{% endif %}" +
    template(
      eachCall(
        `<tool_call>\n<function={{ c.function.name }}>\n${MEMBERS}<parameter={{ k }}>${VALUE}</parameter>\n{% endfor %}</function>\n</tool_call>`,
      ),
      `{{ '<think></think>' if ${OFF} else '' }}`,
    ),
  "seed-oss":
    "{% set left = thinking_budget if thinking_budget is defined else -1 %}" +
    "{% if left >= 0 %}A budget of {{ left }}, told every {{ {0: 0, 512: 128}[left] }}.{% endif %}" +
    template(
      eachCall(
        `<seed:tool_call>\n<function={{ c.function.name }}>\n${MEMBERS}<parameter={{ k }}>${VALUE}</parameter>\n{% endfor %}</function>\n</seed:tool_call>`,
      ),
      "{% if left == 0 %}<seed:think><seed:cot_budget_reflect>{% endif %}",
      "<seed:think>",
      "</seed:think>",
    ),
} as const;
type Name = keyof typeof TEMPLATES;
const NAMES = Object.keys(TEMPLATES) as Name[];

const FIRST: Record<Name, string> = {
  "glm-4.5":
    "<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>75001</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n" +
    '<arg_key>units</arg_key>\n<arg_value>["C","F"]</arg_value>\n</tool_call>',
  "glm-4.7":
    "<tool_call>weather<arg_key>city</arg_key><arg_value>75001</arg_value><arg_key>days</arg_key><arg_value>3</arg_value>" +
    '<arg_key>units</arg_key><arg_value>["C","F"]</arg_value></tool_call>',
  "minimax-m2":
    '<minimax:tool_call>\n<invoke name="weather">\n<parameter name="city">75001</parameter>\n<parameter name="days">3</parameter>\n' +
    '<parameter name="units">["C","F"]</parameter>\n</invoke>',
  "minimax-m3":
    `${T}<tool_call>\n${T}<invoke name="weather">${T}<city>75001${T}</city>${T}<days>3${T}</days>` +
    `${T}<units>${T}<item>C${T}</item>${T}<item>F${T}</item>${T}</units>${T}</invoke>`,
  dots:
    '<dots_function_call>\n<invoke name="weather">\n<parameter name="city">75001</parameter>\n<parameter name="days">3</parameter>\n' +
    '<parameter name="units">["C","F"]</parameter>\n</invoke>',
  "iquest-coder-2":
    "<iquestcoder_tool_call>weather<arg_key>city</arg_key><arg_value>75001</arg_value><arg_key>days</arg_key><arg_value>3</arg_value>" +
    '<arg_key>units</arg_key><arg_value>["C","F"]</arg_value></iquestcoder_tool_call>',
  "k2-horizon": ifm(
    "<tool_calls>\n<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>75001</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n" +
      '<arg_key>units</arg_key>\n<arg_value>["C","F"]</arg_value>\n</tool_call>',
  ),
  "solar-2":
    "<|tool_call:start|>weather\n<|tool_arg:start|>city<|tool_arg:value|>75001<|tool_arg:end|>\n<|tool_arg:start|>days<|tool_arg:value|>3<|tool_arg:end|>\n" +
    '<|tool_arg:start|>units<|tool_arg:value|>["C","F"]<|tool_arg:end|>\n<|tool_call:end|>',
  "mimo-v2":
    "<tool_call>\n<function=weather>\n<parameter=city>75001</parameter>\n<parameter=days>3</parameter>\n" +
    '<parameter=units>["C","F"]</parameter>\n</function>\n</tool_call>',
  "seed-oss":
    "<seed:tool_call>\n<function=weather>\n<parameter=city>75001</parameter>\n<parameter=days>3</parameter>\n" +
    '<parameter=units>["C","F"]</parameter>\n</function>\n</seed:tool_call>',
};

/** A thought, a text and two calls; the prompt of two models has opened the thought. */
const REPLIES: Record<Name, string> = {
  "glm-4.5": `\n<think>Both.</think>\nI look.\n${FIRST["glm-4.5"]}\n<tool_call>now\n</tool_call>`,
  "glm-4.7": `Both.</think>I look.${FIRST["glm-4.7"]}<tool_call>now</tool_call>`,
  "minimax-m2": `Both.\n</think>\n\nI look.\n${FIRST["minimax-m2"]}\n<invoke name="now">\n</invoke>\n</minimax:tool_call>`,
  "minimax-m3": `<mm:think>Both.</mm:think>I look.${FIRST["minimax-m3"]}\n${T}<invoke name="now">${T}</invoke>\n${T}</tool_call>`,
  dots: `<think>Both.</think>I look.\n${FIRST.dots}\n<invoke name="now">\n</invoke>\n</dots_function_call>`,
  "iquest-coder-2": `Both.</think>I look.${FIRST["iquest-coder-2"]}<iquestcoder_tool_call>now</iquestcoder_tool_call>`,
  "k2-horizon": `Both.\n</ifm|think>I look.${FIRST["k2-horizon"]}${ifm("\n<tool_call>now\n</tool_call>\n</tool_calls>")}`,
  "solar-2": `Both.<|think:end|>I look.${FIRST["solar-2"]}\n<|tool_call:start|>now\n<|tool_call:end|>`,
  "mimo-v2": `<think>Both.</think>I look.\n${FIRST["mimo-v2"]}<tool_call>\n<function=now>\n</function>\n</tool_call>`,
  "seed-oss": `<seed:think>Both.</seed:think>\nI look.\n\n${FIRST["seed-oss"]}\n<seed:tool_call>\n<function=now>\n</function>\n</seed:tool_call>`,
};

const ARGUMENTS = { city: "75001", days: 3, units: ["C", "F"] };
const CALLED = [
  ["weather", ARGUMENTS],
  ["now", {}],
] as const;
const FUNCTIONS = [
  {
    name: "weather",
    parameters: {
      type: "object",
      properties: {
        city: { type: "string" },
        days: { type: "integer" },
        units: { type: "array", items: { type: "string" } },
      },
      required: ["city"],
    },
  },
  { name: "now" },
];
const tools = FUNCTIONS.map((each) => ({ type: "function", function: each }));

async function appOf(name: Name, source: string = TEMPLATES[name]) {
  const given = { source, bos: "", eos: "", engineAddsBos: false };
  const app = await testApp({ reply: () => REPLIES[name].match(/[\s\S]{1,3}/g)!, template: given });
  const post = (body: object, path = CHAT) => app.post(path, { model: plain.id, ...body });
  const ask = async (body: object, path = CHAT) => (await post(body, path)).json();
  const render = async (body: object): Promise<string> =>
    (await ask({ messages, ...body }, `${CHAT}/render`)).prompt;
  return { engine: app.engine, post, ask, render };
}

describe.each(NAMES)("%s", (name) => {
  test("thoughts, text and calls arrive, streamed and whole, in both APIs", async () => {
    await expectCalls(await appOf(name), FUNCTIONS, { text: "I look.", thought: "Both.", calls: CALLED });
  });

  test.each(["required", "auto"])("%s: calls are constrained to the model's own text", async (choice) => {
    const { ask, engine } = await appOf(name);
    await ask({ messages, tools, tool_choice: choice });
    const { constraint } = engine.requests.at(-1)!;
    const thought = REPLIES[name].replace(/I look.*/s, "");
    const unknown = FIRST[name].replace("weather", "shell");
    const texts = [thought + FIRST[name], thought + unknown];
    const [known, other] = await (await GrammarEngine.load()).judge(constraint!, texts);
    expect(known).not.toBe("no");
    expect(other).toBe("no");
  });

  test.each([
    ["with calls", TEMPLATES[name]],
    ["without calls", TEMPLATES[name].replace("{% if true", "{% if false")],
  ])("earlier calls reach a template %s in the model's form", async (_, source) => {
    const { render } = await appOf(name, source);
    const call = {
      id: "call_1",
      type: "function",
      function: { name: "weather", arguments: JSON.stringify(ARGUMENTS) },
    };
    const loop = [
      ...messages,
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "call_1", content: "sunny" },
    ];
    const prompt = await render({ messages: loop, tools });
    expect(prompt.replaceAll('"C", "F"', '"C","F"')).toContain(FIRST[name]);
    expect(prompt).toContain("sunny");
  });
});

describe("thinking is switched", () => {
  test.each<[Name, object, end: string]>([
    ["glm-4.5", {}, "[assistant]"],
    ["glm-4.5", { reasoning_effort: "none" }, "[assistant]\n<think></think>"],
    ["glm-4.7", {}, "[assistant]<think>"],
    ["glm-4.7", { chat_template_kwargs: { enable_thinking: false } }, "[assistant]</think>"],
    ["minimax-m2", {}, "[assistant]<think>\n"],
    ["minimax-m2", { reasoning_effort: "none" }, "[assistant]<think>\n\n</think>\n\n"],
    ["minimax-m3", {}, "[assistant]"],
    ["minimax-m3", { reasoning_effort: "none" }, "[assistant]</mm:think>"],
    ["minimax-m3", { chat_template_kwargs: { enable_thinking: true } }, "[assistant]<mm:think>"],
    ["dots", { reasoning_effort: "none" }, "[assistant]<think></think>"],
    ["iquest-coder-2", {}, "[assistant]<think>"],
    ["iquest-coder-2", { reasoning_effort: "none" }, "[assistant]</think>"],
    ["k2-horizon", {}, "[assistant]\n<ifm|think>\n"],
    ["k2-horizon", { reasoning_effort: "minimal" }, "[assistant]\n<ifm|think_faster>\n"],
    [
      "k2-horizon",
      { reasoning_effort: "none" },
      "[assistant]\n<ifm|think_faster>\n\n</ifm|think_faster>\n\n",
    ],
    [
      "k2-horizon",
      { chat_template_kwargs: { enable_thinking: false } },
      "[assistant]\n<ifm|think>\n\n</ifm|think>\n\n",
    ],
    ["solar-2", {}, "[assistant]<|think:start|>"],
    ["solar-2", { reasoning_effort: "none" }, "[assistant]<|think:start|><|think:end|>"],
    ["mimo-v2", {}, "[assistant]"],
    ["mimo-v2", { reasoning_effort: "none" }, "[assistant]<think></think>"],
    ["seed-oss", {}, "[assistant]"],
    ["seed-oss", { reasoning_effort: "high" }, "[assistant]"],
    [
      "seed-oss",
      { reasoning_effort: "none" },
      "[assistant]<seed:think><seed:cot_budget_reflect></seed:cot_budget_reflect>\n\n</seed:think>\n\n",
    ],
  ])("%s: %j", async (name, body, end) => {
    const prompt = await (await appOf(name)).render(body);
    expect(prompt.slice(prompt.lastIndexOf("[assistant]"))).toBe(end);
  });

  test("Seed-OSS's budget is the client's number, also beside an effort", async () => {
    const { render } = await appOf("seed-oss");
    const budget = { chat_template_kwargs: { thinking_budget: 512 } };
    for (const body of [budget, { ...budget, reasoning_effort: "medium" }])
      expect(await render(body)).toMatch(/^A budget of 512, told every 128\./);
    expect(await render({ ...budget, reasoning_effort: "none" })).toMatch(/^A budget of 0, told every 0\./);
    expect(await render({ chat_template_kwargs: { enable_thinking: false } })).toMatch(/^A budget of 0,/);
    expect(await render({ reasoning_effort: "low" })).toMatch(/^\[user\]/);
  });
});

test("MiniMax's answer in the tags of its results keeps them", async () => {
  const given = { source: TEMPLATES["minimax-m2"], bos: "", eos: "", engineAddsBos: false };
  const answer = "<response>Hi</response>";
  const app = await testApp({ reply: () => [`Hm.</think>\n\n${answer}`], template: given });
  const { choices } = await (await app.post(CHAT, { model: plain.id, messages })).json();
  expect(choices[0].message).toMatchObject({ content: answer, reasoning_content: "Hm." });
});

test.each(["think", "think_fast", "think_faster"])(
  "K2 Horizon's thought with less effort may end with </ifm|%s>",
  async (tag) => {
    const given = { source: TEMPLATES["k2-horizon"], bos: "", eos: "", engineAddsBos: false };
    const reply = `Hm.\n</ifm|${tag}>{"a": 1}`;
    const app = await testApp({ reply: () => [...reply], template: given });
    const format = {
      type: "json_schema",
      json_schema: { name: "a", schema: { type: "object", properties: { a: { type: "integer" } } } },
    };
    const body = { model: plain.id, messages, reasoning_effort: "medium", response_format: format };
    const { choices } = await (await app.post(CHAT, body)).json();
    expect(choices[0].message).toMatchObject({ content: '{"a": 1}', reasoning_content: "Hm." });
    const { constraint } = app.engine.requests.at(-1)!;
    const texts = [reply, `Hm.</ifm|${tag}>Hello`];
    expect(await (await GrammarEngine.load()).judge(constraint!, texts)).toEqual(["match", "no"]);
  },
);
