/** Arguments of earlier calls reach templates as Python reads and writes them; the texts are those of Jinja2. */

import { expect, test } from "vitest";
import { ChatTemplate } from "../../../worker/chat-template/chat-template.ts";
import type { TemplateMessage } from "../../../worker/chat-template/traits/template-message.ts";

const source = (args: string): string =>
  "{% for m in messages %}{{ m.content }}{% for c in m.tool_calls %}" +
  `{% set a = c.function.arguments %}${args}{% endfor %}{% endfor %}`;

function render(shown: string, args: string): string {
  const call = { id: "abcdefghi", type: "function", function: { name: "f", arguments: args } } as const;
  const messages: TemplateMessage[] = [
    { role: "user", content: "" },
    { role: "assistant", content: "", tool_calls: [call] },
  ];
  const template = new ChatTemplate({ source: source(shown), bos: "", eos: "", engineAddsBos: false });
  return template.render({ messages });
}

test.each([
  ['{"id":1234567890123456789,"f":1.0}', '{"id": 1234567890123456789, "f": 1.0}'],
  ['{"b":"x","10":1,"2":2}', '{"b": "x", "10": 1, "2": 2}'],
  ['{"a":1e5,"b":1E-7,"c":-0,"d":-0.0,"e":2.50}', '{"a": 100000.0, "b": 1e-07, "c": 0, "d": -0.0, "e": 2.5}'],
  ['{"a":1,"b":2,"a":3}', '{"a": 3, "b": 2}'],
  ['{"__proto__":{"a":1},"":[]}', '{"__proto__": {"a": 1}, "": []}'],
  ['{"a":[1,[true,null,{}],-12345678901234567890]}', '{"a": [1, [true, null, {}], -12345678901234567890]}'],
  ['\n{ "k\\"\\\\" :\t"a: \\u00e9, [\\n]{}" }\n', '{"k\\"\\\\": "a: é, [\\n]{}"}'],
  ['{"a":1e999}', '{"a": Infinity}'],
  ["", "{}"],
])("%s", (args, text) => {
  expect(render("{{ a | tojson }}", args)).toBe(text);
});

test.each([
  ["{% for k, v in a.items() %}{{ k }}={{ v }};{% endfor %}", "id=1234567890123456789;f=1.0;l=[1, 2.0];"],
  ["{{ a.id ~ '' }}{{ a.id | string }}{{ a.id | int }}", "1234567890123456789".repeat(3)],
  ["{{ a.id > 5 }}{{ a.id is integer }}{{ a.f is float }}{{ a.f + 1 }}", "TrueTrueTrue2.0"],
  [
    "{{ a | tojson if a is mapping }}{{ a is mapping }}",
    '{"id": 1234567890123456789, "f": 1.0, "l": [1, 2.0]}True',
  ],
])("%s", (shown, text) => {
  // Written as JSON, too, so that the template is taken for one that reads objects.
  const json = render("{{ a | tojson }}", ARGS);
  expect(render(`{{ a | tojson }}${shown}`, ARGS)).toBe(json + text);
});

const ARGS = '{"id":1234567890123456789,"f":1.0,"l":[1,2.0]}';

test.each(["[1, 2]", '"text"', '{"a":', "7", "no JSON"])("%s is no object and stays text", (args) => {
  expect(render("{{ a | tojson }}", args)).toBe(JSON.stringify(args));
});

test("the limits of a template grow with the arguments", () => {
  const args = JSON.stringify({ text: "x".repeat(400_000) });
  expect(render("{{ a | tojson }}", args)).toHaveLength(args.length + 1);
});

test("a long number costs as much as a text", () => {
  const args = `{"n":${"9".repeat(150_000)}}`;
  expect(() =>
    render("{{ a | tojson }}{% for i in range(9000) %}{% if a.n | string %}{% endif %}{% endfor %}", args),
  ).toThrow(/steps/);
  expect(() => render("{{ a | tojson }}{{ ([a.n] * 900) | tojson }}", args)).toThrow(/longer than/);
});

test("arguments nested too deeply are an error, not an overflow", () => {
  const depth = 200_000;
  const args = `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  expect(() => render("{{ a | tojson }}", args)).toThrow("it is nested too deeply");
});

test.each([
  ["{% for k, v in a.items() %}{{ k }}={{ v }};{% endfor %}", "arguments=not {json};"],
  ["{% if a is mapping %}{{ a | tojson }}{% endif %}", '{"arguments": "not {json}"}'],
  ["{% if a is mapping %}{{ a | tojson }}{% else %}{{ a }}{% endif %}", "not {json}"],
])("what a model wrote in place of an object is not lost to %s", (shown, text) => {
  expect(render(shown, "not {json}")).toBe(text);
});
