import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Automaton } from "../../../worker/json-schema/automaton/automaton.ts";
import { Compilation } from "../../../worker/json-schema/compilation.ts";
import { schemaGrammar } from "../../../worker/json-schema/grammar/grammar.ts";
import { checkSchema, compileSchema } from "../../../worker/json-schema/json-schema.ts";
import type { SchemaOptions } from "../../../worker/json-schema/schema/checked-schema.ts";
import { fc } from "../../support/random.ts";
import { GrammarEngine } from "../../support/xgrammar.ts";

let engine: GrammarEngine;
beforeAll(async () => {
  engine = await GrammarEngine.load();
});

function checked(schema: unknown, options?: SchemaOptions) {
  const check = checkSchema(schema, options);
  if (!check.ok) throw new Error(check.message);
  return check.schema;
}

/** For each JSON text, whether the grammar of `schema` accepts it. */
async function accepted(
  schema: unknown,
  texts: readonly string[],
  options?: SchemaOptions,
): Promise<boolean[]> {
  const ebnf = schemaGrammar(checked(schema, options));
  return (await engine.judge({ type: "grammar", ebnf }, texts)).map((verdict) => verdict === "match");
}

function problem(schema: unknown, options?: SchemaOptions): string | undefined {
  const check = checkSchema(schema, options);
  return check.ok ? undefined : check.message;
}

/** Exact decimals are counted in units of 10^-6. */
const PLACES = 6;
const UNIT = 10n ** BigInt(PLACES);

function unitsOf(text: string): bigint {
  const [whole = "", part = ""] = text.replace("-", "").split(".");
  // The grammar writes up to 15 places, of which only zeros may follow those of `multipleOf`.
  if (/[1-9]/.test(part.slice(PLACES))) throw new Error(`${text} has more places than the tests know.`);
  const units = BigInt(whole + part.slice(0, PLACES).padEnd(PLACES, "0"));
  return text.startsWith("-") ? -units : units;
}

function textOf(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(PLACES + 1, "0");
  const part = digits.slice(-PLACES).replace(/0+$/, "");
  return `${units < 0n ? "-" : ""}${digits.slice(0, -PLACES)}${part && "."}${part}`;
}

interface Case {
  step: bigint;
  minimum: bigint | undefined;
  maximum: bigint | undefined;
  exclusive: boolean;
}

const places = fc.integer({ min: 0, max: 4 }).map((count) => 10n ** BigInt(PLACES - count));
const cases: fc.Arbitrary<Case> = fc.record({
  // Without bounds a number that divides no power of ten soon needs too many states.
  step: fc.tuple(fc.oneof(fc.bigInt(1n, 60n), fc.constantFrom(100n, 125n, 250n, 1000n)), places).map(product),
  minimum: fc.option(fc.tuple(fc.bigInt(-3000n, 3000n), places).map(product), { nil: undefined }),
  maximum: fc.option(fc.tuple(fc.bigInt(-3000n, 3000n), places).map(product), { nil: undefined }),
  exclusive: fc.boolean(),
});

function product([first, second]: [bigint, bigint]): bigint {
  return first * second;
}

function schemaOf(type: string, { step, minimum, maximum, exclusive }: Case): Record<string, unknown> {
  const [low, high] = exclusive ? ["exclusiveMinimum", "exclusiveMaximum"] : ["minimum", "maximum"];
  return {
    type,
    multipleOf: Number(textOf(step)),
    ...(minimum !== undefined && { [low!]: Number(textOf(minimum)) }),
    ...(maximum !== undefined && { [high!]: Number(textOf(maximum)) }),
  };
}

function isRight(units: bigint, type: string, { step, minimum, maximum, exclusive }: Case): boolean {
  if (units % step !== 0n || (type === "integer" && units % UNIT !== 0n)) return false;
  if (exclusive && (units === minimum || units === maximum)) return false;
  return (minimum === undefined || units >= minimum) && (maximum === undefined || units <= maximum);
}

