/** Calls whose arguments are elements with names: of GLM, MiniMax M2, Seed-OSS, LongCat, DeepSeek and Step 3. */

import { describe, expect, test } from "vitest";
import type { ReplyEvent } from "../../../worker/reply/reply-events.ts";
import { ReplyReader } from "../../../worker/reply/reply-reader.ts";
import { TOOL_FORMATS } from "../../../worker/tools/formats/recognise.ts";
import type { ToolFormat } from "../../../worker/tools/formats/tool-format.ts";
import { fc } from "../../support/random.ts";

const TYPES = {
  a: "string",
  n: "integer",
  on: ["boolean", "null"],
  list: "array",
  of: "object",
  any: ["string", "integer"],
} as const;
const TOOLS = ["f", "g", "f_all"];
const THINK = { open: "<think>", close: "</think>" };

const formatOf = (name: string): ToolFormat => TOOL_FORMATS.find((format) => format.name === name)!;

/** What clients get of a reply in these pieces, which the model ended. */
function read(pieces: readonly string[], name: string, reasoning = THINK) {
  const types = Object.fromEntries(TOOLS.map((tool) => [tool, TYPES]));
  const { callFormat: format } = formatOf(name);
  const tools = { format, names: TOOLS, types, constrained: false, single: false };
  const reader = new ReplyReader({ stop: [], reasoning, tools }, () => "call_1");
  const events = [...pieces.flatMap((piece) => reader.push(piece)), ...reader.flush(true)];
  const joined = (pick: (event: ReplyEvent) => string): string => events.map(pick).join("");
  const calls: [name: string, args: string][] = [];
  for (const event of events) {
    if (event.type === "tool-call-start") calls.push([event.name, ""]);
    if (event.type === "tool-call-delta") calls.at(-1)![1] += event.arguments;
  }
  return {
    content: joined((event) => (event.type === "text" ? event.text : "")),
    reasoning: joined((event) => (event.type === "reasoning" ? event.text : "")),
    calls: calls.map(([tool, args]) => [tool, JSON.parse(args) as unknown]),
    ended: reader.ended,
  };
}

interface Style {
  call: (name: string, members: string) => string;
  member: (key: string, value: string) => string;
  /** Around the calls of a reply. */
  around?: readonly [open: string, close: string];
  memberEnd: string;
  /** Ends of a call, inside out. */
  ends: readonly string[];
}

const keyed = (prefix: string, gap: string): Style => ({
  call: (name, members) => `<${prefix}tool_call>${name}${gap}${members}</${prefix}tool_call>`,
  member: (key, value) =>
    `<${prefix}arg_key>${key}</${prefix}arg_key>${gap}<${prefix}arg_value>${value}</${prefix}arg_value>${gap}`,
  memberEnd: `</${prefix}arg_value>`,
  ends: [`</${prefix}tool_call>`],
});

const hunyuan = (suffix: string): Style => ({
  call: (name, members) => `<tool_call${suffix}>${name}<tool_sep${suffix}>\n${members}</tool_call${suffix}>`,
  member: (key, value) =>
    `<arg_key${suffix}>${key}</arg_key${suffix}>\n<arg_value${suffix}>${value}</arg_value${suffix}>\n`,
  around: [`<tool_calls${suffix}>\n`, `\n</tool_calls${suffix}>`],
  memberEnd: `</arg_value${suffix}>`,
  ends: [`</tool_call${suffix}>`, `</tool_calls${suffix}>`],
});

