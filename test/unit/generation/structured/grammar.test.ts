import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { schemaGrammar } from "../../../../worker/generation/structured/grammar.ts";
import { checkSchema } from "../../../../worker/generation/structured/json-schema.ts";
import { GrammarEngine } from "../../../support/xgrammar.ts";

let engine: GrammarEngine;
beforeAll(async () => {
  engine = await GrammarEngine.load();
});

/** Which of the JSON texts the engine would generate under the schema. */
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
        const near = Object.values(limits).flatMap((bound) => [bound, bound + 1, bound - 1, bound * 10, -bound]);
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
