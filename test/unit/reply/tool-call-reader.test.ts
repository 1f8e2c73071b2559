import { describe, expect, it } from "vitest";
import type { CallFormat } from "../../../worker/reply/call-format.ts";
import { gemma } from "../../../worker/tools/formats/gemma.ts";
import { hermes } from "../../../worker/tools/formats/hermes.ts";
import { llama } from "../../../worker/tools/formats/llama.ts";
import { mistral } from "../../../worker/tools/formats/mistral.ts";
import { nemotron } from "../../../worker/tools/formats/nemotron.ts";
import { phi } from "../../../worker/tools/formats/phi.ts";
import { anyText, cuts } from "../../support/chunks.ts";
import { fc } from "../../support/random.ts";
import { readCalls } from "../../support/tool-reading.ts";

interface Call {
  name: string;
  arguments: string;
}

const names = fc.constantFrom("get_weather", "a", "run-it_2");
const argumentTexts = fc
  .tuple(fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue()), fc.constantFrom(undefined, 2))
  .map(([value, indent]) => JSON.stringify(value, null, indent));
const calls = fc.array(fc.record({ name: names, arguments: argumentTexts }), { minLength: 1, maxLength: 3 });

const object = (call: Call, key = "arguments"): string =>
  `{"name": "${call.name}", "${key}": ${call.arguments}}`;
const list = (all: Call[]): string => `[${all.map((call) => object(call)).join(", ")}]`;
const backwards = (call: Call): string => `{ "arguments": ${call.arguments}, "name": "${call.name}"}`;

const forms: Record<string, [CallFormat, (all: Call[]) => string]> = {
  hermes: [
    hermes.callFormat,
    (all) => all.map((one) => `<tool_call>\n${object(one)}\n</tool_call>`).join("\n"),
  ],
  "hermes, tight": [
    hermes.callFormat,
    (all) => all.map((one) => `<tool_call>${object(one)}</tool_call>`).join(""),
  ],
  "hermes, arguments first": [
    hermes.callFormat,
    (all) => all.map((one) => `<tool_call>\n${backwards(one)}\n</tool_call> `).join("\n"),
  ],
  "hermes, several in one tag": [
    hermes.callFormat,
    (all) => `<tool_call>\n${all.map((one) => object(one)).join("\n")}</tool_call>`,
  ],
  "llama 3": [llama.callFormat, (all) => all.map((one) => object(one, "parameters")).join("; ")],
  "llama 3, python tag": [
    llama.callFormat,
    (all) => `<|python_tag|>${all.map((one) => object(one, "parameters")).join(";")}`,
  ],
  mistral: [mistral.callFormat, (all) => `[TOOL_CALLS]${list(all)}`],
  "mistral with ids": [
    mistral.callFormat,
    (all) => `[TOOL_CALLS] ${list(all).replaceAll("}, {", '}, {"id": "123456789", ')}`,
  ],
  phi: [phi.callFormat, (all) => all.map((one) => `<|tool_call|>${object(one)}<|/tool_call|>`).join("")],
  "phi, functools": [phi.callFormat, (all) => `functools${list(all)}`],
  "bare list": [phi.callFormat, list],
  "gemma, fence": [gemma.callFormat, (all) => `\`\`\`json\n${list(all)}\n\`\`\``],
  "gemma, tool_code": [
    gemma.callFormat,
    (all) => all.map((one) => `\`\`\`tool_code\n${object(one, "parameters")}\n\`\`\``).join("\n"),
  ],
};

