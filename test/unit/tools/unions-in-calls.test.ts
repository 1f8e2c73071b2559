/** Tools whose arguments are a union of objects. */

import { expect, test } from "vitest";
import { checkTools } from "../../../worker/tools/check-tools.ts";
import { deepseekV32 } from "../../../worker/tools/formats/deepseek-dsml.ts";
import { functionGemma, gemma4 } from "../../../worker/tools/formats/function-gemma.ts";
import { glm45 } from "../../../worker/tools/formats/glm.ts";
import { hermes } from "../../../worker/tools/formats/hermes.ts";
import { lfm2 } from "../../../worker/tools/formats/lfm2.ts";
import { minimaxM3 } from "../../../worker/tools/formats/minimax-m3.ts";
import { mimo } from "../../../worker/tools/formats/xml.ts";
import { acceptedTexts } from "./support/accepted-calls.ts";

const kindOf = (kind: string, properties: Record<string, object>) => ({
  type: "object",
  properties: { kind: { const: kind }, ...properties },
  required: ["kind", ...Object.keys(properties)],
});
const byName = kindOf("name", { text: { type: "string" } });
const byNumber = { anyOf: [kindOf("number", { value: { type: "integer" } }), { $ref: "#/$defs/byName" }] };
const parameters = { anyOf: [byNumber, { $ref: "#/$defs/byName" }], $defs: { byName } };
const tool = { type: "function", function: { name: "f", parameters } } as const;

test.each([hermes, mimo, glm45, deepseekV32, lfm2, minimaxM3, functionGemma, gemma4])(
  "$name: each option is a call's members",
  async (format) => {
    const calls = [
      { kind: "name", text: "x" },
      { kind: "number", value: 5 },
      { kind: "number", text: "x" },
      { kind: "name" },
    ].map((args) => format.write([{ id: "call_1", name: "f", arguments: JSON.stringify(args) }]));
    expect(await acceptedTexts(tool, format, calls)).toEqual([true, true, false, false]);
  },
);

test("an option that many unions lead to is found once", () => {
  const level = (at: number) => `#/$defs/level${at}`;
  const union = (at: number) => ({
    anyOf: [{ $ref: level(at) }, { anyOf: [{ $ref: level(at) }, { const: at }] }],
  });
  const levels = Array.from({ length: 40 }, (_, at) => [`level${at}`, union(at + 1)]);
  const $defs = { ...Object.fromEntries(levels), level40: { const: "x" } };
  const schema = { type: "object", properties: { a: { $ref: level(0) } }, $defs };
  const tools = [{ type: "function", function: { name: "f", parameters: schema } } as const];
  expect(checkTools(tools, undefined, mimo.callSyntax.dialect)).toMatchObject({ ok: true });
});
