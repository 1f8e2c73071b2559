/** Formats of calls that no published one has: they are derived from a call that the template writes. */

import { beforeAll, describe, expect, test } from "vitest";
import { ChatTemplate } from "../../../worker/chat-template/chat-template.ts";
import { ToolCallReader } from "../../../worker/reply/tool-call-reader.ts";
import { checkTools } from "../../../worker/tools/check-tools.ts";
import { constrainCalls } from "../../../worker/tools/constraints.ts";
import { toolFormatOf } from "../../../worker/tools/formats/template-format.ts";
import type { ToolFormat } from "../../../worker/tools/formats/tool-format.ts";
import { parameterTypes } from "../../../worker/tools/parameter-types.ts";
import type { ToolDefinition } from "../../../worker/tools/tool-types.ts";
import { readCalls } from "../../support/tool-reading.ts";
import { GrammarEngine } from "../../support/xgrammar.ts";

let engine: GrammarEngine;
beforeAll(async () => {
  engine = await GrammarEngine.load();
});

const parameters = {
  type: "object",
  properties: { text: { type: "string" }, limit: { type: "integer" }, exact: { type: "boolean" } },
  required: ["text"],
};
const tools: ToolDefinition[] = [
  { type: "function", function: { name: "find", parameters } },
  { type: "function", function: { name: "now", parameters: { type: "object", properties: {} } } },
  { type: "function", function: { name: "find_more", parameters } },
];

/** @param calls writes `m.tool_calls`, `thought` what is before the text of other messages */
function templateWith(calls: string, thought = ""): ChatTemplate {
  const source =
    "{%- if tools %}<|system|>\n{{ tools | tojson }}<|end|>\n{%- endif %}" +
    "{%- for m in messages %}<|{{ m.role }}|>\n" +
    `{%- if not m.tool_calls %}${thought}{% endif %}{{ m.content }}{%- if m.tool_calls %}${calls}{%- endif %}<|end|>\n{% endfor %}` +
    "{%- if add_generation_prompt %}<|assistant|>\n{% endif %}";
  return new ChatTemplate({ source, bos: "", eos: "", engineAddsBos: false });
}

const each = (call: string, between = ""): string =>
  `{%- for c in m.tool_calls %}{%- set f = c.function %}{%- set a = f.arguments %}${call}` +
  `{%- if not loop.last %}{{ '${between}' }}{%- endif %}{%- endfor %}`;
const members = (one: string): string => `{%- for k, v in a.items() %}${one}{%- endfor %}`;
const raw = "{{ v if v is string else v | tojson }}";

