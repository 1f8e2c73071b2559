/** Calls of models that stray from their format. */

import { describe, expect, test } from "vitest";
import type { ReplyEvent } from "../../../worker/reply/reply-events.ts";
import { ReplyReader } from "../../../worker/reply/reply-reader.ts";
import { recogniseToolFormat, TOOL_FORMATS } from "../../../worker/tools/formats/recognise.ts";
import type { ToolFormat } from "../../../worker/tools/formats/tool-format.ts";
import { readCalls } from "../../support/tool-reading.ts";

const formatOf = (name: string): ToolFormat => TOOL_FORMATS.find((format) => format.name === name)!;
const CHANNEL = { open: "<|channel>thought\n", close: "<channel|>", channel: "<|channel>" };
const THINK = { open: "<think>", close: "</think>" };

function readAll(text: string, format: string, reasoning = THINK) {
  const tools = { format: formatOf(format).callFormat, names: ["f", "g"], constrained: false, single: false };
  const reader = new ReplyReader({ stop: [], reasoning, tools }, () => "call_1");
  const events = [...[...text].flatMap((piece) => reader.push(piece)), ...reader.flush(true)];
  const joined = (pick: (event: ReplyEvent) => string): string => events.map(pick).join("");
  return {
    content: joined((event) => (event.type === "text" ? event.text : "")),
    reasoning: joined((event) => (event.type === "reasoning" ? event.text : "")),
    calls: joined((event) => (event.type === "tool-call-start" ? `${event.name} ` : argumentsOf(event))),
    ended: reader.ended,
  };
}

function argumentsOf(event: ReplyEvent): string {
  return event.type === "tool-call-delta" ? event.arguments : "";
}

/** Reported for Gemma 4 (ollama's issue 18307), Ministral 3 (llama.cpp's issue 29248) and Qwen3 (vLLM's issue 35687). */
describe("a call inside a thought that is not closed is a call, and ends the reply", () => {
  test.each([
    ["gemma-4", "<|channel>thought\n", CHANNEL, '<|tool_call>call:f{a:<|"|>x<|"|>}<tool_call|>'],
    ["mistral-named", "[THINK]", { open: "[THINK]", close: "[/THINK]" }, '[TOOL_CALLS]f[ARGS]{"a": "x"}'],
    [
      "mistral-named",
      "[THINK]",
      { open: "[THINK]", close: "[/THINK]" },
      '[TOOL_CALLS]f[CALL_ID]123456789[ARGS]{"a": "x"}',
    ],
    ["lfm2", "<think>", THINK, "<|tool_call_start|>[f(a='x')]<|tool_call_end|>"],
    ["hermes", "<think>", THINK, '<tool_call>\n{"name": "f", "arguments": {"a": "x"}}\n</tool_call>'],
    ["hermes", "<think>", THINK, '<tool_call>{"name": "f", "arguments": {"a": "x"}}</tool_call>'],
    ["hermes", "<think>", THINK, '<tool_call>\n{"name":"f","arguments":{"a": "x"}}\n</tool_call>'],
    ["tool-calls", "<think>", THINK, '<tool_calls>[{"name":"f","arguments":{"a": "x"}}]</tool_calls>'],
    ["xml", "<think>", THINK, "<tool_call><function=f><parameter=a>x</parameter></function></tool_call>"],
    ["minicpm5", "<think>", THINK, '<function name="f"><param name="a">x</param></function>'],
    [
      "minicpm5",
      "<think>",
      THINK,
      '<function name="f"><arguments><param name="a">x</param></arguments></function>',
    ],
    [
      "kimi-k3",
      "",
      { open: "<|open|>think<|sep|>", close: "<|close|>think<|sep|>", startsInside: true },
      '<|open|>tools<|sep|><|open|>call tool="f" index="1"<|sep|><|open|>argument key="a" type="string"<|sep|>x' +
        "<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>",
    ],
  ])("%s", (format, open, reasoning, call) => {
    expect(readAll(`${open}I need f.\n${call}`, format, reasoning)).toEqual({
      content: "",
      reasoning: "I need f.",
      calls: 'f {"a": "x"}',
      ended: true,
    });
  });

  test("markers without a call of a tool stay in the thought", () => {
    const thought =
      'Then <tool_call> {"name": "f"} or <|tool_call>call:h{} or call:f{} or <|tool_call>call:f.\n' +
      '<tool_call>\n{"name": "f", "arguments": <args>}\n</tool_call>\n<function name="f"> or <function name="h"></function>';
    for (const [format, reasoning] of [
      ["gemma-4", CHANNEL],
      ["hermes", THINK],
      ["minicpm5", THINK],
    ] as const) {
      const text = `${reasoning.open}${thought}${reasoning.close}Done.`;
      expect(readAll(text, format, reasoning)).toEqual({
        content: "Done.",
        reasoning: thought,
        calls: "",
        ended: false,
      });
    }
  });
});

