import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { Compilation } from "../../../worker/json-schema/compilation.ts";
import { schemaGrammar } from "../../../worker/json-schema/grammar/grammar.ts";
import { literal } from "../../../worker/json-schema/grammar/grammar-text.ts";
import { checkSchema, compileSchema } from "../../../worker/json-schema/json-schema.ts";
import { fc } from "../../support/random.ts";
import { GrammarEngine } from "../../support/xgrammar.ts";

let engine: GrammarEngine;
beforeAll(async () => {
  engine = await GrammarEngine.load();
});

/** For each JSON text, whether the grammar of `schema` accepts it. */
async function accepted(schema: unknown, texts: readonly string[]): Promise<boolean[]> {
  const check = checkSchema(schema);
  if (!check.ok) throw new Error(check.message);
  const verdicts = await engine.judge({ type: "grammar", ebnf: schemaGrammar(check.schema) }, texts);
  return verdicts.map((verdict) => verdict === "match");
}

const decimals = fc.oneof(
  fc.integer({ min: -120, max: 120 }),
  fc.integer({ min: -1e7, max: 1e7 }),
  fc.integer({ min: -20_000, max: 20_000 }).map((value) => value / 1000),
  fc.constantFrom(0, 0.5, 1e-7, -1e-7, 99, 100, 1e6, 0.1, -0.1),
);
const bounds = fc.record(
  { minimum: decimals, maximum: decimals, exclusiveMinimum: decimals, exclusiveMaximum: decimals },
  { requiredKeys: [] },
);

function isWithin(value: number, limits: Record<string, number | undefined>): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = limits;
  return (
    !(minimum !== undefined && value < minimum) &&
    !(maximum !== undefined && value > maximum) &&
    !(exclusiveMinimum !== undefined && value <= exclusiveMinimum) &&
    !(exclusiveMaximum !== undefined && value >= exclusiveMaximum)
  );
}

describe("numbers", () => {
  it.each(["integer", "number"])("%s: exactly those within the bounds", async (type) => {
    await fc.assert(
      fc.asyncProperty(bounds, fc.array(decimals), async (limits, others) => {
        const check = checkSchema({ type, ...limits });
        const near = Object.values(limits).flatMap((bound) => [
          bound,
          bound + 1,
          bound - 1,
          bound * 10,
          -bound,
        ]);
        const values = [...near, ...others, 0, 0.25, 7.125]
          .map((value) => Math.round(value * 1e7) / 1e7)
          .filter((value) => !String(value).includes("e"))
          .filter((value) => type === "number" || Number.isInteger(value));
        if (!check.ok) {
          expect(values.some((value) => isWithin(value, limits))).toBe(false);
          return;
        }
        const verdicts = await accepted({ type, ...limits }, values.map(String));
        const wrong = values.filter((value, at) => isWithin(value, limits) !== verdicts[at]);
        expect(wrong).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });
});

describe("bounds of many digits", () => {
  it.each([
    // As Zod writes integers.
    [{ minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }, 2 ** 53 - 1, 2 ** 53],
    [{ maximum: 2 ** 63 }, 999_999_999_999_999, 2 ** 63],
    [{ minimum: 9.1e15, maximum: 9.2e15 }, 9.15e15, 9.21e15],
    [{ minimum: 999_999_999_999_999 }, 1e15, 999_999_999_999_998],
  ])("%j", async (bounds, right, wrong) => {
    const texts = [right, wrong].map((value) => BigInt(value).toString());
    for (const type of ["integer", "number"])
      expect(await accepted({ type, ...bounds }, texts)).toEqual([true, false]);
  });
});

it("a thousand integers, as Zod writes them, are within the budget of a request", () => {
  const { MAX_SAFE_INTEGER: most } = Number;
  for (const minimum of [-most, 0]) {
    const integer = { type: "integer", minimum, maximum: most };
    const properties = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`p${at}`, integer]));
    expect(compileSchema({ type: "object", properties }, {}, new Compilation())).toMatchObject({ ok: true });
  }
});