/** What writes the calls, a call of `find`, and that with a call of `now`. */
const TEMPLATES: Record<string, [calls: string, one: string, two: string]> = {
  "an object with other keys": [
    each(`{{ '<act>{"tool": "' + f.name + '", "input": ' }}{{ a | tojson }}{{ '}</act>' }}`, "\\n"),
    '<act>{"tool": "find", "input": {"text": "x", "limit": 3, "exact": true}}</act>',
    '<act>{"tool": "find", "input": {"text": "x", "limit": 3, "exact": true}}</act>\n<act>{"tool": "now", "input": {}}</act>',
  ],
  "a list after words": [
    `{{ 'Use: [' }}${each(`{{ '{"name": "' + f.name + '", "arguments": ' }}{{ a | tojson }}{{ '}' }}`, ", ")}{{ ']' }}`,
    'Use: [{"name": "find", "arguments": {"text": "x", "limit": 3, "exact": true}}]',
    'Use: [{"name": "find", "arguments": {"text": "x", "limit": 3, "exact": true}}, {"name": "now", "arguments": {}}]',
  ],
  "a list without a marker, of one call only": [
    `{%- set f = m.tool_calls[0].function %}{{ '[{"name": "' + f.name + '", "input": ' }}{{ f.arguments | tojson }}{{ '}]' }}`,
    '[{"name": "find", "input": {"text": "x", "limit": 3, "exact": true}}]',
    '[{"name": "find", "input": {"text": "x", "limit": 3, "exact": true}}, {"name": "now", "input": {}}]',
  ],
  "an object keyed by the name": [
    each(`{{ '<use>{"' + f.name + '": ' }}{{ a | tojson }}{{ '}</use>' }}`),
    '<use>{"find": {"text": "x", "limit": 3, "exact": true}}</use>',
    '<use>{"find": {"text": "x", "limit": 3, "exact": true}}</use><use>{"now": {}}</use>',
  ],
  "an object with an id": [
    each(
      `{{ '[CALLS]{"id": "' + c.id + '", "name": "' + f.name + '", "arguments": ' }}{{ a | tojson }}{{ '}' }}`,
    ),
    '[CALLS]{"name": "find", "arguments": {"text": "x", "limit": 3, "exact": true}}',
    '[CALLS]{"name": "find", "arguments": {"text": "x", "limit": 3, "exact": true}}[CALLS]{"name": "now", "arguments": {}}',
  ],
  "an object with the name after the arguments": [
    each(`{{ '<call>{"arguments": ' }}{{ a | tojson }}{{ ', "name": "' + f.name + '"}</call>' }}`, "\\n"),
    '<call>{"arguments": {"text": "x", "limit": 3, "exact": true}, "name": "find"}</call>',
    '<call>{"arguments": {"text": "x", "limit": 3, "exact": true}, "name": "find"}</call>\n<call>{"arguments": {}, "name": "now"}</call>',
  ],
  "a list as the API has it, sorted": [
    `{{ '<calls>' }}{{ m.tool_calls | tojson(sort_keys=true) }}{{ '</calls>' }}`,
    '<calls>[{"function": {"arguments": {"text": "x", "limit": 3, "exact": true}, "name": "find"}, "type": "function"}]</calls>',
    '<calls>[{"function": {"arguments": {"text": "x", "limit": 3, "exact": true}, "name": "find"}, "type": "function"}, {"function": {"arguments": {}, "name": "now"}, "type": "function"}]</calls>',
  ],
  "an object with a list of calls": [
    `{{ '{"tool_calls": [' }}${each(`{{ '{"name": "' + f.name + '", "arguments": ' }}{{ a | tojson }}{{ '}' }}`, ", ")}{{ ']}' }}`,
    '{"tool_calls": [{"name": "find", "arguments": {"text": "x", "limit": 3, "exact": true}}]}',
    '{"tool_calls": [{"name": "find", "arguments": {"text": "x", "limit": 3, "exact": true}}, {"name": "now", "arguments": {}}]}',
  ],
  "an object in another, with a marker": [
    each(
      `{{ '<use>{"call": {"name": "' + f.name + '", "arguments": ' }}{{ a | tojson }}{{ '}}</use>' }}`,
      "\\n",
    ),
    '<use>{"call": {"name": "find", "arguments": {"text": "x", "limit": 3, "exact": true}}}</use>',
    '<use>{"call": {"name": "find", "arguments": {"text": "x", "limit": 3, "exact": true}}}</use>\n<use>{"call": {"name": "now", "arguments": {}}}</use>',
  ],
  "objects with a separator": [
    each(`{{ '{"name": "' + f.name + '", "arguments": ' }}{{ a | tojson }}{{ '}' }}`, "; "),
    '{"name": "find", "arguments": {"text": "x", "limit": 3, "exact": true}}',
    '{"name": "find", "arguments": {"text": "x", "limit": 3, "exact": true}}; {"name": "now", "arguments": {}}',
  ],
  "a name and an object in parentheses": [
    each("{{ f.name + '(' }}{{ a | tojson }}{{ ')' }}", "\\n"),
    'find({"text": "x", "limit": 3, "exact": true})',
    'find({"text": "x", "limit": 3, "exact": true})\nnow({})',
  ],
  "a name and an object alone": [
    each("{{ f.name + ' ' }}{{ a | tojson }}", "\\n"),
    'find {"text": "x", "limit": 3, "exact": true}',
    'find {"text": "x", "limit": 3, "exact": true}\nnow {}',
  ],
  "a name and an object in elements": [
    each(
      "{{ '<use_it>\\n<server>main</server>\\n<name>' + f.name + '</name>\\n<args>\\n' }}{{ a | tojson }}{{ '\\n</args>\\n</use_it>' }}",
      "\\n",
    ),
    '<use_it>\n<server>main</server>\n<name>find</name>\n<args>\n{"text": "x", "limit": 3, "exact": true}\n</args>\n</use_it>',
    '<use_it>\n<server>main</server>\n<name>find</name>\n<args>\n{"text": "x", "limit": 3, "exact": true}\n</args>\n</use_it>\n<use_it>\n<server>main</server>\n<name>now</name>\n<args>\n{}\n</args>\n</use_it>',
  ],
  "an object in a fence, after words": [
    each(
      `{{ '**Call:**\\n\`\`\`json\\n{"name": "' + f.name + '", "arguments": ' }}{{ a | tojson }}{{ '}\\n\`\`\`' }}`,
      "\\n",
    ),
    '**Call:**\n```json\n{"name": "find", "arguments": {"text": "x", "limit": 3, "exact": true}}\n```',
    '**Call:**\n```json\n{"name": "find", "arguments": {"text": "x", "limit": 3, "exact": true}}\n```\n**Call:**\n```json\n{"name": "now", "arguments": {}}\n```',
  ],
  "a name and an object between tokens, in a block": [
    `{{ '<|calls|>' }}${each("{{ '<|call|>' + f.name + '<|with|>' }}{{ a | tojson }}{{ '<|done|>' }}")}{{ '<|all|>' }}`,
    '<|calls|><|call|>find<|with|>{"text": "x", "limit": 3, "exact": true}<|done|><|all|>',
    '<|calls|><|call|>find<|with|>{"text": "x", "limit": 3, "exact": true}<|done|><|call|>now<|with|>{}<|done|><|all|>',
  ],
  "a name and an object after tokens, without an end": [
    each("{{ '<|call|>' + f.name + '<|with|>' }}{{ a | tojson }}"),
    '<|call|>find<|with|>{"text": "x", "limit": 3, "exact": true}',
    '<|call|>find<|with|>{"text": "x", "limit": 3, "exact": true}<|call|>now<|with|>{}',
  ],
  "a name and an object after words, without an end": [
    each("{{ 'Action: ' + f.name + '\\nInput: ' }}{{ a | tojson }}", "\\n"),
    'Action: find\nInput: {"text": "x", "limit": 3, "exact": true}',
    'Action: find\nInput: {"text": "x", "limit": 3, "exact": true}\nAction: now\nInput: {}',
  ],
  "a name and an object after a word, with nothing between them": [
    each("{{ 'Call ' + f.name }}{{ a | tojson }}", "\\n"),
    'Call find{"text": "x", "limit": 3, "exact": true}',
    'Call find{"text": "x", "limit": 3, "exact": true}\nCall now{}',
  ],
  "a name, an id and an object": [
    each("{{ '<call>' + f.name + '<id>' + c.id + '<args>' }}{{ a | tojson }}{{ '</call>' }}", "\\n"),
    '<call>find<id>a-1<args>{"text": "x", "limit": 3, "exact": true}</call>',
    '<call>find<id>a-1<args>{"text": "x", "limit": 3, "exact": true}</call>\n<call>now<id>b_2<args>{}</call>',
  ],
  "elements with values of one line": [
    each(
      `{{ '<run>\\n<fn=' + f.name + '>\\n' }}${members(`{{ '<arg=' + k + '>' }}${raw}{{ '</arg>\\n' }}`)}{{ '</fn>\\n</run>' }}`,
      "\\n",
    ),
    "<run>\n<fn=find>\n<arg=text>x</arg>\n<arg=limit>3</arg>\n<arg=exact>true</arg>\n</fn>\n</run>",
    "<run>\n<fn=find>\n<arg=text>x</arg>\n<arg=limit>3</arg>\n<arg=exact>true</arg>\n</fn>\n</run>\n<run>\n<fn=now>\n</fn>\n</run>",
  ],
  "elements between the markers of Hermes, with values on lines of their own": [
    each(
      `{{ '<tool_call>\\n<call name="' + f.name + '" id="' + c.id + '">\\n' }}${members(`{{ '<set name="' + k + '">\\n' }}${raw}{{ '\\n</set>\\n' }}`)}{{ '</call>\\n</tool_call>' }}`,
      "\\n",
    ),
    '<tool_call>\n<call name="find">\n<set name="text">\nx\n</set>\n<set name="limit">\n3\n</set>\n<set name="exact">\ntrue\n</set>\n</call>\n</tool_call>',
    '<tool_call>\n<call name="find">\n<set name="text">\nx\n</set>\n<set name="limit">\n3\n</set>\n<set name="exact">\ntrue\n</set>\n</call>\n</tool_call>\n<tool_call>\n<call name="now">\n</call>\n</tool_call>',
  ],
  "a block of elements, with a label of texts": [
    `{{ '<calls>\\n' }}${each(
      `{{ '<invoke name="' + f.name + '" index="' ~ loop.index ~ '">\\n' }}${members(
        `{{ '<value name="' + k + '" string="' ~ ('true' if v is string else 'false') ~ '">' }}${raw}{{ '</value>\\n' }}`,
      )}{{ '</invoke>\\n' }}`,
    )}{{ '</calls>' }}`,
    '<calls>\n<invoke name="find">\n<value name="text" string="true">x</value>\n<value name="limit" string="false">3</value>\n<value name="exact" string="false">true</value>\n</invoke>\n</calls>',
    '<calls>\n<invoke name="find">\n<value name="text" string="true">x</value>\n<value name="limit" string="false">3</value>\n<value name="exact" string="false">true</value>\n</invoke>\n<invoke name="now">\n</invoke>\n</calls>',
  ],
  "keys and values in elements": [
    each(
      `{{ '<call>' + f.name + '\\n' }}${members(`{{ '<k>' + k + '</k>\\n<v>' }}${raw}{{ '</v>\\n' }}`)}{{ '</call>' }}`,
      "\\n",
    ),
    "<call>find\n<k>text</k>\n<v>x</v>\n<k>limit</k>\n<v>3</v>\n<k>exact</k>\n<v>true</v>\n</call>",
    "<call>find\n<k>text</k>\n<v>x</v>\n<k>limit</k>\n<v>3</v>\n<k>exact</k>\n<v>true</v>\n</call>\n<call>now\n</call>",
  ],
  "Python's calls in a list, of one call only": [
    "{%- set f = m.tool_calls[0].function %}{{ '[' + f.name + '(' }}{%- for k, v in f.arguments.items() %}{{ k + '=' }}{{ v | tojson }}{{ ', ' if not loop.last }}{%- endfor %}{{ ')]' }}",
    '[find(text="x", limit=3, exact=true)]',
    '[find(text="x", limit=3, exact=true), now()]',
  ],
  "Python's calls": [
    `{{ '<py>[' }}${each("{{ f.name + '(' }}{%- for k, v in a.items() %}{{ k + '=' }}{% if v is string %}{{ v | tojson }}{% else %}{{ v }}{% endif %}{{ ', ' if not loop.last }}{%- endfor %}{{ ')' }}", ", ")}{{ ']</py>' }}`,
    '<py>[find(text="x", limit=3, exact=True)]</py>',
    '<py>[find(text="x", limit=3, exact=True), now()]</py>',
  ],
};