/** Reported for Gemma 4 (vLLM's issue 54256) and LFM2.5 (llama.cpp's pull request 21242). */
describe("calls without their opening marker", () => {
  test("of Gemma 4, behind a thought and behind text", () => {
    const call = 'call:f{a:<|"|>x<|"|>}<tool_call|>';
    expect(readAll(`<|channel>thought\nhm<channel|>${call}`, "gemma-4", CHANNEL)).toMatchObject({
      content: "",
      calls: 'f {"a": "x"}',
    });
    expect(readAll(`I look. ${call}`, "gemma-4", CHANNEL)).toMatchObject({
      content: "I look.",
      calls: 'f {"a": "x"}',
    });
    const text = "A call: yes. call:h{} call:f";
    expect(readAll(text, "gemma-4", CHANNEL)).toMatchObject({ content: text, calls: "" });
  });

  test("of LFM2.5, at the beginning of a reply", () => {
    expect(readAll("<think>hm</think>[f(a='x'), g()]", "lfm2")).toMatchObject({
      content: "",
      calls: 'f {"a": "x"}g {}',
    });
    for (const text of ["[f, g]", "[1, 2]", '{"a": 1}', "See [f(a='x')]", "f(a='x')"])
      expect(readAll(text, "lfm2")).toMatchObject({ content: text, calls: "" });
  });
});

describe("a call as Python's dictionary is read", () => {
  const call = "{'name': 'f', 'arguments': {'a': \"it's\", 'b': [True, None, 1.5]}}";
  const wanted = { content: "", calls: 'f {"a": "it\'s", "b": [true, null, 1.5]}' };

  test.each([
    ["hermes", call],
    ["hermes", `\n${call}\n`],
    ["hermes", `<tool_call>\n${call}\n</tool_call>`],
    [
      "hermes",
      `<tool_call>\n{ 'arguments': {'a': 'it\\'s', 'b': [True, None, 1.5]}, 'name': 'f' }\n</tool_call>`,
    ],
    ["hermes", `\`\`\`json\n${call}\n\`\`\``],
    ["llama", call.replace("arguments", "parameters")],
  ])("%s: %s", (format, text) => {
    expect(readAll(text, format)).toMatchObject(wanted);
    for (let at = 0; at <= text.length; at++) {
      const options = { format: formatOf(format).callFormat, names: new Set(["f"]) };
      const { text: content, calls } = readCalls([text.slice(0, at), text.slice(at)], options);
      expect([content, calls.map((one) => `${one.name} ${one.arguments}`)]).toEqual(["", [wanted.calls]]);
    }
  });

  test("so are several", () => {
    expect(readAll(`${call}\n{'name': 'g', 'arguments': {}}`, "hermes")).toMatchObject({
      content: "",
      calls: `${wanted.calls}g {}`,
    });
  });

  test.each([
    "{'a': 1}",
    "{'name': 'x', 'arguments': {}}",
    "{'name': 'f'}",
    "{'name', 'f'}",
    "{'name': 'f', 'arguments': {'a'",
    "{'names': 'f', 'arguments': {}}",
    "{'name': f(), 'arguments': {}}",
  ])("but not another one: %s", (text) => {
    expect(readAll(text, "hermes")).toMatchObject({ content: text, calls: "" });
  });

  test("another one does not wait for its end", () => {
    const tools = { format: formatOf("hermes").callFormat, names: ["f"], constrained: false, single: false };
    const reader = new ReplyReader({ stop: [], tools }, () => "call_1");
    const events = ["{", "'na", "mes'", ": 1"].flatMap((piece) => reader.push(piece));
    expect(events.map((event) => (event.type === "text" ? event.text : ""))).toEqual(["{'names'", ": 1"]);
  });
});

