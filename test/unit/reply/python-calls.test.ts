/** Calls written as Python: what begins one, what is text, and what a long or deep argument costs. */

import { expect, test } from "vitest";
import { gemma } from "../../../worker/tools/formats/gemma.ts";
import { lfm2 } from "../../../worker/tools/formats/lfm2.ts";
import { llama } from "../../../worker/tools/formats/llama.ts";
import { olmo3 } from "../../../worker/tools/formats/olmo3.ts";
import { pythonCall } from "../../../worker/tools/formats/python-call.ts";
import type { ToolFormat } from "../../../worker/tools/formats/tool-format.ts";
import { cuts } from "../../support/chunks.ts";
import { fc } from "../../support/random.ts";
import { type ReadCall, readCalls } from "../../support/tool-reading.ts";

const ended = (name: string, text: string): ReadCall => ({ name, arguments: text, ended: true });
const marked = (calls: string): string => `<|tool_call_start|>${calls}<|tool_call_end|>`;

function read(format: ToolFormat, pieces: readonly string[]): { text: string; calls: ReadCall[] } {
  const { text, calls } = readCalls(pieces, {
    format: format.callFormat,
    names: new Set(["f", "any"]),
    typesOf: () => ({ a: "integer", b: "string" }),
  });
  return { text, calls };
}

/** What is read of the text, the same for every cut. */
function readAtEveryCut(format: ToolFormat, text: string): { text: string; calls: ReadCall[] } {
  const whole = read(format, [text]);
  for (let at = 1; at < text.length; at++)
    expect(read(format, [text.slice(0, at), text.slice(at)])).toEqual(whole);
  expect(read(format, [...text])).toEqual(whole);
  return whole;
}

test.each([
  "[any(1, 2)] is a citation",
  "[f(the city of Paris)] is how I call it. Then the reply goes on.",
  '[f("Paris")]',
  "[f(a == 1)]",
  "[f(a, b=1)]",
  "[f(",
  "[f(a",
  "[f(a=",
  "[f",
  "[f, any]",
  "[f (a=1)]",
  "[g(a=1)]",
  "[f.method(a=1)]",
  "[[f(a=1)]]",
  "[ \n 1, 2]",
])("%s at the beginning of a reply is text", (text) => {
  for (const format of [llama, gemma]) expect(readAtEveryCut(format, text)).toEqual({ text, calls: [] });
});

test.each([
  marked("[f(the city of Paris)]"),
  marked("[f(1 2)]"),
  marked("[f([1, 2)]"),
  marked("[f(a == 1)]"),
  marked("[g(1)]"),
  "<|tool_call_start|>[f(",
  '<|tool_call_start|>[f("never ends',
])("%s, which is no call, is text with its markers", (text) => {
  expect(readAtEveryCut(lfm2, text)).toEqual({ text, calls: [] });
});

test.each([
  ["[f(a=1)] and more", [ended("f", '{"a": 1}')], " and more"],
  ["[f()]", [ended("f", "{}")], ""],
  ["[f(a=1, 'x'), any( b = \"y\" , )]", [ended("f", '{"a": 1, "b": "x"}'), ended("any", '{"b": "y"}')], ""],
  ["[f(a=1), then this]", [ended("f", '{"a": 1}')], ", then this]"],
  ["[f(a=1) then this]", [ended("f", '{"a": 1}')], " then this]"],
  ["[f(a=1, the city)]", [ended("f", '{"a": 1')], ", the city)]"],
  ["[f(a=the city…)] is", [ended("f", '{"a": ')], "the city…)] is"],
  ["[f(a=Paris)]", [ended("f", '{"a": "Paris"}')], ""],
])("%s begins with calls, and what is none of them is text", (text, calls, rest) => {
  expect(readAtEveryCut(llama, text)).toEqual({ text: rest, calls });
});

test("after a marker, the first argument may be positional", () => {
  expect(readAtEveryCut(lfm2, marked('[f(1, b="x"), any(2)]')).calls).toEqual([
    ended("f", '{"a": 1, "b": "x"}'),
    ended("any", '{"a": 2}'),
  ]);
  expect(readAtEveryCut(llama, '<|python_tag|>f.call(1, "x")').calls).toEqual([
    ended("f", '{"a": 1, "b": "x"}'),
  ]);
});

