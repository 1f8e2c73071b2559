import { zodResponseFormat } from "openai/helpers/zod";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { z as zod3 } from "zod/v3";
import { schemaGrammar } from "../../../worker/json-schema/grammar/grammar.ts";
import { checkSchema } from "../../../worker/json-schema/json-schema.ts";
import type { SchemaOptions } from "../../../worker/json-schema/schema/checked-schema.ts";
import { GrammarEngine } from "../../support/xgrammar.ts";

let engine: GrammarEngine;
beforeAll(async () => {
  engine = await GrammarEngine.load();
});

async function generates(schema: unknown, texts: string[], options?: SchemaOptions): Promise<boolean[]> {
  const check = checkSchema(schema, options);
  if (!check.ok) throw new Error(check.message);
  const verdicts = await engine.judge({ type: "grammar", ebnf: schemaGrammar(check.schema) }, texts);
  return verdicts.map((verdict) => verdict === "match");
}

function problem(schema: unknown, options?: SchemaOptions): string | undefined {
  const check = checkSchema(schema, options);
  return check.ok ? undefined : check.message;
}

const text = { type: "string" };

describe("`patternProperties`, which tools may have", () => {
  const values = { patternProperties: { "^x-": { type: "integer" } }, additionalProperties: false };
  const loose = { unsupported: "ignore" } as const;

  it.each([
    [{ type: "object", ...values }, [true, true, false]],
    [{ type: "object", properties: {}, ...values }, [true, true, false]],
    [{ type: "object", ...values, patternProperties: { a: text, b: { type: "null" } } }, [true, true, true]],
    [{ type: "object", ...values, patternProperties: {} }, [true, false, false]],
  ])("%j", async (schema, expected) => {
    expect(await generates(schema, ["{}", '{"x-a": 1}', '{"x-a": "b"}'], loose)).toEqual(expected);
  });
});

