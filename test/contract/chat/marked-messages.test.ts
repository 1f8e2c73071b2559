/** Models whose replies are messages whose headers end with markers, from a request to the reply. */

import { describe, expect, test } from "vitest";
import { TOOL_FORMATS } from "../../../worker/tools/formats/recognise.ts";
import { expectCalls } from "../../support/expect-calls.ts";
import { CHAT, messages } from "../../support/template-app.ts";
import { plain, testApp } from "../../support/test-app.ts";
import { GrammarEngine } from "../../support/xgrammar.ts";

/** Short templates with the marks of published ones. */
const TEMPLATES = {
  muse:
    "{% set rs = reasoning_strength if reasoning_strength is defined and reasoning_strength else 'high' %}" +
    "{% macro atem(f) %}{% if f.arguments is not mapping %}{{ raise_exception('mapping') }}{% endif %}" +
    '<atem:function_calls>\n<atem:invoke name="{{ f.name }}">\n' +
    '{% for k, v in f.arguments.items() %}<atem:parameter name="{{ k }}">{{ v if v is string else v | tojson }}</atem:parameter>\n{% endfor %}' +
    "</atem:invoke>\n</atem:function_calls>{% endmacro %}" +
    "<|start|>system<|message|>Reasoning strength: {{ rs }}.{{ tools | tojson if tools }}<|eot|>" +
    "{% for m in messages %}{% if m.role == 'assistant' %}" +
    "{% if m.reasoning_content %}<|start|>assistant to=self<|message|>{{ m.reasoning_content }}<|eom|>{% endif %}" +
    "{% for c in m.tool_calls or [] %}<|start|>assistant to={{ c.function.name }}<|message|>{{ atem(c.function) }}{{ '<|eot|>' if loop.last else '<|eom|>' }}" +
    "{% else %}<|start|>assistant to=user<|message|>{{ m.content }}<|eot|>{% endfor %}" +
    "{% elif m.role == 'tool' %}<|start|>tool {{ m.name }}<|message|><tool_output name=\"{{ m.name }}\">\n{{ m.content }}\n</tool_output><|eot|>" +
    "{% else %}<|start|>{{ m.role }}<|message|>{{ m.content }}<|eot|>{% endif %}{% endfor %}<|start|>assistant",
  inkling:
    "{% set efforts = {'none': 0, 'minimal': 0.1, 'low': 0.2, 'medium': 0.7, 'high': 0.9, 'xhigh': 0.99, 'max': 0.99} %}" +
    "{% if tools %}<|message_system|>tool_declare<|content_xml|>{{ tools | tojson }}<|end_message|>{% endif %}" +
    "<|message_system|><|content_text|>Thinking effort level: {{ efforts[reasoning_effort or 'high'] }}<|end_message|>" +
    "{% for m in messages %}{% if m.role == 'assistant' %}" +
    "{% if m.reasoning_content %}<|message_model|><|content_thinking|>{{ m.reasoning_content }}<|end_message|>{% endif %}" +
    "{% if m.content %}<|message_model|><|content_text|>{{ m.content }}<|end_message|>{% endif %}" +
    "{% for c in m.tool_calls or [] %}<|message_model|>{{ c.function.name }}<|content_invoke_tool_json|>" +
    '{{ \'{"name":"\' ~ c.function.name ~ \'","args":\' ~ (c.function.arguments | tojson(separators=(",", ":"))) ~ "}" }}<|end_message|>{% endfor %}' +
    "<|content_model_end_sampling|>" +
    "{% else %}<|message_{{ m.role }}|>{{ m.name if m.role == 'tool' }}<|content_text|>{{ m.content }}<|end_message|>{% endif %}{% endfor %}<|message_model|>",
} as const;
type Name = keyof typeof TEMPLATES;