describe("the name alone in place of the function's object is read", () => {
  test.each([
    ["llama", '{"type": "function", "function": "f", "parameters": {"a": "x"}}'],
    ["llama", '{"parameters": {"a": "x"}, "function": "f"}'],
    ["hermes", '{"function": "f", "arguments": {"a": "x"}}'],
    ["granite", '<|tool_call|>[{"type": "function", "function": "f", "arguments": {"a": "x"}}]'],
  ])("%s: %s", (format, text) => {
    expect(readAll(text, format)).toMatchObject({ content: "", calls: 'f {"a": "x"}' });
  });

  test.each([
    '{"function": "sin", "parameters": {"a": "x"}}',
    '{"name": "g", "function": "f", "parameters": {"a": "x"}}',
  ])("but not another name, or a second one: %s", (text) => {
    expect(readAll(text, "llama")).toMatchObject({ content: text, calls: "" });
  });
});

test("arguments beside a `function` that has none are the call's", () => {
  const text = '{"type": "function", "function": {"name": "f"}, "parameters": {"a": "x"}}';
  for (let at = 0; at <= text.length; at++) {
    const read = readCalls([text.slice(0, at), text.slice(at)], {
      format: formatOf("llama").callFormat,
      names: new Set(["f"]),
    });
    expect(read).toMatchObject({ calls: [{ name: "f", arguments: '{"a": "x"}', ended: true }], text: "" });
  }
});

test.each([
  ["llama", '{"name": "f", "parameters": {}}, {"name": "g", "parameters": {}}'],
  ["hermes", '<tool_call>{"name": "f", "arguments": {}}, {"name": "g", "arguments": {}}</tool_call>'],
])("%s: calls with a comma between them leave no comma", (format, text) => {
  expect(readAll(text, format)).toMatchObject({ content: "", calls: "f {}g {}" });
  const first = text.slice(0, text.indexOf("}},") + 2);
  expect(readAll(`${first}, and so on`, format)).toMatchObject({ content: ", and so on", calls: "f {}" });
});

test("a `function` without arguments anywhere is a call without any", () => {
  const { calls } = readCalls([...'{"type": "function", "function": {"name": "f"}}'], {
    format: formatOf("llama").callFormat,
    names: new Set(["f"]),
  });
  expect(calls).toEqual([{ name: "f", arguments: "{}", ended: true }]);
});

