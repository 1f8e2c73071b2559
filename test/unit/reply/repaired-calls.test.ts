/** Calls that are slightly wrong, of the kinds that the parsers of vLLM, Ollama and llama.cpp are tested with. */

import { describe, expect, test } from "vitest";
import type { ParameterTypes } from "../../../worker/reply/call-format.ts";
import type { ReplyEvent } from "../../../worker/reply/reply-events.ts";
import { ReplyReader } from "../../../worker/reply/reply-reader.ts";
import type { ReplyReasoning } from "../../../worker/reply/reply-reasoning.ts";
import { TOOL_FORMATS } from "../../../worker/tools/formats/recognise.ts";
import { MARKED } from "../../support/tool-reading.ts";

interface Options {
  constrained?: boolean;
  reasoning?: ReplyReasoning;
  types?: Record<string, ParameterTypes>;
}

function readPieces(
  pieces: readonly string[],
  name: string,
  { constrained = false, types, reasoning }: Options,
) {
  const format = TOOL_FORMATS.find((one) => one.name === name)!.callFormat;
  const tools = { format, names: ["f", "g"], constrained, single: false, ...(types ? { types } : {}) };
  const reader = new ReplyReader({ stop: [], tools, ...(reasoning ? { reasoning } : {}) }, () => "call_1");
  const shown = (event: ReplyEvent): string => {
    if (event.type === "tool-call-start") return `<${event.name} `;
    if (event.type === "tool-call-delta") return event.arguments;
    if (event.type === "reasoning") return `(${event.text})`;
    return event.type === "text" ? event.text : ">";
  };
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.flush(true)]
    .map(shown)
    .join("")
    .replaceAll(")(", "");
}

/** The text with `<name arguments>` in place of each call, the same at every cut. */
function read(reply: string, format: string, options: Options = {}): string {
  const whole = readPieces([reply], format, options);
  expect(readPieces([...reply], format, options)).toBe(whole);
  for (let at = 1; at < reply.length; at++)
    expect(readPieces([reply.slice(0, at), reply.slice(at)], format, options)).toBe(whole);
  return whole;
}

describe("calls that must be made", () => {
  const calls = [
    { id: "call_1", name: "f", arguments: '{"a": 1}' },
    { id: "call_2", name: "g", arguments: "{}" },
  ];

  // Formats without markers, or with headers, have readers of their own.
  const formats = TOOL_FORMATS.filter(({ callFormat }) => {
    const { open, bare, inline = [] } = callFormat;
    return !MARKED.has(callFormat) && (bare || open.length + inline.length > 0);
  });

  test.each(formats.map((format) => [format.name, format.write(calls)]))("%s", (name, written) => {
    expect(read(written, name, { constrained: true })).toBe('<f {"a": 1}><g {}>');
  });
});

describe("closing markers that are repeated", () => {
  test.each([
    ["gemma-4", "<|tool_call>call:f{}<tool_call|><tool_call|>Done.", "<f {}>Done."],
    ["gemma-4", "<|tool_call>call:f{}<tool_call|>\n<tool_call|>", "<f {}>"],
    ["hermes", '<tool_call>{"name": "f", "arguments": {}}</tool_call></tool_call> Done.', "<f {}> Done."],
    ["hermes", '<tool_call>[{"name": "f", "arguments": {}}</tool_call>', "<f {}>"],
    ["nemotron", '<TOOLCALL>[{"name": "f", "arguments": {}</TOOLCALL>Done.', "<f {}>Done."],
    ["xml", "<tool_call>\n<function=f>\n</function>\n</tool_call>\n</tool_call>", "<f {}>"],
    ["hermes", '<tool_call>{"name": "f", "arguments": {}}</tool_call> </tool Done.', "<f {}> </tool Done."],
    [
      "hermes",
      'Use </tool_call> here. <tool_call>{"name": "f", "arguments": {}}',
      "Use </tool_call> here.<f {}>",
    ],
  ])("%s: %s", (format, reply, expected) => {
    expect(read(reply, format)).toBe(expected);
  });
});

