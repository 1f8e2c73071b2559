/** Values of calls that are not written as JSON. */

import { expect, test } from "vitest";
import { functionGemma, gemma4 } from "../../../worker/tools/formats/function-gemma.ts";
import { glm45, glm47 } from "../../../worker/tools/formats/glm.ts";
import { lfm2 } from "../../../worker/tools/formats/lfm2.ts";
import { minicpm5 } from "../../../worker/tools/formats/minicpm5.ts";
import { minimax } from "../../../worker/tools/formats/minimax.ts";
import type { ToolFormat } from "../../../worker/tools/formats/tool-format.ts";
import { mimo, seedOss, xml } from "../../../worker/tools/formats/xml.ts";
import { parameterTypes } from "../../../worker/tools/parameter-types.ts";
import { readCalls } from "../../support/tool-reading.ts";

const TYPES = {
  zip: ["string", "null"],
  count: ["integer", "string"],
  any: ["string", "integer", "null"],
  either: ["number", "boolean", "string"],
};

/** The arguments, the same for every cut of the text. */
function argumentsOf(format: ToolFormat, text: string): unknown {
  const read = (pieces: string[]) => {
    const { calls, text: rest } = readCalls(pieces, {
      format: format.callFormat,
      names: new Set(["f"]),
      typesOf: () => TYPES,
    });
    expect(rest.trim()).toBe("");
    return calls.map((call) => call.arguments);
  };
  const whole = read([text]);
  for (let at = 1; at < text.length; at++) expect(read([text.slice(0, at), text.slice(at)])).toEqual(whole);
  expect(read([...text])).toEqual(whole);
  expect(whole).toHaveLength(1);
  return whole[0];
}

const xmlCall = (key: string, value: string) =>
  `<tool_call>\n<function=f>\n<parameter=${key}>\n${value}\n</parameter>\n</function>\n</tool_call>`;

test.each([
  ["zip", "75001", '{"zip": "75001"}'],
  ["zip", "null", '{"zip": null}'],
  ["zip", "true", '{"zip": "true"}'],
  ["count", "5", '{"count": 5}'],
  ["count", "-5", '{"count": -5}'],
  ["count", "1234567890123456789", '{"count": 1234567890123456789}'],
  // Numbers of another form are texts, such as a code or a version.
  ["count", "007", '{"count": "007"}'],
  ["count", "1.5", '{"count": "1.5"}'],
  ["count", "true", '{"count": "true"}'],
  ["count", '"5"', '{"count": "\\"5\\""}'],
  ["either", "1.50", '{"either": 1.50}'],
  ["either", "True", '{"either": true}'],
  ["either", "[1]", '{"either": "[1]"}'],
  ["any", "true", '{"any": "true"}'],
  ["any", "None", '{"any": null}'],
  ["any", "5", '{"any": 5}'],
  ["other", "5", '{"other": 5}'],
])("XML: %s written as %s", (key, value, expected) => {
  expect(argumentsOf(xml, xmlCall(key, value))).toBe(expected);
});

test.each([
  ["1e3", "1000"],
  ["-2.5", "-2.5"],
  ["1_000", "1000"],
  ["+7", "7"],
  ["1234567890123456789", "1234567890123456789"],
  ["[1, 2e2]", "[1, 200]"],
])("Python: %s is %s", (written, json) => {
  const call = `<|tool_call_start|>[f(x=${written}, y="z")]<|tool_call_end|>`;
  expect(argumentsOf(lfm2, call)).toBe(`{"x": ${json}, "y": "z"}`);
});

test("Python: positional arguments count untyped parameters", () => {
  const definition = {
    type: "function" as const,
    function: { name: "f", parameters: { type: "object", properties: { a: {}, b: { type: "string" } } } },
  };
  const { calls } = readCalls(['<|tool_call_start|>[f(1, b="x")]<|tool_call_end|>'], {
    format: lfm2.callFormat,
    names: new Set(["f"]),
    typesOf: (name) => parameterTypes([definition])[name]!,
  });
  expect(calls[0]!.arguments).toBe('{"a": 1, "b": "x"}');
});

test.each([
  ["007", '"007"'],
  ["0", "0"],
  ["-0.5", "-0.5"],
  ["12", "12"],
])("FunctionGemma: %s is %s", (written, json) => {
  const call = `<start_function_call>call:f{a:${written}}<end_function_call>`;
  expect(argumentsOf(functionGemma, call)).toBe(`{"a": ${json}}`);
});

test.each([functionGemma, gemma4])(
  "$name: keys with spaces and brackets are the same for every cut",
  (format) => {
    const written = { "first name": "Al", " x": { "last } name": "B" } };
    const text = format.write([{ id: "call_1", name: "f", arguments: JSON.stringify(written) }]);
    expect(argumentsOf(format, text)).toBe('{"x": {"last } name": "B"}, "first name": "Al"}');
  },
);