describe("MiniCPM5", () => {
  const format = recogniseToolFormat('<function name="f"><param name="a">value</param></function>')!;
  const types = { a: "string", n: "integer", on: ["boolean", "null"], list: "array" };
  const read = (text: string) =>
    readCalls([...text], { format: format.callFormat, names: new Set(["f", "g"]), typesOf: () => types });

  test.each([
    ['<param name="a">Paris</param>', { a: "Paris" }],
    ['<param name="a">5</param><param name="n">5</param>', { a: "5", n: 5 }],
    [
      `\n  <param name="on">True</param>\n  <param name="list">['x', None]</param>\n`,
      { on: true, list: ["x", null] },
    ],
    [
      '<param name="a"><![CDATA[if a < b && c:\n  "x"</param>\n]]></param>',
      { a: 'if a < b && c:\n  "x"</param>\n' },
    ],
    ['<param name="a">R&amp;D &lt;b&gt;</param>', { a: "R&D <b>" }],
    ['<param name="a"><![CDATA[R&amp;D]]></param>', { a: "R&amp;D" }],
    ['<param name="a">\n<![CDATA[ x ]]>\n</param><param name="n">5</param>', { a: " x ", n: 5 }],
    ['<param name="a"><![CDATA[x]]><param name="n">5</param>', { a: "x", n: 5 }],
    ['<param name="a"><![CDATA[x[y[0]]>z]]>\n', { a: "x[y[0]]>z" }],
    ["", {}],
  ])("%s", (members, args) => {
    const { calls, text } = read(`<function name="f">${members}</function>\n<function name="g"></function>`);
    expect(calls.map((call) => [call.name, JSON.parse(call.arguments)])).toEqual([
      ["f", args],
      ["g", {}],
    ]);
    expect(text).toBe("");
  });

  test.each(["", "</param></function>", "]]>\n", "]]> </param>"])(
    "a section that is not closed ends with %j",
    (end) => {
      const tools = { format: format.callFormat, names: ["f"], constrained: false, single: false };
      const reader = new ReplyReader({ stop: [], tools }, () => "call_1");
      const text = `<function name="f"><param name="a"><![CDATA[x < y${end}`;
      const events = [...[...text].flatMap((piece) => reader.push(piece)), ...reader.flush(true)];
      expect(events.map(argumentsOf).join("")).toBe('{"a": "x < y"}');
    },
  );

  test("another name is text", () => {
    const text = 'Write <function name="h"></function>.';
    expect(read(text)).toMatchObject({ calls: [], text });
  });
});

test.each([
  ["functionary", '<function=f>\n{"a": "x"}\n</function>'],
  ["mistral-named", '[TOOL_CALLS]f[ARGS] {"a": "x"}'],
  ["deepseek-v3.1", '<｜tool▁call▁begin｜>f<｜tool▁sep｜>\n{"a": "x"}<｜tool▁call▁end｜>'],
])("%s: white space in front of arguments is no part of them", (format, text) => {
  expect(readAll(text, format)).toMatchObject({ content: "", calls: 'f {"a": "x"}' });
});

/** Names of JSON-LD. */
test.each(["function-gemma", "gemma-4"])("%s: a parameter's name may have colons", (format) => {
  const given = '{"d": "a:b", "dc": 1, "dc:title": "x", "dc:title:de": "y"}';
  const tool = formatOf(format);
  const text = tool.write([{ id: "a", name: "f", arguments: given }]);
  const types = { "dc:title": "string", dc: "integer", d: "string", "dc:title:de": "string" };
  for (let at = 0; at <= text.length; at++) {
    const options = { format: tool.callFormat, names: new Set(["f"]), typesOf: () => types };
    const { calls } = readCalls([text.slice(0, at), ...text.slice(at)], options);
    expect(calls).toEqual([{ name: "f", arguments: given, ended: true }]);
  }
});

const SEPARATOR = "<｜tool▁sep｜>";
const FENCED = `function${SEPARATOR}f\n\`\`\`json\n{"a": "x"}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`;