describe("calls at the beginning of a reply", () => {
  test.each([
    [
      "hermes",
      '<tools>\n{"name": "f", "arguments": {}}\n</tools>\n<tools>\n{"name": "g", "arguments": {}}\n</tools>',
      "<f {}><g {}>",
    ],
    [
      "hermes",
      '```json\n{"name": "f", "arguments": {}}\n```\n```json\n{"name": "g", "arguments": {}}\n```\nDone.',
      "<f {}><g {}>\nDone.",
    ],
    ["hermes", '<tools>{"name": "f", "arguments": {}}</tools>\n[1] Done.', "<f {}>\n[1] Done."],
    [
      "mistral",
      '[{"name": "f", "arguments": {}}, {"name": "g", "arguments": {}}]\nDone.',
      "<f {}><g {}>\nDone.",
    ],
    ["mistral", ' {"name": "f", "arguments": {}}', "<f {}>"],
    ["mistral", '[{"name": "f"}]', '[{"name": "f"}]'],
    ["mistral", "[TOOL] is a marker", "[TOOL] is a marker"],
    ["list", 'I look.\n```json\n[{"name": "f", "arguments": {}}]\n```', "I look.<f {}>"],
    ["list", "```json\n[1, 2]\n```", "```json\n[1, 2]\n```"],
    [
      "list",
      '```\n[\n    {"name": "f", "arguments": {}},\n    {"name": "g", "arguments": {}}\n]\n```',
      "<f {}><g {}>",
    ],
    ["list", "```\nf()\n```\nso", "```\nf()\n```\nso"],
  ])("%s: %s", (format, reply, expected) => {
    expect(read(reply, format)).toBe(expected);
  });
});

describe("arguments of Gemma 4", () => {
  const Q = '<|"|>';

  test.each([
    ['{a:"x, b: \\"y\\"",c:[1,"z"]}', '{"a": "x, b: \\"y\\"", "c": [1, "z"]}'],
    ['{"a b":1, "c":"line\nline"}', '{"a b": 1, "c": "line\\nline"}'],
    ["{a:':\\s*\\w+',b:'x'}", '{"a": ":\\\\s*\\\\w+", "b": "x"}'],
    [`{a:'x'${Q}}`, '{"a": "x"}'],
    ['{a:"X" is a letter, b:1}', '{"a": "\\"X\\" is a letter", "b": 1}'],
    ["{a:'x}", `{"a": "'x"}`],
    [`{a:${Q}ls}`, '{"a": "ls"}'],
    [`{a:{b:[${Q}ls]}}`, '{"a": {"b": ["ls"]}}'],
    [`{a:{b:[${Q}ls${Q}`, '{"a": {"b": ["ls"]}}'],
  ])("%s", (written, json) => {
    for (const close of ["<tool_call|>", ""])
      expect(read(`<|tool_call>call:f${written}${close}`, "gemma-4")).toBe(`<f ${json}>`);
  });

  test("that are Python's constants", () => {
    const types = { f: { a: ["string", "null"], b: "string", c: "boolean", d: ["integer", "null"] } };
    for (const [written, json] of [
      ["{a:None,b:None,c:True,d:None}", '{"a": null, "b": "None", "c": true, "d": null}'],
      ["{a:True,b:null,c:false}", '{"a": "True", "b": null, "c": false}'],
      ["{x:{a:None},y:[True,None,Nonesuch]}", '{"x": {"a": null}, "y": [true, null, "Nonesuch"]}'],
      [`{a:${Q}None${Q},c:"True"}`, '{"a": "None", "c": "True"}'],
      ["{d:None", '{"d": null}'],
    ])
      expect(read(`<|tool_call>call:f${written}<tool_call|>`, "gemma-4", { types })).toBe(`<f ${json}>`);
  });

  test("that are texts without quotes may have commas", () => {
    const types = { f: { a: ["string", "null"], "b c": "string", n: "integer" } };
    for (const [written, json] of [
      ["{a:Well, no: 1, 2, n:3,b c:x, y}", '{"a": "Well, no: 1, 2", "n": 3, "b c": "x, y"}'],
      [`{a:x, y,"n":3,${Q}b c${Q}:z}`, '{"a": "x, y", "n": 3, "b c": "z"}'],
      ["{n:1, x:2}", '{"n": 1, "x": 2}'],
    ])
      expect(read(`<|tool_call>call:f${written}<tool_call|>`, "gemma-4", { types })).toBe(`<f ${json}>`);
    const cut = "<|tool_call>call:f{a:\n\n# Title\n\nOne, two,";
    expect(read(cut, "gemma-4", { types })).toBe('<f {"a": "# Title\\n\\nOne, two,"}>');
  });

  test("that the model breaks off", () => {
    expect(read("<|tool_call>call:f{a:1,b:# Title\n\nText.", "gemma-4")).toBe(
      '<f {"a": 1, "b": "# Title\\n\\nText."}>',
    );
    expect(read(`<|tool_call>:call:f{a:${Q}x`, "gemma-4")).toBe('<f {"a": "x"}>');
    expect(read(`<|tool_call>call:f{a:${Q}x${Q}<tool_call|>Done.`, "gemma-4")).toBe('<f {"a": "x"}>Done.');
    // Text that is no argument: the client sees that they are not whole.
    expect(read(`<|tool_call>call:f{a:${Q}x${Q} y}`, "gemma-4")).toBe('<f {"a": "x"> y}');
  });
});