const FIRST: Record<Name, string> = {
  muse:
    ' to=weather<|message|><atem:function_calls>\n<atem:invoke name="weather">\n<atem:parameter name="city">75001</atem:parameter>\n' +
    '<atem:parameter name="days">3</atem:parameter>\n</atem:invoke>\n</atem:function_calls>',
  inkling: 'weather<|content_invoke_tool_json|>{"name":"weather","args":{"city":"75001","days":3}}',
};
const THOUGHTS: Record<Name, string> = {
  muse: " to=self<|message|>Both.<|eom|><|start|>assistant",
  inkling: "<|content_thinking|>Both.<|end_message|><|message_model|>",
};
const ANSWERS: Record<Name, (text: string) => string> = {
  muse: (text) => ` to=user<|message|>${text}`,
  inkling: (text) => `<|content_text|>${text}`,
};
const REPLIES: Record<Name, string> = {
  muse:
    `${THOUGHTS.muse}${ANSWERS.muse("I look.")}<|eom|><|start|>assistant${FIRST.muse}<|eom|><|start|>assistant to=now<|message|>` +
    '<atem:function_calls>\n<atem:invoke name="now">\n</atem:invoke>\n</atem:function_calls><|eot|>',
  inkling:
    `${THOUGHTS.inkling}${ANSWERS.inkling("I look.")}<|end_message|><|message_model|>${FIRST.inkling}<|end_message|>` +
    '<|message_model|>now<|content_invoke_tool_json|>{"name":"now","args":{}}<|end_message|><|content_model_end_sampling|>',
};

const ARGUMENTS = { city: "75001", days: 3 };
const CALLED = [
  ["weather", ARGUMENTS],
  ["now", {}],
] as const;
const FUNCTIONS = [
  {
    name: "weather",
    parameters: {
      type: "object",
      properties: { city: { type: "string" }, days: { type: "integer" } },
      required: ["city"],
    },
  },
  { name: "now" },
];
const tools = FUNCTIONS.map((each) => ({ type: "function", function: each }));

async function appOf(name: Name, reply: string = REPLIES[name]) {
  const template = { source: TEMPLATES[name], bos: "", eos: "", engineAddsBos: false };
  const app = await testApp({ reply: () => reply.match(/[\s\S]{1,3}/g)!, template });
  const post = (body: object, path = CHAT) => app.post(path, { model: plain.id, messages, ...body });
  const ask = async (body: object, path = CHAT) => (await post(body, path)).json();
  const render = async (body: object): Promise<string> => (await ask(body, `${CHAT}/render`)).prompt;
  return { engine: app.engine, post, ask, render };
}

