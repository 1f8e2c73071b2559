/** `minLength` and `maxLength` beside `pattern` and `format`. */

import { beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { schemaGrammar } from "../../../worker/json-schema/grammar/grammar.ts";
import { checkSchema } from "../../../worker/json-schema/json-schema.ts";
import { fc } from "../../support/random.ts";
import { GrammarEngine } from "../../support/xgrammar.ts";

let engine: GrammarEngine;
beforeAll(async () => {
  engine = await GrammarEngine.load();
});

const string = (fields: object) => ({ type: "string", ...fields });
const strict = (...members: object[]) => ({
  type: "object",
  properties: Object.fromEntries(members.map((one, at) => [`p${at}`, one])),
  required: members.map((_, at) => `p${at}`),
  additionalProperties: false,
});

const piece = fc
  .tuple(
    fc.constantFrom("[é日]", "[a-c]", ".", '"', "\\\\", "a", "😀", "(?:ab|c)", "[^]"),
    fc.constantFrom("", "*", "+", "?", "{1,3}"),
  )
  .map((parts) => parts.join(""));
const pattern = fc.array(piece, { minLength: 1, maxLength: 3 }).map((parts) => `^${parts.join("")}$`);
const value = fc.string({
  unit: fc.constantFrom("é", "日", "😀", "a", "b", "c", "\n", '"', "\\"),
  maxLength: 6,
});

it("exactly the matches of such a length are generated", async () => {
  await fc.assert(
    fc.asyncProperty(
      pattern,
      fc.nat({ max: 3 }),
      fc.option(fc.nat({ max: 3 })),
      fc.array(value, { minLength: 8, maxLength: 20 }),
      async (source, minLength, more, values) => {
        const max = more === null ? undefined : minLength + more;
        const check = checkSchema(
          string({ pattern: source, minLength, ...(max === undefined ? {} : { maxLength: max }) }),
        );
        const regex = new RegExp(source, "u");
        const fits = (text: string): boolean => {
          const { length } = Array.from(text);
          return regex.test(text) && length >= minLength && length <= (max ?? length);
        };
        if (!check.ok) {
          expect(values.some(fits)).toBe(false);
          return;
        }
        const texts = values.map((one) => JSON.stringify(one));
        const verdicts = await engine.judge({ type: "grammar", ebnf: schemaGrammar(check.schema) }, texts);
        expect(values.filter((_, at) => verdicts[at] === "match")).toEqual(values.filter(fits));
      },
    ),
    { numRuns: 150 },
  );
});

it("what Zod writes is a strict schema", () => {
  const slug = z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .min(3)
    .max(64);
  const schema = z.toJSONSchema(z.object({ slug }));
  expect(schema.properties?.slug).toMatchObject({ minLength: 3, maxLength: 64 });
  expect(checkSchema(schema, { strict: true }).ok).toBe(true);
});

it("too many states are refused where schemas are strict, else the lengths are ignored; equal ones count once", () => {
  const long = (maxLength: number) => string({ pattern: "^[a-z]+$", maxLength });
  expect(checkSchema(strict(long(900), long(900)), { strict: true }).ok).toBe(true);
  const both = strict(long(600), long(601));
  expect(checkSchema(both, { strict: true })).toMatchObject({
    ok: false,
    message: expect.stringContaining("the lengths need too many states."),
  });
  expect(checkSchema(both, { unsupported: "ignore" }).ok).toBe(true);
  const emails = Array.from({ length: 60 }, (_, at) => string({ format: "email", maxLength: 100 + at }));
  expect(checkSchema(strict(...emails), { unsupported: "ignore" }).ok).toBe(true);
});

it("a format's maximum length beyond 250 is taken as 250, so that Pydantic's URLs are strict", async () => {
  const url = string({ format: "uri", minLength: 1, maxLength: 2083 });
  const check = checkSchema(strict(url, url), { strict: true });
  if (!check.ok) throw new Error(check.message);
  const texts = [250, 251].map((length) => {
    const long = `https://a.example/${"x".repeat(length)}`.slice(0, length);
    return JSON.stringify({ p0: long, p1: "a:b" });
  });
  const verdicts = await engine.judge({ type: "grammar", ebnf: schemaGrammar(check.schema) }, texts);
  expect(verdicts).toEqual(["match", "no"]);
});

it("a text or an array of thousands may go on: the engine's memory grows with its length only", async () => {
  const length = 12_000;
  const string = { type: "string", minLength: length };
  const array = { type: "array", items: { type: "null" }, minItems: length };
  const cases = [
    [string, (count: number) => JSON.stringify("é".repeat(count))],
    [array, (count: number) => JSON.stringify(Array(count).fill(null))],
  ] as const;
  for (const [schema, write] of cases) {
    const check = checkSchema(schema);
    if (!check.ok) throw new Error(check.message);
    const texts = [write(length), write(length + 100), write(length - 1)];
    const verdicts = await engine.judge({ type: "grammar", ebnf: schemaGrammar(check.schema) }, texts);
    expect(verdicts).toEqual(["match", "match", "no"]);
  }
});