describe.each(Object.entries(TEMPLATES))("%s", (_, [calls, one, two]) => {
  const format = toolFormatOf(templateWith(calls))!;
  const wanted = ["find", { text: "x", limit: 3, exact: true }];

  test("its calls are read, at every cut", () => {
    const types = parameterTypes(tools);
    expect(format.name).toBe("template");
    for (const [text, names] of [
      [one, [wanted]],
      [two, [wanted, ["now", {}]]],
    ] as const)
      for (let at = 0; at <= text.length; at++) {
        const read = readCalls([text.slice(0, at), text.slice(at)], {
          format: format.callFormat,
          names: new Set(["find", "now"]),
          typesOf: (name) => types[name]!,
        });
        expect(read.calls.map((call) => [call.name, JSON.parse(call.arguments)])).toEqual(names);
        expect(read.text).toBe("");
      }
  });

  test("its calls are enforced", async () => {
    const texts = [one, two, one.replace("find", "nothing"), one.replace(/\b3\b/, '"many"'), "Hello"];
    expect(await judge(format, "required", texts)).toEqual(["match", "match", "no", "no", "no"]);
    expect(await judge(format, "auto", [`Look: ${two}`, 'Use: {"a": [1]} <b>'])).toEqual(["match", "match"]);
  });
});