describe("`exclusiveMinimum` and `exclusiveMaximum`", () => {
  it.each([
    ["booleans of draft 4", { minimum: 1, exclusiveMinimum: true, maximum: 4, exclusiveMaximum: false }],
    ["joined", { allOf: [{ exclusiveMinimum: 1 }, { exclusiveMinimum: 0, exclusiveMaximum: 5 }] }],
    [
      "joined booleans",
      {
        allOf: [
          { minimum: 1, exclusiveMinimum: true },
          { minimum: 0, maximum: 4 },
        ],
      },
    ],
    [
      "joined booleans, each of its own bound",
      {
        allOf: [
          { minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: true },
          { minimum: 2, maximum: 4, exclusiveMaximum: false },
          { exclusiveMinimum: 0 },
        ],
      },
    ],
  ])("%s", async (_, bounds) => {
    const verdicts = await accepted({ type: "integer", ...bounds }, ["1", "2", "4", "5"]);
    expect(verdicts).toEqual([false, true, true, false]);
  });

  it("a boolean alone says nothing", async () => {
    expect(await accepted({ type: "integer", exclusiveMinimum: true }, ["-1"])).toEqual([true]);
  });
});

interface Case {
  schema: Record<string, unknown>;
  value: fc.Arbitrary<unknown>;
}

const letters = fc.string({ unit: fc.constantFrom("b", '"', "\\", "é", "😀", "\n"), maxLength: 4 });
const keys = fc.oneof(fc.constantFrom("b", "bb", "bbb", "bbbb", "a"), letters);

interface Member {
  name: string;
  node: Case;
  required: boolean;
}

function memberOf(node: fc.Arbitrary<Case>): fc.Arbitrary<Member> {
  return fc.record({ name: keys, node, required: fc.boolean() });
}

function objectOf(members: readonly Member[]): Case {
  const names = members.map((one) => one.name);
  const required = members.filter((one) => one.required).map((one) => one.name);
  return {
    schema: {
      type: "object",
      properties: Object.fromEntries(members.map((one) => [one.name, one.node.schema])),
      required,
      additionalProperties: false,
    },
    value: fc
      .record(Object.fromEntries(members.map((one) => [one.name, one.node.value])), {
        requiredKeys: required,
        noNullPrototype: true,
      })
      .map((value) => inOrder(value as Record<string, unknown>, names)),
  };
}

/** A random schema and an arbitrary of its valid values. */
const cases: fc.Arbitrary<Case> = fc.letrec<{ node: Case }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.constantFrom<Case>(
      { schema: { type: "boolean" }, value: fc.boolean() },
      { schema: { type: "null" }, value: fc.constant(null) },
      { schema: {}, value: fc.jsonValue({ noUnicodeString: false, maxDepth: 2 }).map(plainNumbers) },
      { schema: { type: "string" }, value: fc.string({ unit: "binary" }) },
      {
        schema: { type: "string", minLength: 1, maxLength: 3 },
        value: fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 3 }),
      },
      {
        schema: { type: "integer", minimum: -3, exclusiveMaximum: 1200 },
        value: fc.integer({ min: -3, max: 1199 }),
      },
      {
        schema: { type: "string", pattern: "^[a-c]{2}(x|yy)*$" },
        value: fc.constantFrom("ab", "ccx", "bbyyxx"),
      },
      { schema: { type: "string", format: "date" }, value: fc.constantFrom("2024-02-28", "1999-12-31") },
    ),
    fc.uniqueArray(fc.oneof(letters, fc.integer(), keys), { minLength: 1, maxLength: 6 }).map((values) => ({
      schema: { enum: values },
      value: fc.constantFrom(...values),
    })),
    fc.array(tie("node"), { minLength: 1, maxLength: 3 }).map((options) => ({
      schema: { anyOf: options.map((one) => one.schema) },
      value: fc.oneof(...options.map((one) => one.value)),
    })),
    fc.tuple(tie("node"), fc.nat({ max: 2 }), fc.nat({ max: 2 })).map(([items, min, more]) => ({
      schema: { type: "array", items: items.schema, minItems: min, maxItems: min + more },
      value: fc.array(items.value, { minLength: min, maxLength: min + more }),
    })),
    fc.uniqueArray(memberOf(tie("node")), { maxLength: 5, selector: ({ name }) => name }).map(objectOf),
    // Objects that begin alike.
    fc
      .tuple(
        fc.uniqueArray(memberOf(tie("node")), { minLength: 3, maxLength: 5, selector: ({ name }) => name }),
        fc.array(fc.nat({ max: 31 }), { minLength: 2, maxLength: 4 }),
      )
      .map(([members, subsets]) => {
        const options = subsets.map((bits) =>
          objectOf(members.filter((_, at) => at === 0 || ((bits >> at) & 1) === 0)),
        );
        return {
          schema: { anyOf: options.map((one) => one.schema) },
          value: fc.oneof(...options.map((one) => one.value)),
        };
      }),
    fc.tuple(tie("node"), fc.nat({ max: 2 })).map(([member, min]) => ({
      schema: { type: "object", additionalProperties: member.schema, minProperties: min },
      value: fc.dictionary(fc.string(), member.value, { minKeys: min, maxKeys: 3, noNullPrototype: true }),
    })),
  ),
})).node;

