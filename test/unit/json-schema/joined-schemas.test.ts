/** What several schemas for one value allow, with `allOf` or beside a reference. */

import { expect, it } from "vitest";
import { z } from "zod";
import { Compilation } from "../../../worker/json-schema/compilation.ts";
import { schemaGrammar } from "../../../worker/json-schema/grammar/grammar.ts";
import { checkSchema, compileSchema } from "../../../worker/json-schema/json-schema.ts";
import { fc } from "../../support/random.ts";
import { GrammarEngine } from "../../support/xgrammar.ts";

async function accepted(schema: unknown, texts: readonly string[]): Promise<string[]> {
  const check = checkSchema(schema);
  if (!check.ok) throw new Error(check.message);
  const engine = await GrammarEngine.load();
  const verdicts = await engine.judge({ type: "grammar", ebnf: schemaGrammar(check.schema) }, texts);
  return texts.filter((_, at) => verdicts[at] === "match");
}

const text = { type: "string" };
const nullable = { type: "string", nullable: true };

it.each([
  ["one of two types", [nullable, { ...text, minLength: 1 }], []],
  ["the other one", [{ ...text, minLength: 1 }, nullable], []],
  ["both types", [nullable, { ...nullable, minLength: 1 }], ["null"]],
  ["a part of its own", [{ ...text, minLength: 1 }, { nullable: true }], ["null"]],
  ["a part without a type", [nullable, { minLength: 1 }], ["null"]],
])("null, which OpenAPI 3.0 allows in %s", async (_, allOf, possible) => {
  expect(await accepted({ allOf }, ['"a"', "null", '""', "1"])).toEqual(['"a"', ...possible]);
});

it("texts match all patterns, as Zod writes them", async () => {
  const id = z
    .string()
    .startsWith("ab")
    .endsWith("yz")
    .includes("é")
    .regex(/^.{5,6}$/);
  const right = ["abéyz", "ab.éyz"];
  const wrong = ["ab.yz", "abé.z", "aéyz", "b.éyz", "abé...yz"];
  const texts = [...right, ...wrong].map((one) => JSON.stringify(one));
  const found = await accepted(z.toJSONSchema(id), texts);
  expect(found).toEqual(right.map((one) => JSON.stringify(one)));
});

it("patterns that no text matches together are refused", () => {
  const schema = { allOf: [{ type: "string", pattern: "^a" }, { pattern: "^b" }] };
  expect(checkSchema(schema)).toMatchObject({
    message: "In context=('allOf',), in 'pattern', nothing that can be generated matches the pattern.",
  });
  expect(checkSchema(schema, { unsupported: "ignore" }).ok).toBe(true);
});

it("more than sixteen patterns are refused", () => {
  const allOf = Array.from({ length: 17 }, (_, at) => ({ pattern: `[a-z]{0,${at}}` }));
  expect(checkSchema({ allOf: allOf.slice(1) }).ok).toBe(true);
  expect(checkSchema({ allOf })).toMatchObject({
    message: "In context=('allOf',), 'pattern' of the combined schemas cannot be joined.",
  });
});

it("patterns of many strings are joined while a request has states for them", () => {
  const properties = Object.fromEntries(
    Array.from({ length: 100 }, (_, at) => [
      `p${at}`,
      z.toJSONSchema(
        z
          .string()
          .startsWith(`a${at}`)
          .endsWith("==")
          .regex(/^[A-Za-z0-9+/=]{1,64}$/),
      ),
    ]),
  );
  const schema = { type: "object", properties };
  expect(compileSchema(schema, { unsupported: "ignore" }, new Compilation()).ok).toBe(true);
  expect(compileSchema(schema, {}, new Compilation())).toMatchObject({
    message: expect.stringContaining("in 'pattern', the patterns together are too complex."),
  });
});

const piece = fc
  .tuple(fc.constantFrom("[é日]", "[a-c]", ".", '"', "a", "[^a]", "[^]"), fc.constantFrom("", "*", "+", "?"))
  .map((parts) => parts.join(""));
const pattern = fc.array(piece, { minLength: 1, maxLength: 3 }).map((parts) => `^${parts.join("")}$`);
const value = fc.string({ unit: fc.constantFrom("é", "日", "😀", "a", "b", '"'), maxLength: 4 });

it("of two random patterns exactly the common texts are generated", async () => {
  await fc.assert(
    fc.asyncProperty(pattern, pattern, fc.array(value, { minLength: 10 }), async (one, other, values) => {
      const schema = { allOf: [{ type: "string", pattern: one }, { pattern: other }] };
      const fitting = values.filter((text) => [one, other].every((each) => new RegExp(each, "u").test(text)));
      if (!checkSchema(schema).ok) {
        expect(fitting).toEqual([]);
        return;
      }
      const texts = values.map((text) => JSON.stringify(text));
      expect(await accepted(schema, texts)).toEqual(fitting.map((text) => JSON.stringify(text)));
    }),
    { numRuns: 200 },
  );
});

const [a, b] = ["a", "b"].map((name) => ({
  type: "object",
  properties: { [name]: text },
  required: [name],
}));

it.each([
  ["closed objects", [false, false]],
  ["an open object and a closed one, as OpenAPI extends them", [undefined, false]],
  ["a closed object and an open one", [false, undefined]],
  ["loose objects", [{}, {}]],
  ["a closed object and a loose one", [false, {}]],
])("where keywords are ignored, %s have the members of both", async (_, [first, second]) => {
  const allOf = [
    { ...a, additionalProperties: first },
    { ...b, additionalProperties: second },
  ];
  const check = checkSchema({ allOf }, { unsupported: "ignore" });
  if (!check.ok) throw new Error(check.message);
  const engine = await GrammarEngine.load();
  const texts = ['{"a": "", "b": ""}', '{"a": ""}', '{"b": ""}'];
  const verdicts = await engine.judge({ type: "grammar", ebnf: schemaGrammar(check.schema) }, texts);
  expect(verdicts.map((verdict) => verdict === "match")).toEqual([true, false, false]);
});