test("a word before the name may depend on the tool", () => {
  const format = toolFormatOf(
    templateWith(
      `{{ '<use>' }}${each("{{ '\\n<from>all</from>\\n<name>' + f.name + '</name>\\n<args>\\n' }}{{ a | tojson }}{{ '\\n</args>' }}")}{{ '\\n</use>' }}`,
    ),
  )!;
  const call = (from: string, name: string) =>
    `\n<from>${from}</from>\n<name>${name}</name>\n<args>\n{}\n</args>`;
  const read = readCalls([...`<use>${call("web", "find")}${call("clock.main", "now")}\n</use>`], {
    format: format.callFormat,
    names: new Set(["find", "now"]),
  });
  expect(read.calls.map(({ name }) => name)).toEqual(["find", "now"]);
  expect(read.text).toBe("");
});

test("a name alone at the beginning of a reply is a call only with an object, and elsewhere it is text", async () => {
  for (const between of ["(", ": ", " ", ""]) {
    const format = toolFormatOf(
      templateWith(
        each(`{{ f.name + '${between}' }}{{ a | tojson }}{{ '${between === "(" ? ")" : ""}' }}`, "\\n"),
      ),
    )!;
    const options = { format: format.callFormat, names: new Set(["find", "now"]) };
    for (const text of ["find me", "find (it)", "find(it)", "find: it", "now() is", "now", "Then find {}"]) {
      const read = readCalls([...text], options);
      expect([read.text, read.calls.length]).toEqual([text, 0]);
      expect(await judge(format, "auto", [text])).toEqual(["match"]);
    }
  }
});