describe.each(Object.entries(forms))("tool calls: %s", (_, [format, write]) => {
  it("reads every call under every cut, its arguments as written", () => {
    fc.assert(
      fc.property(calls, cuts(), fc.boolean(), (all, cut, known) => {
        const options = known ? { format, names: new Set(all.map((one) => one.name)) } : { format };
        const read = readCalls(cut(write(all)), options);
        expect(read.calls).toEqual(all.map((one) => ({ ...one, ended: true })));
        expect(read.text).toBe("");
      }),
      { numRuns: 80 },
    );
  });

  it("gives the name before the arguments are complete", () => {
    const text = write([{ name: "a", arguments: '{"x": "long", "y": 1}' }]);
    const { events } = readCalls([...text], { format });
    const first = events.findIndex((event) => event.type === "tool-call-start");
    const pieces = events.slice(first + 1).filter((event) => event.type === "tool-call-delta");
    expect(pieces.length).toBeGreaterThan(/"arguments": .*"name"/.test(text) ? 0 : 5);
  });

  it("loses no character of anything else", () => {
    const pieces = fc.array(
      fc.oneof(
        anyText,
        fc.constantFrom(
          ...format.open,
          ...format.close,
          '{"name": "',
          '"arguments": ',
          "{",
          "}",
          "[",
          "]",
          " ",
          "\n",
          '", "x',
        ),
      ),
    );
    fc.assert(
      fc.property(pieces, cuts(), (parts, cut) => {
        const text = parts.join("");
        // Without tool names, no text can be a call.
        const read = readCalls(cut(text), { format, names: new Set() });
        expect(read.text).toBe(text);
      }),
      { numRuns: 500 },
    );
  });
});