/** Keeps numbers small: the grammar allows exponents of at most two digits. */
function plainNumbers(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, one) =>
    typeof one === "number" ? Math.trunc(one % 1e6) : one,
  );
}

function inOrder(value: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(value, name)).map((name) => [name, value[name]]),
  );
}

/** Damage inside a surrogate pair leaves invalid text, which is skipped. */
const LONE_HALF = /\p{Surrogate}/u;

describe("grammars of random schemas", () => {
  it("compile, take every value that fulfils the schema, and no text that is none", async () => {
    await fc.assert(
      fc.asyncProperty(
        cases.chain(({ schema, value }) =>
          fc.tuple(fc.constant(schema), fc.array(value, { minLength: 1, maxLength: 4 })),
        ),
        fc.nat(),
        fc.constantFrom('"', "}", "]", ",", "b", "0", "\\", " ", "\n", ""),
        async ([schema, values], place, damage) => {
          const texts = values.flatMap((value) => [JSON.stringify(value), JSON.stringify(value, null, 2)]);
          expect(await accepted(schema, texts)).toEqual(texts.map(() => true));
          const damaged = texts
            .map((text) => {
              const at = place % (text.length + 1);
              return text.slice(0, at) + damage + text.slice(at + (damage === "" ? 1 : 0));
            })
            .filter((text) => !LONE_HALF.test(text));
          const verdicts = await accepted(schema, damaged);
          const validator = z.fromJSONSchema(schema as never);
          for (const [at, text] of damaged.entries()) {
            if (!verdicts[at]) continue;
            const value: unknown = JSON.parse(text);
            expect([text, validator.safeParse(value).success]).toEqual([text, true]);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("unions", () => {
  const object = (members: Record<string, unknown>) => ({
    type: "object",
    properties: members,
    required: Object.keys(members),
    additionalProperties: false,
  });
  const left = { anyOf: [{ $ref: "#/$defs/sum" }, { $ref: "#/$defs/product" }, { type: "null" }] };
  const $defs = {
    sum: object({ left, plus: { type: "integer" }, note: { type: "string" } }),
    product: object({ left, times: { type: "integer" } }),
  };

  it("write once what objects have in common at their beginning", () => {
    const check = checkSchema({ ...left, $defs });
    if (!check.ok) throw new Error(check.message);
    expect(schemaGrammar(check.schema).match(/"\{"/g)).toHaveLength(1);
  });

  it("of the rest take the members of one object only", async () => {
    const texts = [
      '{"left":null,"plus":1,"note":""}',
      '{"left":{"left":null,"times":2},"times":3}',
      '{"left":null,"plus":1}',
      '{"left":null,"times":1,"note":""}',
      '{"left":null}',
    ];
    expect(await accepted({ ...left, $defs }, texts)).toEqual([true, true, false, false, false]);
  });

  it("that lead to themselves take all options on the way", async () => {
    const other = { $ref: "#/$defs/other" };
    const $defs = {
      one: { anyOf: [{ $ref: "#/$defs/one" }, other, { type: "boolean" }] },
      other: { anyOf: [{ anyOf: [{ $ref: "#/$defs/one" }, { type: "null" }] }, object({ next: other })] },
    };
    const texts = ["true", "null", '{"next":{"next":false}}', "1", '{"next":1}'];
    for (const name of ["one", "other"]) {
      const schema = { $ref: `#/$defs/${name}`, $defs };
      expect(await accepted(schema, texts)).toEqual([true, true, true, false, false]);
    }
  });
});

it("a text may have digits and letters right after a control character", async () => {
  const text = '\nA\u0000 0\x7fc "\\n" \r\n\tfee';
  expect(await engine.judge({ type: "grammar", ebnf: `root ::= ${literal(text)}` }, [text])).toEqual([
    "match",
  ]);
});
