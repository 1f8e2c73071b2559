/** Enums whose texts begin alike, in every way to write arguments that is not JSON. */

import { expect, test } from "vitest";
import { checkTools } from "../../../worker/tools/check-tools.ts";
import { constrainCalls } from "../../../worker/tools/constraints.ts";
import { functionGemma, gemma4 } from "../../../worker/tools/formats/function-gemma.ts";
import { glm47 } from "../../../worker/tools/formats/glm.ts";
import { kimiK3 } from "../../../worker/tools/formats/kimi-k3.ts";
import { minimaxM3 } from "../../../worker/tools/formats/minimax-m3.ts";
import { xml } from "../../../worker/tools/formats/xml.ts";
import { GrammarEngine } from "../../support/xgrammar.ts";

test.each([xml, glm47, kimiK3, minimaxM3, functionGemma, gemma4])(
  "$name: only the values of an enum are accepted",
  async (format) => {
    const values = ["xb", "abb", "abbb", "abbbb", "", 1, 11, 111, ["xb"]];
    const parameters = {
      type: "object",
      properties: { a: { enum: values } },
      required: ["a"],
      additionalProperties: false,
    };
    const tool = { type: "function", function: { name: "f", strict: true, parameters } } as const;
    const check = checkTools([tool], undefined, format.callSyntax.dialect);
    if (!check.ok) throw new Error(check.message);
    const constraint = constrainCalls(format.callSyntax, {
      choice: { mode: "named", name: "f" },
      tools: check.tools,
    })!;
    const wrong = ["abbbbbbbb", "xbbb", "abbbbb", "x", "ab", 1111, 2, ["abb"]];
    const calls = [...values, ...wrong].map((a) =>
      format.write([{ id: "call_1", name: "f", arguments: JSON.stringify({ a }) }]),
    );
    const engine = await GrammarEngine.load();
    const accepted = (await engine.judge(constraint, calls)).map((verdict) => verdict === "match");
    expect(accepted).toEqual([...values.map(() => true), ...wrong.map(() => false)]);
  },
);