async function judge(format: ToolFormat, mode: "required" | "auto", texts: string[]) {
  const checked = checkTools(tools, undefined, format.callSyntax.dialect);
  if (!checked.ok) throw new Error(checked.message);
  const constraint = constrainCalls(format.callSyntax, { choice: { mode }, tools: checked.tools });
  return constraint ? engine.judge(constraint, texts) : texts.map(() => "match");
}

test("a published format that reads the template's calls stays", () => {
  const source = each(
    `{{ '<tool_call>\\n{"name": "' + f.name + '", "arguments": ' }}{{ a | tojson }}{{ '}\\n</tool_call>' }}`,
  );
  expect(toolFormatOf(templateWith(source))?.name).toBe("hermes");
});

test.each([
  [
    "hermes",
    `{{ '<tool_call>{"name": "' + f.name + '", "arguments": ' }}{{ a | tojson }}{{ '}</tool_call>' }}`,
    "\\n",
  ],
  [
    "hermes",
    `{{ '<tool_call>\\n{"name": "' + f.name + '", "arguments": ' }}{{ a | tojson }}{{ '}\\n</tool_call>' }}`,
    "",
  ],
  [
    "glm-4.5",
    `{{ '<tool_call>' + f.name + '\\n' }}${members(`{{ '<arg_key>' + k + '</arg_key>\\n<arg_value>' }}${raw}{{ '</arg_value>' }}`)}{{ '\\n</tool_call>' }}`,
    "\\n",
  ],
])("%s with the white space of the template is enforced and written so", async (name, call, between) => {
  const template = templateWith(each(call, between));
  const format = toolFormatOf(template)!;
  expect(format.name).toBe(name);
  const calls = [
    { id: "a", name: "find", arguments: '{"text":"x"}' },
    { id: "b", name: "find", arguments: '{"text":"y","limit":3}' },
  ];
  const asked = calls.map(({ id, ...one }) => ({ id, type: "function" as const, function: one }));
  const turn = { role: "assistant" as const, content: "", tool_calls: asked };
  const [, written] = template
    .render({ messages: [{ role: "user", content: "Hi" }, turn], tools, opensReply: false })
    .match(/<.assistant.>([\s\S]*)<.end.>/)!;
  expect(format.write(calls)).toBe(written);
  expect(await judge(format, "required", [written!])).toEqual(["match"]);
  const types = parameterTypes(tools);
  const options = {
    format: format.callFormat,
    names: new Set(["find"]),
    typesOf: (one: string) => types[one]!,
  };
  expect(readCalls([written!], options).calls.map((one) => JSON.parse(one.arguments))).toEqual([
    { text: "x" },
    { text: "y", limit: 3 },
  ]);
});