describe("schemas that are enforced", () => {
  const tree = {
    type: "object",
    properties: { next: { anyOf: [{ $ref: "#/$defs/a~1b" }, { type: "null" }] } },
    required: ["next"],
  };

  it.each([
    [
      "recursion",
      { $ref: "#/$defs/a~1b", $defs: { "a/b": tree } },
      '{"next": {"next": null}}',
      '{"next": {}}',
    ],
    ["the root again", { type: "array", items: { $ref: "#" } }, "[[], [[]]]", "[1]"],
    [
      "an `$id`, as TypeBox writes it",
      { $id: "T", type: "array", items: { $ref: "T" } },
      "[[], [[]]]",
      "[1]",
    ],
    [
      "a pointer within a part with an `$id`",
      { $ref: "urn:a#/$defs/b", $defs: { a: { $id: "urn:a", $defs: { b: { type: "integer" } } } } },
      "1",
      '"1"',
    ],
    ["an anchor", { $ref: "#b", $defs: { a: { $anchor: "b", type: "integer" } } }, "1", '"1"'],
    ["draft 6's anchor", { $ref: "#b", definitions: { a: { $id: "#b", type: "integer" } } }, "1", '"1"'],
    ["types", { type: ["integer", "null"], minimum: 3 }, "3", "2"],
    ["null, as OpenAPI 3.0 writes it", { type: "string", enum: [null], nullable: true }, "null", '"null"'],
    ["nullable", { type: "integer", minimum: 3, nullable: true }, "null", "2"],
    ["nullable, beside the values", { enum: ["a"], nullable: true }, "null", '"b"'],
    [
      "nullable, by reference",
      { allOf: [{ $ref: "#/$defs/a" }], nullable: true, $defs: { a: text } },
      "null",
      "1",
    ],
    [
      "names with quotes",
      { type: "object", properties: { 'a"\\\n': text }, required: ['a"\\\n'] },
      '{"a\\"\\\\\\n":"x"}',
      "{}",
    ],
    ["enum by type", { type: "string", enum: ["a", 1] }, '"a"', "1"],
    ["common beginnings", { enum: ["xb", "abb", "abbb", "abbbb"] }, '"abbbb"', '"abbbbb"'],
    ["const", { const: { a: [1.5, "x"] } }, '{"a": [1.5, "x"]}', '{"a": [1.5]}'],
    [
      "allOf",
      {
        allOf: [{ $ref: "#/$defs/a" }, { properties: { b: text }, required: ["b"] }],
        $defs: { a: { type: "object", properties: { a: text }, required: ["a"] } },
      },
      '{"a": "", "b": ""}',
      '{"a": ""}',
    ],
    [
      "siblings of anyOf",
      { type: "object", properties: { a: text, b: text }, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
      '{"b": ""}',
      "{}",
    ],
    [
      "unions by a member",
      {
        oneOf: ["a", "b"].map((kind) => ({
          type: "object",
          properties: { kind: { const: kind } },
          required: ["kind"],
        })),
      },
      '{"kind": "b"}',
      '{"kind": "c"}',
    ],
    [
      "tuples",
      { type: "array", prefixItems: [text, { type: "integer" }], items: false },
      '["a", 1]',
      '["a", 1, 2]',
    ],
    [
      "maps",
      { type: "object", additionalProperties: { type: "integer" }, maxProperties: 1 },
      '{"a": 1}',
      '{"a": "b"}',
    ],
    [
      "maps with known names",
      { type: "object", propertyNames: { enum: ["a", "b"] }, additionalProperties: text },
      '{"b": ""}',
      '{"c": ""}',
    ],
    [
      "maps with the names of a definition",
      {
        type: "object",
        propertyNames: { $ref: "#/$defs/Color" },
        additionalProperties: text,
        $defs: { Color: { type: "string", enum: ["red", "blue"] } },
      },
      '{"red": "", "blue": ""}',
      '{"c": ""}',
    ],
    [
      "maps with one name",
      { type: "object", propertyNames: { type: "string", const: "a" }, additionalProperties: text },
      '{"a": ""}',
      '{"b": ""}',
    ],
    ["required beyond properties", { type: "object", properties: {}, required: ["z"] }, '{"z": [1]}', "{}"],
    ["patterns anywhere", { type: "string", pattern: "a+b" }, '"xx \\" aab é"', '"aa"'],
    ["patterns in quotes", { type: "string", pattern: "^.*$" }, '"a\\"é"', '"a"b"'],
    ["patterns with alternatives", { type: "string", pattern: "^a$|^bc?$" }, '"bc"', '"ac"'],
    [
      "date-time",
      { type: "string", format: "date-time" },
      '"2024-01-31T10:00:00Z"',
      '"2024-02-31T10:00:00Z"',
    ],
    ["leap days", { type: "string", format: "date" }, '"2024-02-29"', '"2023-02-29"'],
    ["leap days of centuries", { type: "string", format: "date" }, '"2000-02-29"', '"1900-02-29"'],
    ["uuid", { type: "string", format: "uuid" }, '"123e4567-e89b-12d3-a456-426614174000"', '"123e"'],
    ["e-mail", { type: "string", format: "email" }, '"a.b@c.example"', '"a@b"'],
    ["lengths", { type: "string", minLength: 2, maxLength: 3 }, '"é😀"', '"abcd"'],
    ["emoji as two escapes", text, '"a\\ud83c\\udf89b"', '"\\ud83c"'],
    [
      "emoji as two escapes, which are one character",
      { type: "string", maxLength: 1 },
      '"\\uD83C\\uDF89"',
      '"\\udf89"',
    ],
    ["patterns with a class of white space", { type: "string", pattern: "^[^\\S\\n]+$" }, '" \\t"', '"é"'],
    [
      "patterns without white space",
      { type: "string", pattern: "^\\S+ \\S+$" },
      '"Zoë 山田"',
      '"Zoë\\t山田 "',
    ],
    ["patterns of any character", { type: "string", pattern: "^#[\\s\\S]+$" }, '"#é\\n日"', '"é"'],
    ["patterns that name some characters", { type: "string", pattern: "^.+é(\\S|日)$" }, '"éééü"', '"ééü."'],
    [
      "patterns with anchors in groups",
      { type: "string", pattern: "(^a$)|(?:^|, )b(,|$)" },
      '"c, b"',
      '"ab"',
    ],
    ["patterns with several anchors", { type: "string", pattern: "^(^a|b$)$" }, '"a"', '"ac"'],
    ["patterns with a range of emoji", { type: "string", pattern: "^[😀-🙏]+$" }, '"😁🙏"', '"🚀"'],
    ["patterns with its codes", { type: "string", pattern: "^[\\u{1F600}-\\u{1F64F}]$" }, '"😁"', '"🚀"'],
    ["patterns with a class of no character", { type: "string", pattern: "^(a|[]b|c)$" }, '"c"', '"'],
    [
      "patterns with characters that JSON escapes",
      { type: "string", pattern: "^[\\0-\\x05]?b$" },
      '"b"',
      '"',
    ],
    [
      "unions that lead back to an option",
      {
        $ref: "#/$defs/sum",
        $defs: {
          sum: {
            type: "object",
            properties: {
              kind: { const: "sum" },
              of: { oneOf: [{ $ref: "#/$defs/sum" }, { $ref: "#/$defs/one" }] },
            },
            required: ["kind", "of"],
          },
          one: { type: "object", properties: { kind: { const: "one" } }, required: ["kind"] },
        },
      },
      '{"kind": "sum", "of": {"kind": "one"}}',
      '{"kind": "sum", "of": {}}',
    ],
    ["nothing said of type", { properties: { a: text } }, '{"a": ""}', "1"],
  ])("%s", async (_, schema, right, wrong) => {
    expect(await generates(schema, [right, wrong])).toEqual([true, false]);
  });
});

describe("schemas that are refused", () => {
  it.each([
    [5, "In context=(), 5 is not of type 'object', 'boolean'."],
    [{ type: "strnig" }, "In context=(), 'strnig' is not valid under any of the given schemas."],
    [{ properties: { a: { type: 5 } } }, "In context=('properties', 'a'), 5 is not valid"],
    [{ enum: [] }, "[] should be non-empty."],
    [{ anyOf: [] }, "[] should be non-empty."],
    [{ type: [] }, "[] should be non-empty."],
    [{ $ref: "#/$defs/x" }, "reference to '#/$defs/x' cannot be resolved."],
    [{ $ref: "#x" }, "reference to '#x' cannot be resolved."],
    [{ $ref: "https://example.org/x" }, "must point into the schema itself."],
    [{ $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } }, "never ends."],
    [{ type: "object", properties: { a: { $ref: "#" } }, required: ["a"] }, "never ends."],
    [{ type: "string", pattern: "(" }, "is not a valid regex."],
    [{ type: "string", pattern: "^(?=a)b" }, "lookaround is not supported."],
    [{ type: "string", pattern: "(a)\\1" }, "back references are not supported."],
    [{ type: "string", pattern: "(^a)?b" }, "anchors are supported at the ends only."],
    [{ type: "string", pattern: "\\bfoo" }, "'\\b' is not supported."],
    [{ type: "string", pattern: "^(([a-z]{1,100}){1,100}){1,100}$" }, "too"],
    [{ type: "string", minLength: 5, maxLength: 3 }, "'minLength' is greater than 'maxLength'."],
    [{ type: "string", maxLength: -1 }, "-1 is not a count."],
    [{ type: "integer", minimum: 5, maximum: 3 }, "minimum is greater than maximum."],
    [{ type: "integer", minimum: 0.2, maximum: 0.8 }, "minimum is greater than maximum."],
    [{ type: "number", minimum: "1" }, "is not of type 'number'."],
    [JSON.parse('{"type":"integer","minimum":1e400}'), "the number is out of range."],
    [JSON.parse('{"type":"number","exclusiveMaximum":-1e400}'), "the number is out of range."],
    [{ allOf: [{ minimum: "x" }, { minimum: 1 }] }, "'minimum' of the combined schemas cannot be joined."],
    [{ allOf: [{ properties: { a: text } }, { properties: null }] }, "'properties' of the combined schemas"],
    [{ type: "string", pattern: "^[^\\s\\S]$" }, "nothing that can be generated matches the pattern."],
    [{ type: "object", properties: [] }, "is not of type 'object'."],
    [{ type: "object", required: "a" }, "must be an array of strings."],
    [{ type: "object", required: ["a"], additionalProperties: false }, "Extra required key 'a' supplied."],
    [{ type: "object", properties: { a: false }, required: ["a"] }, "accepts no value."],
    [{ enum: ["\ud800"] }, "lone surrogate."],
    [{ not: text }, "'not' is not permitted."],
    [{ not: { toString: 1 } }, "'not' is not permitted."],
    [{ type: "array", items: text, uniqueItems: true }, "'uniqueItems' is not permitted."],
    [{ type: "array", contains: text }, "'contains' is not permitted."],
    [{ oneOf: [text, { type: "string", maxLength: 3 }] }, "overlap"],
    [{ type: "string", description: "x".repeat(300_000) }, "exceeds the limit"],
    [{ enum: Array.from({ length: 1001 }, (_, at) => at) }, "1001 enum values exceed the limit of 1000."],
    [
      { enum: Array.from({ length: 300 }, (_, at) => `${at}${"x".repeat(60)}`) },
      "characters in a large enum",
    ],
  ])("%j", (schema, message) => {
    expect(problem(schema)).toContain(message);
  });

  it("survives any depth", () => {
    let deep: unknown = text;
    for (let level = 0; level < 100_000; level++) deep = { type: "array", items: deep };
    expect(problem(deep)).toContain("levels of JSON");
  });

  it("leaves out what cannot be enforced where that is asked for, and nothing else", async () => {
    const schema = {
      type: "array",
      items: { type: "string", pattern: "^(?!x)a" },
      uniqueItems: true,
      maxItems: 1,
    };
    expect(await generates(schema, ['["b"]', "[1]", '["a", "b"]'], { unsupported: "ignore" })).toEqual([
      true,
      false,
      false,
    ]);
    expect(problem({ type: "strnig" }, { unsupported: "ignore" })).toBeDefined();
  });
});

