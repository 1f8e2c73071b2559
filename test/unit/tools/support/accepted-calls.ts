/** What xgrammar says of calls that a format enforces. */

import { checkTools } from "../../../../worker/tools/check-tools.ts";
import { constrainCalls } from "../../../../worker/tools/constraints.ts";
import type { ToolFormat } from "../../../../worker/tools/formats/tool-format.ts";
import type { ToolDefinition } from "../../../../worker/tools/tool-types.ts";
import { GrammarEngine } from "../../../support/xgrammar.ts";

/** A call of `f` whose argument `a` has the value. */
export const callWith = (format: ToolFormat, a: unknown): string =>
  format.write([{ id: "call_1", name: "f", arguments: JSON.stringify({ a }) }]);

/** For each call of `f`, whether it is accepted where the argument `a` has the schema. */
export async function acceptedCalls(
  format: ToolFormat,
  schema: object,
  calls: readonly string[],
  { strict = false } = {},
): Promise<boolean[]> {
  const parameters = {
    type: "object",
    properties: { a: schema },
    required: ["a"],
    ...(strict ? { additionalProperties: false } : {}),
  };
  const tool = { type: "function", function: { name: "f", strict, parameters } } as const;
  return acceptedTexts(tool, format, calls);
}

/** For each text, whether it is a call of the tool `f` and no other text. */
export async function acceptedTexts(
  tool: ToolDefinition,
  { callSyntax }: ToolFormat,
  texts: readonly string[],
): Promise<boolean[]> {
  const check = checkTools([tool], undefined, callSyntax.dialect);
  if (!check.ok) throw new Error(`${check.code} ${check.param} ${check.message}`);
  const choice = { mode: "named", name: "f" } as const;
  const constraint = constrainCalls(callSyntax, { choice, tools: check.tools })!;
  const verdicts = await (await GrammarEngine.load()).judge(constraint, [...texts]);
  return verdicts.map((verdict) => verdict === "match");
}