/** As vLLM's and llama.cpp's parsers read them, too. */
test.each([
  ["deepseek", `<｜tool▁calls｜>${FENCED}`, 'f {"a": "x"}'],
  ["deepseek", `<｜tool_calls_begin｜><｜tool▁call▁begin｜>${FENCED}`, 'f {"a": "x"}'],
  ["deepseek", `<｜tool▁calls▁begin｜>${FENCED}`, 'f {"a": "x"}'],
  ["deepseek-v3.1", `<｜tool▁call▁begin｜>f${SEPARATOR}<｜tool▁call▁end｜>`, "f {}"],
  ["functionary", "<function=f></function><function=g>\n</function>", "f {}g {}"],
  ["mistral-named", "[TOOL_CALLS]f[ARGS]", "f {}"],
  ["mistral-named", '[TOOL_CALLS]f{"a": "x"}[TOOL_CALLS]g {}', 'f {"a": "x"}g {}'],
  ["granite", '<tool_call>[{"name": "f", "arguments": {"a": "x"}}]', 'f {"a": "x"}'],
  ["granite", '[{"name": "f", "arguments": {"a": "x"}}, {"name": "g", "arguments": {}}]', 'f {"a": "x"}g {}'],
  ["granite", '[{"name": "Ann"}] has [1].', "", '[{"name": "Ann"}] has [1].'],
  [
    "lfm2",
    '<|tool_call_start|>[{"name": "f", "arguments": {"a": "x"}}]<|tool_call_end|>[1]',
    'f {"a": "x"}',
    "[1]",
  ],
  [
    "llama",
    'Look: {"type": "function", "name": "f", "parameters": {"a": "x"}} ok',
    'f {"a": "x"}',
    "Look: ok",
  ],
  ["hermes", '<tool_call>\n{"name": "f", "arguments": {"a": "x"}}}\n</tool_call>', 'f {"a": "x"}'],
  ["hermes", '<tool_call>\n{"name": "f", "arguments": {"a": "x"},}\n</tool_call>', 'f {"a": "x"}'],
  [
    "hermes",
    '<tool_call>\n{"name": "f", "arguments": {"a": "x"}\n</tool_call>\n<tool_call>\n{"name": "g", "arguments": {}}}',
    'f {"a": "x"}g {}',
  ],
  ["nemotron", '<TOOLCALL>[{"name": "f", "arguments": {"a": "x"}}}]</TOOLCALL>', 'f {"a": "x"}'],
  ["hermes", '<tool_call>{"name": "f", "arguments": {"a": "x"}}} or {}', 'f {"a": "x"}', "} or {}"],
  [
    "function-gemma",
    "<start_function_call>call:f{a:<escape>x<escape>}<end_function_call><start_function_response>response:f{b:1}",
    'f {"a": "x"}',
  ],
  ["function-gemma", "Text <start_function_response>.", "", "Text <start_function_response>."],
])("%s: %j", (format, text, calls, content = "") => {
  const tools = { format: formatOf(format).callFormat, names: ["f", "g"], constrained: false, single: false };
  for (let at = 0; at <= text.length; at++) {
    const reader = new ReplyReader({ stop: [], tools }, () => "call_1");
    const pieces = [text.slice(0, at), text.slice(at)];
    const events = [...pieces.flatMap((piece) => reader.push(piece)), ...reader.flush(true)];
    const joined = (pick: (event: ReplyEvent) => string): string => events.map(pick).join("");
    expect(
      joined((event) => (event.type === "tool-call-start" ? `${event.name} ` : argumentsOf(event))),
    ).toBe(calls);
    expect(joined((event) => (event.type === "text" ? event.text : ""))).toBe(content);
  }
});

test.each([
  ["minicpm5", "Use `<tool_call>` and `</tool_call>`."],
  ["kimi", "It writes <|tool_calls_section_begin|>\n and stops."],
])("%s: markers around no call are text", (format, text) => {
  expect(readAll(text, format)).toMatchObject({ content: text, calls: "" });
});

test("apertus: a bracket in a text after a call begins no results", () => {
  const call = '<|tools_prefix|>[{"g": {}}]<|tools_suffix|>';
  const text = "\n[Here](x), as in [1].";
  expect(readAll(call + text, "apertus")).toMatchObject({ content: text, calls: "g {}", ended: false });
});

test("an object with a member of no call is text, in one piece and in many", () => {
  const text = '<TOOLCALL>[{"x": 1, "function": {"name": "f", "arguments": {}}}]</TOOLCALL>';
  for (const pieces of [[text], [...text]]) {
    const read = readCalls(pieces, { format: formatOf("nemotron").callFormat, names: new Set(["f"]) });
    expect([read.calls, read.text]).toEqual([[], text]);
  }
});