test.each([
  [
    "a thought that only calls have",
    "{{ '<muse>' ~ (m.reasoning or '') ~ '</muse>\\n' }}",
    "{{ '<muse>' ~ m.reasoning ~ '</muse>' if m.reasoning }}",
  ],
  ["the end of a message", "<|end|>\n", ""],
])("%s is none of the calls", (_, before, thought) => {
  const call = each(`{{ '<use>{"name": "' + f.name + '", "arguments": ' }}{{ a | tojson }}{{ '}</use>' }}`);
  const format = toolFormatOf(templateWith(`${before}${call}`, thought));
  expect(format?.callFormat.open).toEqual(["<use>"]);
});

test("calls of no known form show no format", () => {
  expect(toolFormatOf(templateWith("{{ m.tool_calls | length }}"))).toBeUndefined();
  expect(toolFormatOf(templateWith("{{ m.tool_calls }}"))).toBeUndefined();
  // Ids differ: nothing tells such a call from text.
  expect(
    toolFormatOf(templateWith(each("{{ f.name + '[' + c.id + ']' }}{{ a | tojson }}", "\\n"))),
  ).toBeUndefined();
  // Quotes around texts only: neither plain text nor a JSON object.
  const quoted = each(
    `{{ '<f=' + f.name + '>' }}${members("{{ '<p=' + k + '>' }}{{ v | tojson }}{{ '</p>' }}")}{{ '</f>' }}`,
  );
  expect(toolFormatOf(templateWith(quoted))).toBeUndefined();
});

const byName = (before: string, after: string): string =>
  each(`{{ ${before} }}{{ '{"name": "' + f.name + '", "arguments": ' }}{{ a | tojson }}{{ '}' + ${after} }}`);

test.each([
  ["names the tool before the call, too", byName("'<call:' + f.name + '>'", "'</call>'")],
  ["names the tool after the call, too", byName("'<call>'", "'</call:' + f.name + '>'")],
  ["has the call's id", byName("'<call ' + c.id + '>'", "'</call>'")],
])("a marker that %s is no fixed text", (_, calls) => {
  expect(toolFormatOf(templateWith(calls))).toBeUndefined();
});

test("calls without their end are read by no format, and that of the template's text stays", () => {
  const cut = (marker: string): string =>
    each(`{{ '${marker}{"name": "' + f.name + '", "arguments": ' }}{{ (a | tojson)[:-1] }}`);
  expect(toolFormatOf(templateWith(cut("<tool_call>\\n")))?.name).toBe("hermes");
  expect(toolFormatOf(templateWith(cut("<use>")))).toBeUndefined();
});

test.each([
  ["nested objects", byName(`'{"a":' * 9000`, "'}' * 9000")],
  [
    "white space",
    each(
      `{{ '<f n="' + f.name + '"' + ' ' * 40000 + '>' }}${members("{{ '<p=' + k + '>' ~ v ~ '</p>' }}")}{{ '</f>' }}`,
    ),
  ],
])("calls in long texts show no format: %s", (_, calls) => {
  expect(toolFormatOf(templateWith(calls))).toBeUndefined();
});

const ELEMENTS = members(`{{ '<k>' + k + '</k><v>' }}${raw}{{ '</v>\\n' }}`);

test.each([
  ["words", "'CALL: ' + f.name + '\\n'", "CALL: now\n", "CALL: now"],
  ["a token", "'<|call|>' + f.name + '\\n'", "<|call|>now\n", "<|call|>now"],
  ["a tag with the name", "'<f=' + f.name + '>\\n'", "<f=now>\n", "<f=now>"],
])("elements after %s may have no end, and a call no elements", (_, before, now, last) => {
  const { callFormat, write } = toolFormatOf(templateWith(each(`{{ ${before} }}${ELEMENTS}`)))!;
  const text = `${now}${write([{ id: "", name: "find", arguments: '{"text": "x"}' }])}\n${last}`;
  for (const pieces of [[text], [...text]]) {
    const reader = new ToolCallReader({
      format: callFormat,
      names: new Set(["find", "now"]),
      mintId: () => "",
    });
    const events = [...pieces.flatMap((piece) => reader.push(piece)), ...reader.flush(true)];
    expect(events.flatMap((event) => (event.type === "text" ? event.text : []))).toEqual([]);
    expect(events.flatMap((event) => (event.type === "tool-call-start" ? event.name : []))).toEqual([
      "now",
      "find",
      "now",
    ]);
    const all = events.flatMap((event) => (event.type === "tool-call-delta" ? event.arguments : [])).join("");
    expect(all).toBe('{}{"text": "x"}{}');
  }
});