const STYLES: Record<string, Style> = {
  "glm-4.5": keyed("", "\n"),
  "glm-4.7": keyed("", ""),
  "longcat-2": keyed("longcat_", "\n"),
  "hunyuan-3": hunyuan(""),
  "hunyuan-3-open": hunyuan(":opensource"),
  "minimax-m2": {
    call: (name, members) => `<invoke name="${name}">\n${members}</invoke>`,
    member: (key, value) => `<parameter name="${key}">${value}</parameter>\n`,
    around: ["<minimax:tool_call>\n", "\n</minimax:tool_call>"],
    memberEnd: "</parameter>",
    ends: ["</invoke>", "</minimax:tool_call>"],
  },
  "deepseek-v3.2": {
    call: (name, members) => `<｜DSML｜invoke name="${name}">\n${members}</｜DSML｜invoke>`,
    member: (key, value) =>
      `<｜DSML｜parameter name="${key}" string="${["a", "constructor"].includes(key) || value === "5 kg"}">${value}</｜DSML｜parameter>\n`,
    around: ["<｜DSML｜function_calls>\n", "\n</｜DSML｜function_calls>"],
    memberEnd: "</｜DSML｜parameter>",
    ends: ["</｜DSML｜invoke>", "</｜DSML｜function_calls>"],
  },
  "step-3": {
    call: (name, members) =>
      `<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="${name}">\n${members}</steptml:invoke><｜tool_call_end｜>`,
    member: (key, value) => `<steptml:parameter name="${key}">${value}</steptml:parameter>\n`,
    around: ["<｜tool_calls_begin｜>\n", "\n<｜tool_calls_end｜>"],
    memberEnd: "</steptml:parameter>",
    ends: ["</steptml:invoke>", "<｜tool_call_end｜>", "<｜tool_calls_end｜>"],
  },
  "mimo-v2": {
    call: (name, members) => `<tool_call>\n<function=${name}>\n${members}</function>\n</tool_call>`,
    member: (key, value) => `<parameter=${key}>${value}</parameter>\n`,
    memberEnd: "</parameter>",
    ends: ["</function>", "</tool_call>"],
  },
  "seed-oss": {
    call: (name, members) => `<seed:tool_call>\n<function=${name}>\n${members}</function>\n</seed:tool_call>`,
    member: (key, value) => `<parameter=${key}>${value}</parameter>\n`,
    memberEnd: "</parameter>",
    ends: ["</function>", "</seed:tool_call>"],
  },
};

const VALUES: [key: string, text: string, value: unknown][] = [
  ["a", "5", "5"],
  ["a", "", ""],
  ["a", "true", "true"],
  ["a", '  {"x": 1}  ', '  {"x": 1}  '],
  ["a", "line\n\n  <b>two</b> </other>\n", "line\n\n  <b>two</b> </other>\n"],
  ["a", "R&amp;D 😀 <", "R&amp;D 😀 <"],
  ["n", "5", 5],
  ["n", "five", "five"],
  ["on", "true", true],
  ["on", "False", false],
  ["on", "None", null],
  ["list", '["x", 1]', ["x", 1]],
  ["list", "['x', True]", ["x", true]],
  ["of", '{"b": {"c": [null]}}', { b: { c: [null] } }],
  ["any", "5", 5],
  ["any", "5 kg", "5 kg"],
  ["unknown", "5", 5],
  ["constructor", "x y", "x y"],
];

/** One for each key. */
const UNIQUE = [...new Map(VALUES.map((one) => [one[0], one])).values()];

