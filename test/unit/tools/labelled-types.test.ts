/** Kimi K3 writes the type of each argument in front of its value: the two agree in calls that are enforced. */

import { expect, test } from "vitest";
import { checkTools } from "../../../worker/tools/check-tools.ts";
import { constrainCalls } from "../../../worker/tools/constraints.ts";
import { kimiK3 } from "../../../worker/tools/formats/kimi-k3.ts";
import { GrammarEngine } from "../../support/xgrammar.ts";

const VALUES = ["text", 5, true, null, [1], { b: 1 }];
const TYPES = ["string", "number", "boolean", "null", "array", "object"];

test.each([
  ["any value", {}],
  ["a union", { anyOf: TYPES.map((type) => ({ type })) }],
  ["an enum", { enum: VALUES }],
])("%s has the type that its label says", async (_name, schema) => {
  const parameters = { type: "object", properties: { a: schema }, required: ["a"] };
  const tool = { type: "function", function: { name: "f", parameters } } as const;
  const check = checkTools([tool], undefined, kimiK3.callSyntax.dialect);
  if (!check.ok) throw new Error(check.message);
  const constraint = constrainCalls(kimiK3.callSyntax, {
    choice: { mode: "named", name: "f" },
    tools: check.tools,
  })!;
  const written = VALUES.map((a) =>
    kimiK3.write([{ id: "call_1", name: "f", arguments: JSON.stringify({ a }) }]),
  );
  // Text may be anything, so its label is kept.
  const wrong = written.slice(1).flatMap((call, at) =>
    TYPES.slice(1)
      .filter((type) => type !== TYPES[at + 1])
      .map((type) => call.replace(/ type="\w+"/, ` type="${type}"`)),
  );
  const engine = await GrammarEngine.load();
  const verdicts = await engine.judge(constraint, [...written, ...wrong]);
  expect(verdicts.map((verdict) => verdict === "match")).toEqual([
    ...written.map(() => true),
    ...wrong.map(() => false),
  ]);
});