test.each([
  ["''", '""'],
  ["''''''", '""'],
  [`"""it's "so" "" \\""""`, `"it's \\"so\\" \\"\\" \\""`],
  ["'\\x41\\u00e9\\U0001F600\\n\\\\\\q'", '"A\u00e9😀\\n\\\\\\\\q"'],
  ["'😀'", '"😀"'],
  ["[]", "[]"],
  ["{}", "{}"],
  ["[ [ ] , ( 1 , ) , { } , ]", "[[], [1], {}]"],
  ["{'k' : None , \"l\":[True,-1.50]}", '{"k": null, "l": [true, -1.5]}'],
  // JSON has numbers of any size.
  ["[1e400, -1.5E+999]", "[1e400, -1.5E+999]"],
  ["{'k'}", '["k"]'],
  ["{'k', 1, {'l': {'m',}} }", '["k", 1, {"l": ["m"]}]'],
  ["'sed -n '1,2p' a'", `"sed -n '1,2p' a"`],
  [`["it"s", {'k': 'don't' }]`, '["it\\"s", {"k": "don\'t"}]'],
])("the value %s is %s", (written, json) => {
  const { calls, text } = readAtEveryCut(lfm2, marked(`[f(a=${written}, b=${written})]`));
  expect([calls, text]).toEqual([[ended("f", `{"a": ${json}, "b": ${json}}`)], ""]);
});

test.each([
  "[1,,2]",
  "[,]",
  "{1: 2}",
  "{'k': 1",
  "(1]",
  "'\\xZZ'",
  "'\\UFFFFFFFF'",
  "constructor()",
  "01e999",
  "-True",
])("the value %s ends the call", (written) => {
  const { calls, text } = readAtEveryCut(lfm2, marked(`[f(a=${written})]`));
  expect(calls).toEqual([ended("f", '{"a": ')]);
  expect(text).toBe(`${written})]<|tool_call_end|>`);
});

test("words that name something of JavaScript's are text", () => {
  expect(readAtEveryCut(lfm2, marked("[f(a=constructor, b=__proto__)]")).calls).toEqual([
    ended("f", '{"a": "constructor", "b": "__proto__"}'),
  ]);
});

test("any arguments that are written are read, under every cut", () => {
  const values = fc.dictionary(fc.stringMatching(/^[a-z_]\w{0,5}$/), fc.jsonValue(), { maxKeys: 4 });
  fc.assert(
    fc.property(values, cuts(), (value, cut) => {
      const call = pythonCall({ id: "", name: "f", arguments: JSON.stringify(value) });
      const { calls, text } = read(lfm2, cut(marked(`[${call}]`)));
      expect(calls.map((one) => JSON.parse(one.arguments))).toEqual([JSON.parse(JSON.stringify(value))]);
      expect(text).toBe("");
    }),
    { numRuns: 300 },
  );
});

test("any text is read alike under every cut, and whole if there is no call in it", () => {
  const parts = fc.constantFrom(
    ...[
      "<|tool_call_start|>",
      "<|tool_call_end|>",
      "<|python_tag|>",
      "<function_calls>",
      "</function_calls>",
      "[",
      "]",
      "(",
      ")",
      "{",
      "}",
      ",",
      ":",
      "=",
      " ",
    ],
    ...["f(", "any", "a=", "1", "-", "e3", "True", "'", '"', "\\", "x4", "\n", "\ud83d", "…", "city"],
  );
  fc.assert(
    fc.property(
      fc.array(parts, { maxLength: 24 }),
      cuts(),
      fc.constantFrom(lfm2, llama, gemma, olmo3),
      (all, cut, format) => {
        const text = all.join("");
        const whole = read(format, [text]);
        expect(read(format, cut(text))).toEqual(whole);
        if (whole.calls.length === 0) expect(whole.text).toBe(text);
      },
    ),
    { numRuns: 3000 },
  );
});

test("an argument has as many levels as a schema, and no more", () => {
  const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
  expect(readAtEveryCut(lfm2, marked(`[f(a=${nested(100)})]`)).calls).toEqual([
    ended("f", `{"a": ${nested(100)}}`),
  ]);
  const { calls, text } = read(lfm2, [marked(`[f(a=${nested(101)})]`)]);
  expect([calls, text]).toEqual([[ended("f", '{"a": ')], `${nested(101)})]<|tool_call_end|>`]);
});

