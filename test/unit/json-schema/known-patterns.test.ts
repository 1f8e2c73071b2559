/** Patterns with lookaround that are known: what is generated matches them. */

import { expect, test } from "vitest";
import { z } from "zod";
import { schemaGrammar } from "../../../worker/json-schema/grammar/grammar.ts";
import { checkSchema } from "../../../worker/json-schema/json-schema.ts";
import { fc } from "../../support/random.ts";
import { GrammarEngine } from "../../support/xgrammar.ts";

/** As Pydantic 2.13 writes `Decimal`, with `decimal_places=2`, and with `max_digits` of 5 and of 2 as well. */
const DECIMALS = [
  "^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$",
  "^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d{0,2}0*$",
  "^(?!^[-+.]*$)[+-]?0*(?:\\d{0,3}|(?=[\\d.]{1,6}0*$)\\d{0,3}\\.\\d{0,2}0*$)",
  "^(?!^[-+.]*$)[+-]?0*(?:\\d{0,0}|(?=[\\d.]{1,3}0*$)\\d{0,0}\\.\\d{0,2}0*$)",
];
const EMAIL_OF_ZOD_4_0 =
  "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$";

async function generated(schema: object, texts: readonly string[]): Promise<string[]> {
  const check = checkSchema(schema, { strict: false });
  if (!check.ok) throw new Error(check.message);
  const engine = await GrammarEngine.load();
  const quoted = texts.map((one) => JSON.stringify(one));
  const verdicts = await engine.judge({ type: "grammar", ebnf: schemaGrammar(check.schema) }, quoted);
  return texts.filter((_, at) => verdicts[at] === "match");
}

test.each([
  [{ pattern: DECIMALS[0] }, ["12.345", "-0.5", "7"], ["", "-", ".", "1e5", "1,5"]],
  [{ pattern: DECIMALS[1] }, ["12.34", "+1", "1234567.8"], ["1.234", "+."]],
  [{ pattern: DECIMALS[2] }, ["123.45", "-0.5", "999"], ["1234", "1.234", "123a"]],
  [{ pattern: DECIMALS[3] }, ["0.12", "-0.5", "0"], ["1", "0.123"]],
  [{ format: "email", pattern: EMAIL_OF_ZOD_4_0 }, ["a.b@c.example"], ["a..b@c.example", ".a@b.co", "a@b"]],
  [z.toJSONSchema(z.iso.duration()), ["P1DT2H30M", "P3W"], ["P", "P1W2D", "PT"]],
])("%j", async (schema, possible, impossible) => {
  const found = await generated({ type: "string", ...schema }, [...possible, ...impossible]);
  expect(found).toEqual(possible);
});

test("texts that are generated match the pattern", async () => {
  const digits = fc.string({ unit: fc.constantFrom("0", "0", "1", "5", "9", ".", "-", "+"), maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...DECIMALS),
      fc.array(digits, { minLength: 100, maxLength: 100 }),
      async (pattern, texts) => {
        const found = await generated({ type: "string", pattern }, texts);
        expect(found.filter((one) => !new RegExp(pattern).test(one))).toEqual([]);
      },
    ),
    { numRuns: 40 },
  );
});

test("a decimal of so many digits, with any of them behind the point, is refused", () => {
  const pattern = "^(?!^[-+.]*$)[+-]?0*(?:\\d{0,5}|(?=[\\d.]{1,6}0*$)\\d*\\.\\d*0*$)";
  expect(checkSchema({ type: "string", pattern })).toMatchObject({
    message: "In context=(), in 'pattern', lookaround is not supported.",
  });
});