test.each([xml, mimo, seedOss, minimax, minicpm5, glm45, glm47, lfm2, functionGemma, gemma4])(
  "$name: names of parameters keep white space around them and `>` within them",
  (format) => {
    const names = [" first", "last ", "a > b", "a > b > c"];
    const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
    const definition = { type: "function" as const, function: { name: "f", parameters: { properties } } };
    const written = JSON.stringify(Object.fromEntries(names.map((name) => [name, "x"])));
    const text = format.write([{ id: "call_1", name: "f", arguments: written }]);
    for (const pieces of [[text], text.split("")]) {
      const { calls } = readCalls(pieces, {
        format: format.callFormat,
        typesOf: (name) => parameterTypes([definition])[name]!,
      });
      expect(calls.map((call) => JSON.parse(call.arguments))).toEqual([JSON.parse(written)]);
    }
  },
);

test.each([
  [{ $ref: "#/$defs/Zip" }, "string"],
  [{ $ref: "Zip" }, "string"],
  [{ anyOf: [{ $ref: "#/$defs/Zip" }, { type: "null" }] }, ["string", "null"]],
  [{ oneOf: [{ type: "integer" }, { type: "string" }] }, ["integer", "string"]],
  [{ allOf: [{ description: "A code." }, { $ref: "#/$defs/Zip" }] }, "string"],
  [{ const: "a" }, "string"],
  [{ enum: ["a", null] }, ["string", "null"]],
  [{ enum: ["a", 1, null] }, []],
  [{ type: ["integer", "string"], enum: ["5", "auto"] }, "string"],
  [{ type: ["string", "integer"], enum: [5, "auto"] }, ["string", "integer"]],
  [{ type: ["string", "integer", "null"], enum: ["a"] }, ["string", "null"]],
  [{ type: ["string", "number"], const: "1e5" }, "string"],
  [{ anyOf: [{ type: "string" }, {}] }, []],
  [{ type: "string", nullable: true }, ["string", "null"]],
  [{ nullable: true }, []],
  [{ $ref: "#/$defs/Loop" }, []],
  [{ $ref: "#/$defs/None" }, []],
])("the types of %j", (schema, types) => {
  const Loop = { anyOf: [{ $ref: "#/$defs/Loop" }, { type: "null" }] };
  const parameters = {
    type: "object",
    properties: { a: schema },
    $defs: { Zip: { $id: "Zip", type: "string" }, Loop },
  };
  const definition = { type: "function" as const, function: { name: "f", parameters } };
  expect(parameterTypes([definition])).toEqual({ f: { a: types } });
});

test.each<[form: string, parameters: object]>([
  ["a reference", { $ref: "#/$defs/Place" }],
  ["parts", { allOf: [{ $ref: "#/$defs/Place" }, { properties: { zip: { minLength: 5 } } }] }],
  ["options", { oneOf: [{ $ref: "#/$defs/Place" }, { properties: { zip: { type: "null" } } }] }],
])("parameters that are %s have types", (form, more) => {
  const Place = { type: "object", properties: { zip: { type: "string" }, floor: { type: "integer" } } };
  const parameters = { ...more, $defs: { Place } };
  const definition = { type: "function" as const, function: { name: "f", parameters } };
  const types = parameterTypes([definition]);
  expect(types).toEqual({ f: { zip: form === "options" ? ["string", "null"] : "string", floor: "integer" } });
  const text = mimo.write([{ id: "call_1", name: "f", arguments: '{"zip":"12345","floor":5}' }]);
  const { calls } = readCalls([text], { format: mimo.callFormat, typesOf: () => types.f! });
  expect(calls.map((call) => JSON.parse(call.arguments))).toEqual([{ zip: "12345", floor: 5 }]);
});

/** Nothing that an object of JavaScript would change is changed. */
test.each([
  [
    xml,
    "<tool_call>\n<function=f>\n<parameter=b>\nx\n</parameter>\n<parameter=10>\n1234567890123456789\n</parameter>\n" +
      '<parameter=2>\n[1.0,{"k":-1e5,"1":"y\\n"},null]\n</parameter>\n</function>\n</tool_call>',
  ],
  [
    functionGemma,
    // As its template sorts them.
    "<start_function_call>call:f{10:1234567890123456789," +
      "2:[1.0,{1:<escape>y\n<escape>,k:-1e5},null],b:<escape>x<escape>}<end_function_call>",
  ],
  [
    lfm2,
    '<|tool_call_start|>[f(b="x", 10=1234567890123456789, 2=[1.0, {"k": -1e5, "1": "y\\n"}, None])]<|tool_call_end|>',
  ],
])("numbers and the order of keys are written as sent: %#", ({ write }, text) => {
  const sent = '{"b":"x","10":1234567890123456789,"2":[1.0,{"k":-1e5,"1":"y\\n"},null]}';
  expect(write([{ id: "1", name: "f", arguments: sent }])).toBe(text);
});

test.each([
  ["[1]", 'arguments="[1]"'],
  ['{"a": "b', 'arguments="{\\"a\\": \\"b"'],
  ["null", ""],
  ["", ""],
])("arguments that are no JSON object are kept as one: %j", (sent, written) => {
  const text = lfm2.write([{ id: "1", name: "f", arguments: sent }]);
  expect(text).toBe(`<|tool_call_start|>[f(${written})]<|tool_call_end|>`);
});
