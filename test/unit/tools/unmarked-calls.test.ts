/** Calls whose markers the model left out, or replaced by a fence. */

import { expect, test } from "vitest";
import { ChatTemplate } from "../../../worker/chat-template/chat-template.ts";
import { hermes } from "../../../worker/tools/formats/hermes.ts";
import { llama } from "../../../worker/tools/formats/llama.ts";
import { toolFormatOf } from "../../../worker/tools/formats/template-format.ts";
import { readCalls } from "../../support/tool-reading.ts";

/** @param one writes a call `f` with the arguments `a` */
function formatOf(one: string) {
  const source =
    "{% if tools %}{{ tools | tojson }}{% endif %}{% for m in messages %}<|{{ m.role }}|>{{ m.content }}" +
    `{% for c in m.tool_calls or [] %}{% set f = c.function %}{% set a = f.arguments %}${one}{% endfor %}<|end|>{% endfor %}`;
  const format = toolFormatOf(new ChatTemplate({ source, bos: "", eos: "", engineAddsBos: false }))!;
  expect(format.name).toBe("template");
  return { format: format.callFormat, names: new Set(["find", "now"]) };
}

const NAMED = `{{ '<act>{"tool": "' + f.name + '", "input": ' }}{{ a | tojson }}{{ '}</act>' }}`;
const LISTED = `{{ '<act>[{"name": "' + f.name + '", "args": ' }}{{ a | tojson }}{{ '}]</act>' }}`;
const KEYED = `{{ '<act>{"' + f.name + '": ' }}{{ a | tojson }}{{ '}</act>' }}`;
const call = '{"tool": "find", "input": {"text": "x"}}';
const listed = '[{"name": "find", "args": {"text": "x"}}]';

test.each([
  ["a call alone", NAMED, call],
  ["a call in a fence", NAMED, `\n\`\`\`json\n${call}\n\`\`\`\n`],
  ["a call in a fence without a language", NAMED, `\`\`\`\n${call}\n\`\`\``],
  ["a list alone", LISTED, listed],
  ["a list in a fence", LISTED, `\`\`\`json\n${listed}\n\`\`\``],
])("%s at the beginning of a reply is read, at every cut", (_, one, reply) => {
  const options = formatOf(one);
  for (let at = 0; at <= reply.length; at++) {
    const read = readCalls([reply.slice(0, at), reply.slice(at)], options);
    expect(read.calls).toEqual([{ name: "find", arguments: '{"text": "x"}', ended: true }]);
    expect(read.text).toBe("");
  }
});

test.each([
  ["another tool", NAMED, call.replace("find", "other")],
  ["no arguments", NAMED, '{"tool": "find"}'],
  ["another member", NAMED, '{"tool": "find", "price": 3, "input": {}}'],
  ["JSON in a fence", NAMED, '```json\n{"a": 1}\n```'],
  ["a call after words", NAMED, `So: ${call}`],
  ["an object keyed by a tool's name", KEYED, '{"find": {"text": "x"}}'],
])("an answer in JSON stays text: %s", (_, one, reply) => {
  const options = formatOf(one);
  for (const pieces of [[reply], [...reply]]) {
    const read = readCalls(pieces, options);
    expect([read.text, read.calls]).toEqual([reply, []]);
  }
});

test.each([hermes, llama])("$name: a fence without a language holds a call, or text", ({ callFormat }) => {
  const options = { format: callFormat, names: new Set(["find"]) };
  const fenced = (text: string): string => `\`\`\`\n${text}\n\`\`\``;
  const read = readCalls([...fenced('{"name": "find", "arguments": {"text": "x"}}')], options);
  expect([read.text, read.calls.map(({ name }) => name)]).toEqual(["", ["find"]]);
  for (const text of ["ls -l", '{"name": "x"}', "[1]"])
    expect(readCalls([...fenced(text)], options)).toMatchObject({ text: fenced(text), calls: [] });
});
