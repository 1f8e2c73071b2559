/** Values of Qwen3-Coder's calls, which are text of no stated type. */

import { expect, test } from "vitest";
import type { ReplyEvent } from "../../../worker/reply/reply-events.ts";
import { ReplyReader } from "../../../worker/reply/reply-reader.ts";
import { deepseekV32 } from "../../../worker/tools/formats/deepseek-dsml.ts";
import { xml } from "../../../worker/tools/formats/xml.ts";
import { readCalls } from "../../support/tool-reading.ts";

const call = (value: string): string => `<function=f>\n<parameter=a>\n${value}\n</parameter>\n</function>`;

test.each<[value: string, type: string | string[], json: string]>([
  ["True", "boolean", "true"],
  ["FALSE", "boolean", "false"],
  ["None", ["string", "null"], "null"],
  ["None", ["integer", "null"], "null"],
  ["None", "string", '"None"'],
  ["True", "string", '"True"'],
  ["['a', 'b']", "array", '["a", "b"]'],
  ["{'a': None}", "object", '{"a": null}'],
  ["['a', 'b'] and more", "array", `"['a', 'b'] and more"`],
  ["['a'", "array", `"['a'"`],
  ["12", "integer", "12"],
  ['["a", "b"]', ["string", "array"], '["a", "b"]'],
  ['{"a": 1}', ["string", "object"], '{"a": 1}'],
  ['{"a": 1}', ["string", "array"], '"{\\"a\\": 1}"'],
  ["[1] and more", ["string", "array"], '"[1] and more"'],
  ["007", "integer", "7"],
  ["+1_000", ["number", "null"], "1000"],
  ["-.5", "number", "-0.5"],
  ["007", "string", '"007"'],
  ["007", ["string", "integer", "null"], '"007"'],
  ["1 or 2", "integer", '"1 or 2"'],
  ["True", "integer", '"True"'],
])("%s for a parameter of type %j is %s", (value, type, json) => {
  const { calls } = readCalls([...call(value)], {
    format: xml.callFormat,
    names: new Set(["f"]),
    typesOf: () => ({ a: type }),
  });
  expect(calls[0]?.arguments).toBe(`{"a": ${json}}`);
});

test("a call inside a thought that is not closed is a call, and ends the reply", () => {
  const reasoning = { open: "<think>", close: "</think>", startsInside: true };
  const tools = { format: xml.callFormat, names: ["f"], constrained: false, single: false };
  const reader = new ReplyReader({ stop: [], reasoning, tools }, () => "call_1");
  const text = `I need f.\n<tool_call>\n${call("x")}\n</tool_call>`;
  const events = [...text].flatMap((piece) => reader.push(piece));
  expect(events.map((event) => (event.type === "reasoning" ? event.text : "")).join("")).toBe("I need f.");
  expect(events.map((event) => (event.type === "tool-call-delta" ? event.arguments : "")).join("")).toBe(
    '{"a": "x"}',
  );
  expect(events.filter(({ type }) => type === "text")).toEqual([]);
  expect(reader.ended).toBe(true);
});

const CITY = "<parameter=city>\nParis\n";
test.each<[text: string, arguments: string, rest: string]>([
  [`<function=f>\n${CITY}</parameter>\n</tool_call>`, '{"city": "Paris"}', ""],
  [`<function=f>\n${CITY}<parameter=n>\n5\n</parameter>\n</function>`, '{"city": "Paris", "n": 5}', ""],
  [`<function=f>\n${CITY}</function>\n</tool_call>`, '{"city": "Paris"}', ""],
  ["<function=f>\r\n<parameter=city>\r\nParis\r\n</function>", '{"city": "Paris"}', ""],
  ["<function=f><parameter=city>Paris</function></tool_call>", '{"city": "Paris"}', ""],
  [`<function=f>\n${CITY}</tool_call>`, '{"city": "Paris"}', ""],
  [`<function=f>\n${CITY}</parameter>\nDone.`, '{"city": "Paris"}', "\nDone."],
  [`<function=f>\n${CITY}</function>\nDone.`, '{"city": "Paris"}', "\nDone."],
  ["<function=f>\n</tool_call>", "{}", ""],
  [`<function="f">\n${CITY}</parameter>\n</function>`, '{"city": "Paris"}', ""],
  [`<function= 'f'>\n${CITY}</parameter>\n</function>`, '{"city": "Paris"}', ""],
  [`<function=f\n${CITY}</parameter>\n</function>`, '{"city": "Paris"}', ""],
  [`<function=f>\n<parameter="city">\nParis\n</parameter>\n</function>`, '{"city": "Paris"}', ""],
  ["<function=f>\n<parameter= 'city' >\nParis\n</parameter>\n</function>", '{"city": "Paris"}', ""],
  // Text inside a line of a value that is closed stays text.
  [
    "<function=f>\n<parameter=city>\nx = '<parameter=a></function>'\n</parameter>\n</function>",
    `{"city": "x = '<parameter=a></function>'"}`,
    "",
  ],
])("%j is a whole call", (text, json, rest) => {
  const options = { format: xml.callFormat, names: new Set(["f"]), typesOf: () => ({ city: "string" }) };
  for (const opening of ["", "<tool_call>\n"])
    for (let at = 0; at <= text.length; at++) {
      const read = readCalls([opening + text.slice(0, at), text.slice(at)], options);
      expect(read).toMatchObject({ calls: [{ name: "f", arguments: json, ended: true }], text: rest });
    }
});