describe("strict schemas", () => {
  const object = { type: "object", properties: { a: text }, required: ["a"], additionalProperties: false };

  it.each([
    [
      { ...object, additionalProperties: undefined },
      "In context=(), 'additionalProperties' is required to be supplied and to be false.",
    ],
    [
      { ...object, required: [] },
      "In context=(), 'required' is required to be supplied and to be an array including every key in properties. Missing 'a'.",
    ],
    [
      { ...object, properties: { a: { type: "object" } } },
      "In context=('properties', 'a'), 'additionalProperties' is required",
    ],
    [{ ...object, properties: { a: {} } }, "In context=('properties', 'a'), schema must have a 'type' key."],
    [{ ...object, properties: { a: { type: "array" } } }, "array schema missing items."],
    [{ ...object, properties: { a: { oneOf: [text] } } }, "'oneOf' is not permitted."],
    [
      { ...object, properties: { a: { $ref: "#", description: "again", minLength: 1 } } },
      "$ref cannot have keywords {'minLength'}.",
    ],
    [
      { ...object, properties: { a: { type: "string", format: "uri-reference" } } },
      "In context=('properties', 'a'), 'uri-reference' is not a valid format.",
    ],
    [{ type: "array", items: text }, "schema must be a JSON Schema of 'type: \"object\"'."],
  ])("%j", (schema, message) => {
    expect(problem(schema, { strict: true })).toContain(message);
  });

  it("may have an unknown format together with a pattern; schemas that are not strict, also without one", async () => {
    const withFormat = (a: object) => ({ ...object, properties: { a: { type: "string", ...a } } });
    const texts = ['{"a":"YQ=="}', '{"a":"x y"}'];
    const base64 = { format: "base64", pattern: "^[A-Za-z0-9+/]*=*$" };
    expect(await generates(withFormat(base64), texts, { strict: true })).toEqual([true, false]);
    const loose = withFormat({ format: "base64" });
    expect(await generates(loose, texts, { unsupported: "ignore" })).toEqual([true, true]);
  });

  it("may be nullable, as OpenAI's helper writes for Zod 3, but not at the root", async () => {
    const { json_schema } = zodResponseFormat(zod3.object({ a: zod3.string().nullable() }), "nullable");
    expect(JSON.stringify(json_schema.schema)).toContain('"nullable":true');
    const texts = ['{"a":null}', '{"a":""}', '{"a":1}'];
    expect(await generates(json_schema.schema, texts, { strict: true })).toEqual([true, true, false]);
    expect(problem({ ...object, nullable: true }, { strict: true })).toContain("'type: \"object\"'");
  });

  it("are what OpenAI's and zod's helpers write", async () => {
    const Node: z.ZodType = z.object({
      name: z.string(),
      get children() {
        return z.array(Node);
      },
    });
    const Shape = z.object({
      node: Node,
      kind: z.enum(["a", "b"]),
      size: z.number().min(0).max(1).nullable(),
      count: z.int(),
      union: z.union([z.object({ t: z.literal("x"), v: z.string() }), z.object({ t: z.literal("y") })]),
    });
    const right = { node: { name: "", children: [] }, kind: "a", size: 0.25, count: -4, union: { t: "y" } };
    const wrong = { ...right, size: 1.5 };
    const { json_schema } = zodResponseFormat(Shape, "shape");
    const texts = [right, wrong].map((value) => JSON.stringify(value));
    expect(await generates(json_schema.schema, texts, { strict: true })).toEqual([true, false]);
    const loose = z.toJSONSchema(
      z.discriminatedUnion("t", [
        z.object({ t: z.literal("x"), at: z.iso.datetime() }),
        z.object({ t: z.literal("y"), map: z.record(z.string(), z.int()) }),
      ]),
    );
    expect(
      await generates(loose, ['{"t":"y","map":{"a":1}}', '{"t":"y","map":{"a":1.5}}'], {
        unsupported: "ignore",
      }),
    ).toEqual([true, false]);
  });
});