/** Multiples around zero and the bounds, and their neighbours. */
function candidates(type: string, { step, minimum, maximum }: Case): bigint[] {
  const at = type === "integer" ? UNIT : step;
  const around = [0n, minimum ?? 0n, maximum ?? 0n, 7n * step, 123_456n * step, -98_765n * step, 40n * UNIT];
  const found = around.flatMap((place) => {
    const nearest = (place / at) * at;
    return [-2n, -1n, 0n, 1n, 2n].flatMap((count) => [nearest + count * at, nearest + count * UNIT]);
  });
  return [...new Set([...found, ...around.map((one) => one + step / 2n + 1n)])];
}

/** A text that the automaton accepts, after at most 60 steps that `choices` names. */
function walk({ states }: Automaton, choices: readonly number[]): string | undefined {
  let [text, at] = ["", 0];
  for (const choice of choices) {
    const { accepts, edges } = states[at]!;
    if (edges.length === 0 || (accepts && choice % 4 === 0)) break;
    const edge = edges[choice % edges.length]!;
    text += String.fromCharCode(edge.ascii[choice % edge.ascii.length]!);
    at = edge.target;
  }
  return states[at]!.accepts ? text : undefined;
}

describe("multipleOf", () => {
  it.each(["integer", "number"])("%s: exactly the multiples within the bounds", async (type) => {
    await fc.assert(
      fc.asyncProperty(cases, async (one) => {
        const units = candidates(type, one).filter((unit) => type === "number" || unit % UNIT === 0n);
        const message = problem(schemaOf(type, one));
        if (message?.includes("states")) return;
        if (message !== undefined) {
          expect(message).toMatch(/no multiple|greater than/);
          expect(units.filter((unit) => isRight(unit, type, one))).toEqual([]);
          return;
        }
        const verdicts = await accepted(schemaOf(type, one), units.map(textOf));
        expect(units.filter((unit, at) => isRight(unit, type, one) !== verdicts[at])).toEqual([]);
      }),
      { numRuns: 80 },
    );
  });

  it.each(["integer", "number"])("%s: whatever its automaton accepts is one", (type) => {
    const choices = fc.array(fc.nat(), { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(cases, fc.array(choices, { minLength: 8, maxLength: 8 }), (one, walks) => {
        if (problem(schemaOf(type, one)) !== undefined) return;
        const { root } = checked(schemaOf(type, one));
        if (root.kind !== "number" || !root.multiples) return;
        for (const texts of walks.map((steps) => walk(root.multiples!, steps))) {
          if (texts === undefined) continue;
          expect(texts).toMatch(/^-?(0|[1-9]\d*)(\.\d+)?$/);
          expect([texts, isRight(unitsOf(texts), type, one)]).toEqual([texts, true]);
        }
      }),
      { numRuns: 120 },
    );
  });

  it.each([
    ["cents", { type: "number", multipleOf: 0.01 }, ["0.01", "1.1", "-19.99", "4.350"], ["0.001", "1.115"]],
    ["thousands", { type: "integer", multipleOf: 1000 }, ["0", "-7000", "123000"], ["100", "1e3", "-0"]],
    ["whole numbers", { type: "number", multipleOf: 1 }, ["3", "3.0", "-2.00"], ["3.5"]],
    ["halves of integers", { type: "integer", multipleOf: 0.5 }, ["3", "-8"], ["3.5", "3.0"]],
    ["2.5 in integers", { type: "integer", multipleOf: 2.5 }, ["5", "-10", "0"], ["2", "12"]],
    ["dozens", { type: ["integer", "null"], multipleOf: 12 }, ["null", "144", "-12"], ["10", "1"]],
    [
      "997",
      { type: "integer", multipleOf: 997, minimum: 0, maximum: 9999 },
      ["997", "9970"],
      ["0997", "998"],
    ],
    ["no type", { multipleOf: 3 }, ["9", "-3.0"], ["4", '"9"']],
    ["a minimum", { type: "integer", multipleOf: 7, minimum: 50 }, ["56", "700000"], ["49", "0", "-7"]],
    [
      "both of allOf",
      { type: "number", allOf: [{ multipleOf: 0.4 }, { multipleOf: 3 }] },
      ["6", "0", "-12.0"],
      ["3", "0.4"],
    ],
    [
      "anyOf",
      { type: "integer", multipleOf: 2, anyOf: [{ multipleOf: 3 }, { multipleOf: 5 }] },
      ["6", "10"],
      ["3", "4"],
    ],
  ])("%s", async (_, schema, right, wrong) => {
    const verdicts = await accepted(schema, [...right, ...wrong]);
    expect(verdicts).toEqual([...right.map(() => true), ...wrong.map(() => false)]);
  });

  it("of zod is strict", async () => {
    const shape = z.object({ size: z.number().multipleOf(5).min(5), price: z.number().multipleOf(0.01) });
    const schema = z.toJSONSchema(shape);
    const texts = ['{"size":15,"price":0.29}', '{"size":16,"price":0.29}', '{"size":15,"price":0.295}'];
    expect(await accepted(schema, texts, { strict: true })).toEqual([true, false, false]);
  });

  it.each([
    [{ type: "number", multipleOf: 0 }, "('multipleOf',), 0 is less than or equal to the minimum of 0."],
    [{ type: "integer", multipleOf: -5 }, "-5 is less than or equal to the minimum of 0."],
    [{ type: "integer", multipleOf: "5" }, `"5" is not of type 'number'.`],
    [JSON.parse('{"type":"number","multipleOf":1e400}'), "the number is out of range."],
    [
      { type: "integer", multipleOf: 5, minimum: 6, maximum: 9 },
      "no multiple of 5 between minimum and maximum.",
    ],
    [{ type: "number", multipleOf: 0.1, exclusiveMinimum: 0.2, exclusiveMaximum: 0.3 }, "no multiple of 0.1"],
    [{ type: "integer", multipleOf: 1e300, minimum: 1, maximum: 1e15 }, "no multiple of 1e+300"],
  ])("%j is invalid, also where what cannot be enforced is ignored", (schema, message) => {
    expect(problem(schema)).toContain(message);
    expect(problem(schema, { unsupported: "ignore" })).toContain(message);
  });

  it.each([
    [
      { type: "number", multipleOf: 1.234 },
      "'multipleOf' 1.234 is not permitted: without its decimal point it exceeds the limit of 1000.",
    ],
    [{ type: "integer", multipleOf: 1001 }, "exceeds the limit of 1000."],
    [{ type: "number", multipleOf: 1e-16 }, "it has more than 15 decimal places."],
    [{ type: "integer", multipleOf: 997 }, "its multiples within the bounds need more than 2000 states."],
    [
      { type: "integer", allOf: [{ multipleOf: 999 }, { multipleOf: 998 }] },
      "'multipleOf' 997002 is not permitted",
    ],
    [
      { allOf: [{ multipleOf: 1e300 }, { multipleOf: 5 }] },
      "'multipleOf' of the combined schemas cannot be joined.",
    ],
    [
      {
        oneOf: [
          { type: "integer", multipleOf: 3 },
          { type: "number", multipleOf: 5 },
        ],
      },
      "overlap",
    ],
  ])("%j is refused, or accepted without it", async (schema, message) => {
    expect(problem(schema)).toContain(message);
    expect(await accepted(schema, ["5", '"5"'], { unsupported: "ignore" })).toEqual([true, false]);
  });

  it("keeps bounds where it is ignored", async () => {
    const schema = { type: "integer", multipleOf: 1001, minimum: 3 };
    expect(await accepted(schema, ["4", "2"], { unsupported: "ignore" })).toEqual([true, false]);
  });

  it("of many members ends within the budget of a request", () => {
    const properties = Object.fromEntries(
      Array.from({ length: 4000 }, (_, at) => [
        `p${at}`,
        { type: "number", multipleOf: ((at * 7) % 1000) + 1, maximum: at * 3 + 1 },
      ]),
    );
    const result = compileSchema(
      { type: "object", properties },
      { unsupported: "ignore" },
      new Compilation(),
    );
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining("schema is too complex") });
  });
});