test.each(["Say <function=f\n<b> is text.", 'Say <function="f and more', "<function=f\n\n<parameter"])(
  "%j is text",
  (text) => {
    expect(readCalls([...text], { format: xml.callFormat, names: new Set(["f"]) })).toMatchObject({
      calls: [],
      text,
    });
  },
);

test.each(["constructor", "toString", "__proto__"])("a parameter may be called %s", (key) => {
  const { calls } = readCalls([`<function=f>\n<parameter=${key}>\n5\n</parameter>\n</function>`], {
    format: xml.callFormat,
    names: new Set(["f"]),
    typesOf: () => ({ a: "string" }),
  });
  expect(calls[0]?.arguments).toBe(`{"${key}": 5}`);
});

test("a call that lacks its ends is one inside an open thought too", () => {
  const reasoning = { open: "<think>", close: "</think>", startsInside: true };
  const tools = { format: xml.callFormat, names: ["f"], constrained: false, single: false };
  const reader = new ReplyReader({ stop: [], reasoning, tools }, () => "call_1");
  const events = [...`I need f.\n<tool_call>\n<function=f>\n${CITY}</tool_call>`].flatMap((piece) =>
    reader.push(piece),
  );
  expect(argumentsOf(events)).toBe('{"city": "Paris"}');
  expect(events.filter(({ type }) => type === "text")).toEqual([]);
  expect(reader.ended).toBe(true);
});

test.each([
  [`<function=f>\n${CITY}`, '{"city": "Paris"}', "{"],
  ["<function=f>\n<parameter=city>Paris</function>\n", '{"city": "Paris"}', "{"],
  ["<tool_call>\n<function=f>\n<parameter=city>Paris</tool_call>", '{"city": "Paris"}', "{"],
  [`<function=f>\n${CITY}</parameter>\n`, '{"city": "Paris"}', '{"city": "Paris"'],
  [`<function=f>\n${CITY}</parameter>\n<parameter=n`, '{"city": "Paris"}', '{"city": "Paris"'],
])("%j is whole if the model ended there, and cut off at a limit", (text, whole, cut) => {
  for (const byModel of [true, false]) {
    const tools = { format: xml.callFormat, names: ["f"], constrained: false, single: false };
    const reader = new ReplyReader({ stop: [], tools }, () => "call_1");
    const events = [...[...text].flatMap((piece) => reader.push(piece)), ...reader.flush(byModel)];
    expect(argumentsOf(events)).toBe(byModel ? whole : cut);
    expect(events.filter(({ type }) => type === "text")).toEqual([]);
  }
});

function argumentsOf(events: readonly ReplyEvent[]): string {
  return events.map((event) => (event.type === "tool-call-delta" ? event.arguments : "")).join("");
}

test("a JSON object in place of elements is the arguments, at every cut", () => {
  const { callFormat } = deepseekV32;
  const [begin, end] = ['<｜DSML｜invoke name="f">', "</｜DSML｜invoke>"];
  const text =
    `<｜DSML｜function_calls>\n${begin}\n{"a": {"b": "${end}"}}\n${end}\n` +
    `${begin}{}${end}\n</｜DSML｜function_calls>`;
  for (let at = 0; at <= text.length; at++) {
    const read = readCalls([text.slice(0, at), text.slice(at)], {
      format: callFormat,
      names: new Set(["f"]),
    });
    expect(read.calls.map((one) => one.arguments)).toEqual([`{"a": {"b": "${end}"}}`, "{}"]);
    expect(read.text).toBe("");
  }
  const cut = (length: number) =>
    readCalls([text.slice(0, text.indexOf(begin) + begin.length + length)], {
      format: callFormat,
      names: new Set(["f"]),
    }).calls.map((one) => one.arguments);
  expect(cut(6)).toEqual(['{"a":']);
});