describe.each(Object.entries(STYLES))("%s", (name, style) => {
  const { call, member, around = ["", ""], memberEnd, ends } = style;
  const one = (members: string, tool = "f"): string => around[0] + call(tool, members) + around[1];
  /** Every cut in two, and characters. */
  const cuts = (text: string): string[][] => [
    ...Array.from({ length: text.length }, (_, at) => [text.slice(0, at), text.slice(at)]),
    [...text],
  ];

  test.each(VALUES)("%s: %j is %j", (key, text, value) => {
    for (const pieces of cuts(one(member(key, text))))
      expect(read(pieces, name)).toMatchObject({ content: "", calls: [["f", { [key]: value }]] });
  });

  test("text, a thought and several calls, in random pieces", () => {
    const call = fc.record({ tool: fc.constantFrom(...TOOLS), members: fc.subarray(UNIQUE) });
    const cutsAt = fc.array(fc.nat({ max: 600 }), { maxLength: 40 });
    const calls = fc.array(call, { minLength: 1, maxLength: 3 });
    const property = fc.property(calls, cutsAt, (given, at) => {
      const written = given.map(({ tool, members }) =>
        style.call(tool, members.map(([key, text]) => member(key, text)).join("")),
      );
      const text = `<think>\nhm <b>\n</think>\n\nI look.\n${around[0]}${written.join("\n")}${around[1]}\n`;
      const ends = [0, ...at.toSorted((a, b) => a - b), text.length];
      const pieces = ends.slice(1).map((end, index) => text.slice(ends[index], end));
      expect(read(pieces, name)).toEqual({
        content: "I look.",
        reasoning: "hm <b>",
        calls: given.map(({ tool, members }) => [
          tool,
          Object.fromEntries(members.map(([key, , value]) => [key, value])),
        ]),
        ended: false,
      });
    });
    fc.assert(property, { numRuns: 100 });
  });

  test("ends that are left out", () => {
    const whole = one(member("a", "x") + member("n", "5")).trimEnd();
    const calls = [["f", { a: "x", n: 5 }]];
    const without = (text: string, ...tags: string[]): string =>
      tags.reduce((left, tag) => left.replaceAll(tag, ""), text).trimEnd();
    const last = whole.slice(0, whole.lastIndexOf(memberEnd));
    for (const text of [
      ...ends.map((end) => without(whole, end)),
      without(whole, ...ends),
      last,
      last + ends.join(""),
      last + ends.join("\n"),
      `${last}\n${ends[0]}`,
    ])
      for (const pieces of cuts(text)) expect(read(pieces, name), text).toMatchObject({ content: "", calls });
  });

  test("calls without arguments, also at the end of a reply without their ends", () => {
    const none = one("", "g");
    for (const text of [
      none,
      ends.reduce((left, end) => left.replace(end, ""), none).trimEnd(),
      `${none}\n${none}`,
    ])
      for (const pieces of cuts(text))
        expect(read(pieces, name).calls, text).toEqual(
          text.length > none.length
            ? [
                ["g", {}],
                ["g", {}],
              ]
            : [["g", {}]],
        );
  });

  test("a call without its end, before the next", () => {
    const first = one(member("n", "5"));
    const text = `${first.replace(ends.at(-1)!, "").trimEnd()}\n${one(member("a", "x"), "g")}`;
    for (const pieces of cuts(text))
      expect(read(pieces, name)).toMatchObject({
        content: "",
        calls: [
          ["f", { n: 5 }],
          ["g", { a: "x" }],
        ],
      });
  });

  test("other names and markers in text are text", () => {
    for (const text of [
      `Write ${one(member("a", "x"), "other").trim()} so.`,
      `Use ${around[0].trim() || call("f", "").split("f")[0]} for f and g.`,
      `${around[0]}${call("f", "").split("f")[0]} f is a tool`,
    ])
      for (const pieces of cuts(text)) expect(read(pieces, name)).toMatchObject({ content: text, calls: [] });
  });

  test("a call inside a thought that is not closed ends the thought, and the reply", () => {
    const text = `<think>I need f.\n${one(member("a", "x"))}`;
    for (const pieces of cuts(text))
      expect(read(pieces, name)).toEqual({
        content: "",
        reasoning: "I need f.",
        calls: [["f", { a: "x" }]],
        ended: true,
      });
  });
});

test.each(["minimax-m2", "seed-oss"])("%s: a value on lines of its own has none around it", (name) => {
  const { call, member, around = ["", ""] } = STYLES[name]!;
  const text = around[0] + call("f", member("a", "\nParis\n")) + around[1];
  expect(read([...text], name).calls).toEqual([["f", { a: "Paris" }]]);
});

test("glm-4.5: lines around a value between tags are its own", () => {
  const { call, member } = STYLES["glm-4.5"]!;
  expect(read([call("f", member("a", "\nx\n"))], "glm-4.5").calls).toEqual([["f", { a: "\nx\n" }]]);
});

