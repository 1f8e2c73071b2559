/** Gemma's templates sort the members of definitions and calls, and so does the model: a constraint expects that order. */

import { expect, test } from "vitest";
import { ChatTemplate } from "../../../worker/chat-template/chat-template.ts";
import { JsonObject } from "../../../worker/chat-template/json-object.ts";
import type { TemplateMessage } from "../../../worker/chat-template/traits/template-message.ts";
import { escapedValue } from "../../../worker/json-schema/arguments/escaped-value.ts";
import { functionGemma, gemma4 } from "../../../worker/tools/formats/function-gemma.ts";
import { fc } from "../../support/random.ts";
import { acceptedCalls, acceptedTexts, callWith } from "./support/accepted-calls.ts";

const place = { type: "object", properties: { zip: { type: "integer" }, City: { type: "integer" } } };
const parameters = {
  type: "object",
  properties: {
    query: { type: "integer" },
    place,
    Limit: { type: "integer" },
    either: { anyOf: [place, { type: "null" }] },
  },
  required: ["query"],
};
const tool = { type: "function", function: { name: "f", parameters } } as const;

test.each([functionGemma, gemma4])("$name: members are sorted by name", async (format) => {
  const args = { query: 1, place: { zip: 2, City: 3 }, Limit: 4, either: { zip: 5, City: 6 } };
  const written = format.write([{ id: "call_1", name: "f", arguments: JSON.stringify(args) }]);
  const sorted = "{either:{City:6,zip:5},Limit:4,place:{City:3,zip:2},query:1}";
  expect(written).toContain(sorted);
  const other = (text: string): string => written.replace(sorted, text);
  const texts = [
    written,
    other("{Limit:4,query:1}"),
    other("{query:1}"),
    other("{query:1,Limit:4}"),
    other("{Limit:4}"),
  ];
  expect(await acceptedTexts(tool, format, texts)).toEqual([true, true, true, false, false]);
});

test.each([functionGemma, gemma4])("$name: a value that the schema names is sorted too", async (format) => {
  const values = [{ zip: 1, City: [{ b: 2, a: 3 }] }, 5];
  const calls = values.map((value) => callWith(format, value));
  expect(calls[0]).toContain("{a:{City:[{a:3,b:2}],zip:1}}");
  expect(await acceptedCalls(format, { enum: values }, calls)).toEqual([true, true]);
});

test("a value of a call is written as the same value of a schema", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (given) => {
      const text = JSON.stringify({ given });
      const inCall = JsonObject.from(text)!.members().get("given");
      const inSchema = JSON.parse(text).given;
      expect(escapedValue(inCall, "<|>")).toBe(escapedValue(inSchema, "<|>"));
    }),
  );
  const sent = JsonObject.from('{"b":1.0,"a":[12345678901234567890,"x"]}')!.members();
  expect(escapedValue(sent, "<|>")).toBe("{a:[12345678901234567890,<|>x<|>],b:1.0}");
});

test("names are sorted as by a template, by characters and not by their halves", () => {
  const names = ["b", "a_b", "aB", "A", "a", "10", "9", "Ä", "é", "\u{20bb7}", "\uff29", "İ", "ß", "_"];
  const args = JSON.stringify(Object.fromEntries(names.map((name) => [name, 1])));
  const call = { id: "call_1", type: "function", function: { name: "f", arguments: args } } as const;
  const source =
    "{% for m in messages %}{{ m.content }}{% for c in m.tool_calls %}<|tool_call>call:{{ c.function.name ~ '{' }}" +
    "{% for k, v in c.function.arguments | dictsort %}{{ ',' if not loop.first }}{{ k }}:{{ v }}{% endfor %}" +
    "}<tool_call|>{% endfor %}{% endfor %}";
  const template = new ChatTemplate({ source, bos: "", eos: "", engineAddsBos: false });
  const written = gemma4.write([{ id: "call_1", name: "f", arguments: args }]);
  const messages: TemplateMessage[] = [
    { role: "user", content: "" },
    { role: "assistant", content: "", tool_calls: [call] },
  ];
  expect(written).toBe(template.render({ messages }));
  expect(written).toContain("\uff29:1,\u{20bb7}:1");
});
