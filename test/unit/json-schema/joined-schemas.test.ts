/** What several schemas for one value allow, with `allOf` or beside a reference. */

import { expect, it } from "vitest";
import { schemaGrammar } from "../../../worker/json-schema/grammar/grammar.ts";
import { checkSchema } from "../../../worker/json-schema/json-schema.ts";
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
