/** Values of Qwen3-Coder's calls, which are text of no stated type. */

import { expect, test } from "vitest";
import { ReplyReader } from "../../../worker/reply/reply-reader.ts";
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