test.each(["$filter", "user.name", "@id", "1st", "été", "日本", "a b"])(
  "a parameter may be named %s",
  (key) => {
    const text = marked(`[f(${key}="x", n=1)]`);
    for (const pieces of [[text], [...text]]) {
      const { calls } = readCalls(pieces, {
        format: lfm2.callFormat,
        names: new Set(["f"]),
        typesOf: () => ({ [key]: "string", n: "integer" }),
      });
      expect(calls).toEqual([ended("f", `{${JSON.stringify(key)}: "x", "n": 1}`)]);
    }
  },
);

test("a tool may have the longest name of a function in a namespace", () => {
  const name = `${"n".repeat(64)}__${"f".repeat(128)}`;
  const text = marked(`[${name}(a=1)]`);
  for (const pieces of [[text], [...text]]) {
    const { calls } = readCalls(pieces, {
      format: lfm2.callFormat,
      names: new Set([name]),
      typesOf: () => ({}),
    });
    expect(calls).toEqual([ended(name, '{"a": 1}')]);
  }
});

// As LFM2.5 writes commands and code, and its template too (SGLang's pull request 34237).
test.each([
  ["f(b='print('a')\nprint('')')", "print('a')\nprint('')"],
  ["f(b='plot(x, 'red', 2)')", "plot(x, 'red', 2)"],
  [`f(b="say("hi"), then "go"", a=1)`, 'say("hi"), then "go"'],
  ["f(b='run('a'), g('b')')", "run('a'), g('b')"],
  ["f(b='if x('a') == 'b', a == 1: go', )", "if x('a') == 'b', a == 1: go"],
])("a quote in the string of %s does not end it", (written, value) => {
  for (const list of [marked(`[${written}]`), marked(`[${written}, any()]`), `[${written}]`]) {
    const { calls, text } = readAtEveryCut(lfm2, list);
    expect([JSON.parse(calls[0]!.arguments).b, text]).toEqual([value, ""]);
  }
  expect(readAtEveryCut(olmo3, `<function_calls>${written}\nany()</function_calls>`)).toMatchObject({
    text: "",
    calls: [{ name: "f" }, { name: "any" }],
  });
});

test.each([
  ['[f(b="x"), unknown(b="y")]', ', unknown(b="y")]'],
  ['[f(b="x")\nany(b="y")]', '\nany(b="y")]'],
  ['[f(b="x"))]', ")]"],
  ['[f(b="x").] and more', ".] and more"],
])("a string without quotes in it ends at its quote, whatever follows the call: %s", (calls, rest) => {
  for (const format of [lfm2, llama, gemma])
    expect(readAtEveryCut(format, calls)).toEqual({ text: rest, calls: [ended("f", '{"b": "x"}')] });
});

test.each([`f(b="x", ${"k".repeat(140)}="y")`, 'f(b="x", k  =  "y")'])(
  "a string without quotes in it ends before any argument: %s",
  (call) => {
    const [{ arguments: text } = { arguments: "" }] = readAtEveryCut(lfm2, marked(`[${call}]`)).calls;
    expect(Object.values(JSON.parse(text) as object)).toEqual(["x", "y"]);
  },
);

test("a call may lack the bracket after it", () => {
  for (const text of [marked("[f(b='x')"), "<|tool_call_start|>[f(b='x')", "[f(b='x')"])
    expect(readAtEveryCut(lfm2, text)).toEqual({ text: "", calls: [ended("f", '{"b": "x"}')] });
});

test("a string may have a prefix", () => {
  expect(readAtEveryCut(lfm2, marked("[f(b=f'x', c=[u\"y\"])]")).calls).toEqual([
    ended("f", '{"b": "x", "c": ["y"]}'),
  ]);
});

test.each([
  ["0x1F", "31"],
  ["-0xff_ff", "-65535"],
  ["0b101", "5"],
  ["0o17", "15"],
  ["-0x0", "0"],
  ["0xFFFFFFFFFFFFFFFF", "18446744073709551615"],
])("the number %s is %s", (written, json) => {
  expect(readAtEveryCut(lfm2, marked(`[f(a=${written}, b="x")]`))).toEqual({
    text: "",
    calls: [ended("f", `{"a": ${json}, "b": "x"}`)],
  });
});

test("a number that is too large for JSON is none", () => {
  const { calls } = readAtEveryCut(lfm2, marked(`[f(a=0x${"f".repeat(300)})]`));
  expect(calls).toEqual([{ name: "f", arguments: '{"a": ', ended: true }]);
});