test.each([
  ["any", "true", "5", "5"],
  ["any", "false", "5", 5],
  ["unknown", "true", "5", "5"],
  ["unknown", "false", "x", "x"],
  // The schema decides where the model strays from it.
  ["a", "false", "5", "5"],
  ["n", "true", "5", 5],
  ["on", "true", "null", null],
])('deepseek-v3.2: %s, which the model marks with string="%s", is %j', (key, isText, text, value) => {
  const call = (attribute: string): string =>
    `<｜DSML｜invoke name="f"><｜DSML｜parameter name="${key}"${attribute}>${text}</｜DSML｜parameter></｜DSML｜invoke>`;
  expect(read([...call(` string="${isText}"`)], "deepseek-v3.2").calls).toEqual([["f", { [key]: value }]]);
});

test("deepseek-v3.2: without the attribute, the schema decides", () => {
  const text = `<｜DSML｜invoke name="f"><｜DSML｜parameter name="a">5</｜DSML｜parameter></｜DSML｜invoke>`;
  expect(read([...text], "deepseek-v3.2").calls).toEqual([["f", { a: "5" }]]);
});

test.each([
  ["any", "string", "5", "5"],
  ["any", "integer", "5", 5],
  ["unknown", "string", "true", "true"],
  ["unknown", "array[string]", '["x"]', ["x"]],
])("k2-horizon: %s, of which a tag says that it is %s, is %j", (key, type, text, value) => {
  const written = `<ifm|arg_key>${key}</ifm|arg_key>\n<ifm|arg_type>${type}</ifm|arg_type>\n<ifm|arg_value>${text}</ifm|arg_value>\n`;
  const call = `<ifm|tool_calls>\n<ifm|tool_call>f\n${written}</ifm|tool_call>\n</ifm|tool_calls>`;
  expect(read([...call], "k2-horizon").calls).toEqual([["f", { [key]: value }]]);
});

test.each([
  ["xml", "<tool_call>", "</tool_call>", ""],
  ["glm-4.5", "<tool_call>", "</tool_call>", "\n"],
  ["dots", "<dots_function_call>", "</dots_function_call>", "\n"],
  ["k2-horizon", "<ifm|tool_calls>\n<ifm|tool_call>", "</ifm|tool_call>\n</ifm|tool_calls>", "\n"],
  ["zaya", "<zyphra_tool_call>", "</zyphra_tool_call>", "\n"],
])("%s: calls between the markers may be JSON", (name, open, close, gap) => {
  const written = (call: object): string => `${open}${gap}${JSON.stringify(call)}${gap}${close}`;
  const calls = [
    { name: "f", arguments: { a: "x", n: 5 } },
    { name: "g", arguments: {} },
  ];
  const text = `Both.\n${calls.map(written).join("\n")}`;
  for (const pieces of [[text], [...text]])
    expect(read(pieces, name)).toMatchObject({
      content: "Both.",
      calls: [
        ["f", { a: "x", n: 5 }],
        ["g", {}],
      ],
    });
  const other = written({ name: "other", arguments: {} });
  expect(read([...other], name)).toMatchObject({ content: other, calls: [] });
});

test.each([
  ["minimax-m2", '<minimax:tool_call>\n<invoke name="'],
  ["seed-oss", "<seed:tool_call>\n<function="],
  ["deepseek-v3.2", '<｜DSML｜function_calls>\n<｜DSML｜invoke name="'],
])("%s: what is too long for a name is text, before the reply ends", (name, start) => {
  const { callFormat: format } = formatOf(name);
  const tools = { format, names: TOOLS, constrained: false, single: false };
  const reader = new ReplyReader({ stop: [], tools }, () => "call_1");
  const text = start + "x".repeat(300);
  const events = Array.from(text).flatMap((piece) => reader.push(piece));
  expect(events.map((event) => (event.type === "text" ? event.text : "")).join("")).toBe(text);
});
