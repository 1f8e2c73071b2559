/** Objects whose members the schema does not name, and schemas that no value matches. */

import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { schemaGrammar } from "../../../worker/json-schema/grammar/grammar.ts";
import { checkSchema } from "../../../worker/json-schema/json-schema.ts";
import { GrammarEngine } from "../../support/xgrammar.ts";

let engine: GrammarEngine;
beforeAll(async () => {
  engine = await GrammarEngine.load();
});

const loose = { unsupported: "ignore" } as const;

/** Which of the JSON texts may be generated where unsupported keywords are ignored. */
async function generated(schema: unknown, texts: readonly string[]): Promise<string[]> {
  const check = checkSchema(schema, loose);
  if (!check.ok) throw new Error(check.message);
  const verdicts = await engine.judge({ type: "grammar", ebnf: schemaGrammar(check.schema) }, texts);
  return texts.filter((_, at) => verdicts[at] === "match");
}

const integer = { type: "integer" };
/** As TypeBox writes records. */
const ANY_NAME = "^(.*)$";

describe("names of members", () => {
  it.each([
    ["a pattern", z.toJSONSchema(z.record(z.string().regex(/^x-[a-z]{1,3}$/), z.int()))],
    ["`patternProperties`", { type: "object", patternProperties: { "^x-[a-z]{1,3}$": integer } }],
    [
      "`patternProperties` alone",
      { type: "object", patternProperties: { "^x-": integer }, additionalProperties: false },
    ],
    ["lengths", { propertyNames: { minLength: 3, maxLength: 5 }, additionalProperties: integer }],
    ["no type", { propertyNames: { pattern: "^x-" }, additionalProperties: integer }],
    [
      "a definition",
      {
        propertyNames: { $ref: "#/$defs/name" },
        additionalProperties: integer,
        $defs: { name: { pattern: "^x-" } },
      },
    ],
  ])("have %s", async (_, schema) => {
    const right = ["{}", '{"x-a":1}', '{"x-a": 1, "x-b": 2}'];
    expect(await generated(schema, [...right, '{"x":1}', '{"x-a":"b"}', '{"x-a":1,"":2}'])).toEqual(right);
  });

  it("are any where the pattern matches all, or cannot be enforced", async () => {
    for (const pattern of [ANY_NAME, "", "^(?!x)"]) {
      const schema = { type: "object", patternProperties: { [pattern]: integer } };
      expect(await generated(schema, ['{"":1,"é":2}', '{"a":"b"}'])).toEqual(['{"":1,"é":2}']);
    }
  });

  it("are alternatives of values", async () => {
    const schema = z.toJSONSchema(z.record(z.union([z.literal("k"), z.literal("l")]), z.int()));
    expect(await generated(schema, ['{"k":1,"l":2}', '{"m":1}'])).toEqual(['{"k":1,"l":2}']);
  });

  it("are any where the schema lists no texts, as Pydantic's for `dict[IntEnum, int]`", async () => {
    const $defs = { Colour: { enum: [1, 2], title: "Colour", type: "integer" } };
    for (const propertyNames of [{ $ref: "#/$defs/Colour" }, { const: 1 }, { enum: [1] }])
      expect(await generated({ propertyNames, additionalProperties: integer, $defs }, ['{"1":1}'])).toEqual([
        '{"1":1}',
      ]);
  });

  it("are none", async () => {
    for (const propertyNames of [false, { not: {} }])
      expect(await generated({ propertyNames }, ["{}", '{"a":1}'])).toEqual(["{}"]);
  });

  it("of several patterns may be any, as both may match", async () => {
    const patternProperties = { "^a": integer, b$: { type: "string" } };
    const texts = ['{"a":1}', '{"c":null}'];
    expect(await generated({ type: "object", patternProperties }, texts)).toEqual(texts);
  });
});

describe("what no value matches", () => {
  const never = { not: {} };

  it.each([
    ["a member", { type: "object", properties: { a: never, b: integer } }, '{"b":1}', '{"a":1}'],
    ["other members", { type: "object", additionalProperties: never }, "{}", '{"a":1}'],
    [
      "Zod's `never`",
      z.toJSONSchema(z.object({ a: z.never().optional(), b: z.int() })),
      '{"b":1}',
      '{"a":1,"b":1}',
    ],
    ["an alternative", { anyOf: [never, integer] }, "1", '"a"'],
    ["an alternative of such ones", { anyOf: [{ anyOf: [never, false] }, integer] }, "1", '""'],
    ["items", { type: "array", items: never }, "[]", "[1]"],
    ["further items", { type: "array", prefixItems: [integer], items: never }, "[1]", "[1,1]"],
    ["an item of a tuple", { type: "array", prefixItems: [integer, false, integer] }, "[1]", "[1,1]"],
    ["an item of an older tuple", { items: [integer, never], additionalItems: integer }, "[1]", "[1,1]"],
  ])("%s", async (_, schema, right, wrong) => {
    expect(await generated(schema, [right, wrong])).toEqual([right]);
  });

  it.each([
    never,
    { not: true },
    { anyOf: [false, never] },
    { allOf: [{}, false] },
    { type: "object", properties: { a: never }, required: ["a"] },
    { type: "array", prefixItems: [integer, false], minItems: 2 },
  ])("is refused: %j", (schema) => {
    expect(checkSchema(schema, loose)).toMatchObject({
      message: expect.stringContaining("the schema accepts no value."),
    });
  });

  it.each([
    [never, ""],
    [{ type: "array", items: never }, ", 'items'"],
    [{ type: "array", prefixItems: [never] }, ", 'prefixItems', 0"],
    [{ anyOf: [never, integer] }, ", 'anyOf', 0"],
  ])("is a keyword that is not permitted in strict schemas: %j", (a, where) => {
    const schema = {
      type: "object",
      properties: { a },
      required: ["a"],
      additionalProperties: false,
    };
    expect(checkSchema(schema, { strict: true })).toMatchObject({
      message: `In context=('properties', 'a'${where}), 'not' is not permitted.`,
    });
  });
});