describe("lists of calls", () => {
  const [f, g] = ['{"name": "f", "arguments": {"a": 1}}', '{"name": "g", "arguments": {}}'];

  test.each([
    ["mistral", `[TOOL_CALLS][${f.slice(1)}]`, '<f {"a": 1}>'],
    ["mistral", `[TOOL_CALLS] [${f.slice(1)}, ${g}]\nDone.`, '<f {"a": 1}><g {}>\nDone.'],
    ["mistral", '[TOOL_CALLS]["name", "f"]', '[TOOL_CALLS]["name", "f"]'],
    ["hermes", `<tool_call>[${f}\n${g}]</tool_call>`, '<f {"a": 1}><g {}>'],
    ["hermes", `<tool_call>[${f}, ${g},\n]</tool_call>`, '<f {"a": 1}><g {}>'],
    ["hermes", `<tool_call>${f},\n</tool_call>`, '<f {"a": 1}>'],
    ["hermes", `<tool_call>${f}]</tool_call>Done.`, '<f {"a": 1}>Done.'],
    ["llama", `See [${f}] for more`, 'See [<f {"a": 1}>] for more'],
    ["llama", `[${f} {"x": 1}]`, '<f {"a": 1}> {"x": 1}]'],
    ["llama", '["name", 1]', '["name", 1]'],
  ])("%s: %s", (format, reply, expected) => {
    expect(read(reply, format)).toBe(expected);
  });
});

test.each([
  [
    "nemotron-mini",
    'I look. <toolcall> {"type": "function", "arguments": {"a": 1}, "name": "f"} </toolcall>\n',
  ],
  ["gigachat-3.1", 'I look.<|function_call|>{"name": "f", "arguments": {"a": 1}}<|message_sep|>\n\n'],
  ["granite-fc", 'I look. <function_call> {"name": "f", "arguments": {"a": 1}}'],
  ["functools", 'I look. functools[{"name": "f", "arguments": {"a": 1}}]'],
  ["list", 'I look.\n<tool_call>\n{"name": "f", "arguments": {"a": 1}, "id": "call_1"}\n</tool_call>'],
  ["pythonic", "I look.<|python_start|>[f(a=1)]<|python_end|>"],
])("%s: text and a call", (format, reply) => {
  expect(read(reply, format)).toBe('I look.<f {"a": 1}>');
});

test.each([
  ["pythonic", "[f(a=1), g()]", '<f {"a": 1}><g {}>'],
  ["pythonic", '{"name": "f", "parameters": {"a": 1}}', '<f {"a": 1}>'],
  ["pythonic", "[x(a=1)]", "[x(a=1)]"],
  ["list", '[{"name": "f", "arguments": {"a": 1}, "id": "call_1"}]', '<f {"a": 1}>'],
  ["functools", '[{"name": "f", "arguments": {"a": 1}}]', '<f {"a": 1}>'],
  ["functools", "functools[0] is wrong", "functools[0] is wrong"],
  ["granite-fc", '<function_call> {"name": "no_function", "arguments": {}}', undefined],
])("%s: %s", (format, reply, expected = reply) => {
  expect(read(reply, format)).toBe(expected);
});