describe("tool calls among text", () => {
  const call = '<tool_call>\n{"name": "a", "arguments": {"b": [1]}}\n</tool_call>';

  it("keeps the text around them, without the white space that sets them off", () => {
    fc.assert(
      fc.property(cuts(), (cut) => {
        const read = readCalls(cut(`Let me look.\n${call}\n${call}\n\nDone. `), {
          format: hermes.callFormat,
        });
        expect(read.text).toBe("Let me look.\n\nDone. ");
        expect(read.calls).toHaveLength(2);
        expect(readCalls(cut(`${call}\n`), { format: hermes.callFormat }).text).toBe("");
      }),
    );
  });

  it.each([
    ["<tool_call>\nno\n</tool_call>"],
    ['<tool_call>{"name": "a", "arguments": [1]}</tool_call>'],
    ['<tool_call>{"name": "a" "arguments": {}}</tool_call>'],
    ['<tool_call>{"name": 5, "arguments": {}}</tool_call>'],
    ['<tool_call>{"name": "a", "color": 1}</tool_call>'],
    ["<tool_call>"],
    ["<tool_c"],
    ["[TOOL_CALLS][]"],
  ])("gives %s back as text and finds the call behind it", (text) => {
    for (const format of [hermes.callFormat, mistral.callFormat]) {
      expect(readCalls([...text], { format }).text).toBe(text);
    }
    const read = readCalls([...`${text}|${call}`], { format: hermes.callFormat });
    expect([read.text, read.calls.length]).toEqual([`${text}|`, 1]);
  });

  it("keeps the JSON that a reply begins with when it is no call", () => {
    for (const text of [
      '{"name": "Bob", "age": 3}',
      '{"name": "Bob"}',
      "[1, 2]",
      '[{"x": 1}]',
      " {",
      '["a',
    ]) {
      for (const format of [llama.callFormat, phi.callFormat, gemma.callFormat]) {
        for (const constrained of [false, true]) {
          expect(readCalls([...text], { format, constrained, names: new Set(["a"]) }).text).toBe(text);
        }
      }
    }
  });

  it("ends a call that was cut off, with what there is of its arguments", () => {
    const text = '<tool_call>{"name": "a", "arguments": {"b": "c';
    fc.assert(
      fc.property(cuts(), (cut) => {
        const read = readCalls(cut(text), { format: hermes.callFormat });
        expect(read.calls).toEqual([{ name: "a", arguments: '{"b": "c', ended: true }]);
      }),
    );
  });

  it("gives what follows broken arguments as text", () => {
    const read = readCalls(['<tool_call>{"name": "a", "arguments": {"b": oops}}</tool_call>'], {
      format: hermes.callFormat,
    });
    expect(read.calls).toEqual([{ name: "a", arguments: '{"b": ', ended: true }]);
    expect(read.text).toBe("oops}}</tool_call>");
  });

  it("takes arguments that are missing, null, empty or written as a string", () => {
    const read = (json: string): string =>
      readCalls([...`<tool_call>${json}</tool_call>`], { format: hermes.callFormat }).calls[0]!.arguments;
    expect(read('{"name": "a"}')).toBe("{}");
    expect(read('{"name": "a", "arguments": null}')).toBe("{}");
    expect(read('{"name": "a", "arguments": ""}')).toBe("{}");
    expect(read('{"name": "a", "arguments": "{\\"b\\": 1}"}')).toBe('{"b": 1}');
    expect(read('{"arguments": "{}", "name": "a"}')).toBe("{}");
  });

  it("needs no marker where the whole reply is known to be calls", () => {
    const text = '{"name": "a", "arguments": {}}';
    expect(readCalls([...text], { format: nemotron.callFormat }).text).toBe(text);
    expect(readCalls([...text], { format: nemotron.callFormat, constrained: true }).calls).toHaveLength(1);
  });

  it.each([
    '{"name": "a", "arguments": {}}',
    '```json\n{"name": "a", "arguments": {}}\n```',
    '<tools>\n{"name": "a", "arguments": {}}\n</tools>',
  ])("reads %j of Qwen2.5-Coder as a call", (text) => {
    for (const pieces of [[text], [...text]]) {
      const read = readCalls(pieces, { format: hermes.callFormat, names: new Set(["a"]) });
      expect(read.calls).toEqual([{ name: "a", arguments: "{}", ended: true }]);
      expect(read.text).toBe("");
    }
  });

  it("reads a fenced call of Llama as a call, its fence as no text", () => {
    const call = '```json\n{"name": "a", "parameters": {"b": 1}}\n```';
    const options = { format: llama.callFormat, names: new Set(["a"]) };
    for (const [text, rest] of [
      [call, ""],
      [`Look:\n${call}`, "Look:"],
      ['```json\n{"city": "Paris"}\n```', '```json\n{"city": "Paris"}\n```'],
    ] as const)
      for (const pieces of [[text], [...text]]) {
        const read = readCalls(pieces, options);
        expect(read.text).toBe(rest);
        expect(read.calls.map((one) => one.arguments)).toEqual(rest === text ? [] : ['{"b": 1}']);
      }
  });

  it.each(["\n```python\nprint()\n```", "\n```"])(
    "keeps %j, which is behind a call without a fence",
    (fence) => {
      const json = '{"name": "a", "parameters": {"b": 1}}';
      for (const [format, call] of [
        [llama.callFormat, json],
        [llama.callFormat, `<|python_tag|>${json}`],
        [gemma.callFormat, json],
        [hermes.callFormat, '<tool_call>{"name": "a", "arguments": {"b": 1}}'],
      ] as const)
        for (const pieces of [[call + fence], [...(call + fence)]]) {
          const read = readCalls(pieces, { format, names: new Set(["a"]) });
          expect(read.calls.map((one) => one.arguments)).toEqual(['{"b": 1}']);
          expect(read.text).toBe(fence);
        }
    },
  );

  it.each([
    '{"name": "b", "arguments": {}}',
    '{"name": "a"}',
    '[{"name": "a", "parameters": {"type": "object"}}]',
    '```json\n[{"name": "a", "parameters": {"type": "object"}}]\n```',
    '{"people": [{"name": "a", "id": 3}]}',
    '{"steps": [{"name": "a", "arguments": {"q": 1}}], "x": 2}',
    'You could send this:\n```json\n{"name": "a", "arguments": {}}\n```\nThen read the result.',
    "```js",
    '```json\n{"city": "Paris"}\n```\nThat is the JSON.',
    "```json\n[1, 2]\n```",
    "```python\nprint(1)\n```",
    "The list of <tools> is empty.",
  ])("leaves %j as text", (text) => {
    for (const pieces of [[text], [...text]])
      expect(readCalls(pieces, { format: hermes.callFormat, names: new Set(["a"]) })).toMatchObject({
        text,
        calls: [],
      });
  });
});
