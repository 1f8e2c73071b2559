import { expect, test } from "vitest";
import { toGbnf } from "../../../../../worker/engines/llamacpp/grammar/gbnf.ts";
import { splitRepetitions } from "../../../../../worker/engines/llamacpp/grammar/gbnf-repetitions.ts";
import { schemaGrammar } from "../../../../../worker/json-schema/grammar/grammar.ts";
import { checkSchema } from "../../../../../worker/json-schema/json-schema.ts";
import { fc } from "../../../../support/random.ts";

/** The expression as a regular expression, with the rules in place of their names. */
function splitToRegExp(expression: string): RegExp {
  const rules: string[] = [];
  const whole = splitRepetitions(expression, (rule) => `r${rules.push(rule) - 1}`);
  const inline = (text: string): string =>
    text.replace(/r(\d+)/g, (_, index) => `(?:${inline(rules[index]!)})`).replaceAll(/["\s]/g, "");
  return new RegExp(`^${inline(whole)}$`);
}

const largestCount = (text: string): number =>
  Math.max(...[...text.matchAll(/\d+(?=[,}])/g)].map(([count]) => +count));

test("a split repetition accepts the same counts", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 3_000 }),
      fc.option(fc.integer({ min: 0, max: 3_000 }), { nil: undefined }),
      fc.integer({ min: -2, max: 2 }),
      (min, more, by) => {
        const max = more === undefined ? "" : min + more;
        const split = splitToRegExp(`"x" ("a"){${min},${max}} "y"`);
        for (const count of [min + by, min + (more ?? 100) + by].filter((count) => count >= 0)) {
          const isCounted = count >= min && (more === undefined || count <= min + more);
          expect(split.test(`x${"a".repeat(count)}y`), `${min} to ${max}: ${count}`).toBe(isCounted);
        }
      },
    ),
  );
});

test("a nested group is repeated as a whole, and braces in literals stay as they are", () => {
  const nested = splitToRegExp('(("a"){50} "b"){41}');
  const once = `${"a".repeat(50)}b`;
  expect(nested.test(once.repeat(41))).toBe(true);
  expect(nested.test(once.repeat(40))).toBe(false);
  expect(nested.test(`${once.repeat(40)}${"a".repeat(49)}b`)).toBe(false);
  const text = '"{9999}" [{9999}] (x){2,40}';
  expect(splitRepetitions(text, () => expect.unreachable())).toBe(text);
});

test("a schema's grammar has no count above the limit", () => {
  const check = checkSchema({
    type: "object",
    properties: {
      text: { type: "string", minLength: 3_000, maxLength: 100_000 },
      list: { type: "array", items: { type: "integer" }, minItems: 1_200, maxItems: 5_000 },
    },
    required: ["text", "list"],
    additionalProperties: false,
  });
  if (!check.ok) throw new Error(check.message);
  const gbnf = toGbnf({ type: "grammar", ebnf: schemaGrammar(check.schema) });
  expect(largestCount(gbnf)).toBeLessThanOrEqual(40);
});