test("names without arguments in front of another call", () => {
  for (const args of ["[ARGS]", ""])
    expect(read(`[TOOL_CALLS]f${args}[TOOL_CALLS]g[ARGS]{"b": 2}`, "mistral-named")).toBe(
      '<f {}><g {"b": 2}>',
    );
  expect(read("[TOOL_CALLS]f[ARGS]\n[TOOL_CALLS]g[ARGS]", "mistral-named")).toBe("<f {}><g {}>");
  expect(read("[TOOL_CALLS]x[TOOL_CALLS]g[ARGS]{}", "mistral-named")).toBe("[TOOL_CALLS]x<g {}>");
});

test("tags around the calls and the arguments of MiniCPM5", () => {
  const call = '<function name="f"><arguments>\n<param name="a">x</param></arguments></function>';
  expect(read(`I look.\n<tool_call>\n${call}\n${call}</tool_call>`, "minicpm5")).toBe(
    'I look.<f {"a": "x"}><f {"a": "x"}>',
  );
});

test("calls behind the answer's closing marker", () => {
  const of = (open: string, close: string): Options => ({
    reasoning: { open: "<think>", close: "</think>", answer: { open, close } },
  });
  const list = '[{"name": "f", "arguments": {}}]';
  const hunyuan = of("<answer>", "</answer>");
  for (const [reply, expected] of [
    [`<think>Hm</think><answer>I look.</answer>\n<tool_calls>${list}</tool_calls>`, "(Hm)I look.<f {}>"],
    [`<think>Hm</think><answer><tool_calls>${list}</tool_calls>\n</answer>\n`, "(Hm)<f {}>"],
    ["<think>Hm</think><answer>See </answer> <tool>", "(Hm)See </answer> <tool>"],
    ["<think>Hm</think><answer>See.</answer> <tool", "(Hm)See."],
  ] as const)
    expect(read(reply, "tool-calls", hunyuan)).toBe(expected);
  const granite = `<think>Hm</think><response>I look.</response><|tool_call|>${list}`;
  expect(read(granite, "granite", of("<response>", "</response>"))).toBe("(Hm)I look.<f {}>");
});

describe("closing tags after a call, which close nothing", () => {
  const call = "<tool_call>\n<function=f>\n<parameter=a>\nb\n</parameter>\n</function>";

  test.each([
    [`${call}\n</function>\n</tool_call>`, ""],
    [`${call}\n</function_invocation>\n</tool_call>`, ""],
    [`${call}\n</function_invocation>\n</tool_call>\n\nDone.`, "Done."],
    [`${call}\n</tool_call>\n</think>`, ""],
    [`${call}\n</tool_call>\n</tools></minimax:calls> `, ""],
    // Not a tag, not closing, or not at once.
    [`${call}\n</tool_call></ b>`, "</ b>"],
    [`${call}\n</tool_call><b>x</b>`, "<b>x</b>"],
    [`${call}\n</tool_call>Done.</b>`, "Done.</b>"],
    [`${call}\n</tool_call></${"b".repeat(60)}>`, `</${"b".repeat(60)}>`],
    [`${call}\n</tool_call></func`, "</func"],
    [`${call}\n</tool_call> <`, " <"],
  ])("%j", (reply, text) => {
    expect(read(reply, "xml").replace(/\s+(?=Done)/, "")).toBe(`<f {"a": "b"}>${text}`);
  });

  test("unless a marker around the calls begins so", () => {
    const format = TOOL_FORMATS.find((one) => one.name === "xml")!.callFormat;
    const around = ["<calls>", "</calls><|end|>"];
    const tools = { format: { ...format, around }, names: ["f"], constrained: false, single: false };
    const reader = new ReplyReader({ stop: [], tools }, () => "call_1");
    const events = [...`<calls>${call}\n</tool_call>\n</calls><|end|>`].flatMap((one) => reader.push(one));
    expect([...events, ...reader.flush(true)].filter(({ type }) => type === "text")).toEqual([]);
  });

  test("in JSON, and between two calls", () => {
    const object = '<tool_call>\n{"name": "f", "arguments": {"a": 1}}\n</tool_call>';
    expect(read(`${object}\n</think>\n${object}\n</tool_calls>`, "hermes")).toBe('<f {"a": 1}><f {"a": 1}>');
  });
});