describe.each(Object.keys(TEMPLATES) as Name[])("%s", (name) => {
  test("thoughts, text and calls arrive, streamed and whole, in both APIs", async () => {
    await expectCalls(await appOf(name), FUNCTIONS, { text: "I look.", thought: "Both.", calls: CALLED });
  });

  test("without tools, messages are thoughts and text", async () => {
    const { ask } = await appOf(name, THOUGHTS[name] + ANSWERS[name]("Hi."));
    const { message } = (await ask({})).choices[0];
    expect(message).toMatchObject({ content: "Hi.", reasoning_content: "Both." });
  });

  test.each(["required", "auto", { type: "function", function: { name: "weather" } }])(
    "%j: calls are constrained to the model's own text",
    async (choice) => {
      const { ask, engine } = await appOf(name);
      await ask({ tools, tool_choice: choice });
      const texts = ["", THOUGHTS[name]].flatMap((before) => [
        before + FIRST[name],
        before + FIRST[name].replaceAll("weather", "shell"),
        before + FIRST[name].replace("3", "many"),
      ]);
      const judged = await (await GrammarEngine.load()).judge(engine.requests.at(-1)!.constraint!, texts);
      const isFree = choice === "auto";
      for (const [at, fits] of [true, isFree, false, true, isFree, false].entries())
        expect([texts[at], judged[at] !== "no"]).toEqual([texts[at], fits]);
    },
  );

  test("a tool may have the name of a recipient: its call is no thought", async () => {
    const functions = ["self", "user"].map((each) => ({ type: "function", function: { name: each } }));
    const { ask, engine } = await appOf(name);
    const judge = async (choice: string, texts: string[]) => {
      await ask({ tools: functions, tool_choice: choice });
      return (await GrammarEngine.load()).judge(engine.requests.at(-1)!.constraint!, texts);
    };
    const format = TOOL_FORMATS.find((each) => each.name === name)!;
    const call = THOUGHTS[name] + format.write([{ id: "", name: "self", arguments: "{}" }]);
    const answer = THOUGHTS[name] + ANSWERS[name]("Hi.");
    expect(await judge("auto", [answer, call])).not.toContain("no");
    expect(await judge("required", [call, answer])).toEqual(["match", "no"]);
  });

  test("nothing comes between messages", async () => {
    const { ask, engine } = await appOf(name);
    const judge = async (body: object, texts: string[]) => {
      await ask(body);
      return (await GrammarEngine.load()).judge(engine.requests.at(-1)!.constraint!, texts);
    };
    const answer = ANSWERS[name]('{"a": 1}');
    const [thought, call] = [THOUGHTS[name], FIRST[name]];
    const json = { response_format: { type: "json_object" } };
    const none = ["no", "no"];
    expect(await judge(json, [`${thought}\n${answer}`, `\n${thought}${answer}`])).toEqual(none);
    const must = { tools, tool_choice: "required" };
    expect(await judge(must, [`${thought}\n${call}`, `\n${thought}${call}`])).toEqual(none);
    // A call may follow a thought without its end.
    const [begun] = thought.split("<|e");
    const wrong = begun + call.replace("3", "many");
    expect(await judge({ tools }, [begun + call, wrong])).toEqual(["match", "no"]);
  });

  test("JSON is an answer, after a thought or at once", async () => {
    const { ask, engine } = await appOf(name);
    await ask({ response_format: { type: "json_object" } });
    const answer = ANSWERS[name]('{"a": 1}');
    const texts = [answer, THOUGHTS[name] + answer, '{"a": 1}', THOUGHTS[name] + ANSWERS[name]("Hi")];
    const judged = await (await GrammarEngine.load()).judge(engine.requests.at(-1)!.constraint!, texts);
    expect(judged).toEqual(["match", "match", "no", "no"]);
  });

  test("earlier thoughts, calls and results reach the template", async () => {
    const { render } = await appOf(name);
    const call = {
      id: "call_1",
      type: "function",
      function: { name: "weather", arguments: JSON.stringify(ARGUMENTS) },
    };
    const loop = [
      ...messages,
      { role: "assistant", content: null, reasoning_content: "Both.", tool_calls: [call] },
      { role: "tool", tool_call_id: "call_1", content: "sunny" },
    ];
    const prompt = await render({ messages: loop, tools });
    expect(prompt).toContain(THOUGHTS[name] + FIRST[name]);
    expect(prompt).toContain("sunny");
  });
});

test.each<[Name, object, strength: string, end: string]>([
  ["muse", {}, "high", "assistant"],
  ["muse", { reasoning_effort: "minimal" }, "low", "assistant"],
  ["muse", { reasoning_effort: "max" }, "xhigh", "assistant"],
  ["muse", { reasoning_effort: "none" }, "low", "assistant to=user<|message|>"],
  [
    "muse",
    { reasoning_effort: "none", tools },
    "low",
    "assistant to=self<|message|><|eom|><|start|>assistant",
  ],
  ["inkling", {}, "0.9", "<|message_model|>"],
  ["inkling", { reasoning_effort: "low" }, "0.2", "<|message_model|>"],
  ["inkling", { reasoning_effort: "none" }, "0", "<|message_model|>"],
])("%s: %j is a strength of %s", async (name, body, strength, end) => {
  const { render } = await appOf(name);
  const prompt = await render(body);
  expect(/(?:strength|level): ([\w.]+?)\.?</.exec(prompt.replace("[", "<"))?.[1]).toBe(strength);
  expect(prompt.endsWith(end)).toBe(true);
});
