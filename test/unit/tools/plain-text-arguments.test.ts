/** Grammars of arguments whose text is not quoted as JSON. */

import { beforeAll, describe, expect, test } from "vitest";
import { checkTools } from "../../../worker/tools/check-tools.ts";
import { constrainCalls } from "../../../worker/tools/constraints.ts";
import { deepseekV32 } from "../../../worker/tools/formats/deepseek-dsml.ts";
import { functionGemma, gemma4 } from "../../../worker/tools/formats/function-gemma.ts";
import { glm45, glm47, hunyuan3, hunyuan3Open, longcat2 } from "../../../worker/tools/formats/glm.ts";
import { minimax } from "../../../worker/tools/formats/minimax.ts";
import { step3 } from "../../../worker/tools/formats/step3.ts";
import type { ToolFormat } from "../../../worker/tools/formats/tool-format.ts";
import { mimo, seedOss, xml } from "../../../worker/tools/formats/xml.ts";
import type { ToolCall, ToolChoice } from "../../../worker/tools/tool-types.ts";
import { fc } from "../../support/random.ts";
import { GrammarEngine, type Verdict } from "../../support/xgrammar.ts";

/** Format, and what ends its texts. */
const FORMATS = [
  [xml, "</parameter>"],
  [mimo, "</parameter>"],
  [seedOss, "</parameter>"],
  [minimax, "</parameter>"],
  [step3, "</steptml:parameter>"],
  [deepseekV32, "</｜DSML｜parameter>"],
  [glm45, "</arg_value>"],
  [glm47, "</arg_value>"],
  [functionGemma, "<escape>"],
  [gemma4, '<|"|>'],
] as const;

let engine: GrammarEngine;
beforeAll(async () => {
  engine = await GrammarEngine.load();
});

/** An object with exactly these members. */
const exactly = (properties: Record<string, object>) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

/** Verdicts on calls of a tool with one parameter `a`. */
function judge(
  format: ToolFormat,
  schema: object,
  values: unknown[],
  mode: "auto" | "required" = "required",
) {
  const parameters = { type: "object", properties: { a: schema }, required: ["a"] };
  const check = checkTools(
    [{ type: "function", function: { name: "f", parameters } }],
    undefined,
    format.callSyntax.dialect,
  );
  if (!check.ok) throw new Error(check.message);
  const calls = values.map((a) =>
    format.write([{ id: "call_1", name: "f", arguments: JSON.stringify({ a }) }]),
  );
  return engine.judge(constrainCalls(format.callSyntax, { choice: { mode }, tools: check.tools })!, calls);
}

describe.each(FORMATS)("$name", (format, end) => {
  test.each(["auto", "required"] as const)("%s: every text without its end is accepted", async (mode) => {
    const parts = fc.constantFrom(...end, end.slice(0, -1), end.slice(1), "<", "<<", "\n", "a", " ");
    const texts = fc.array(parts, { maxLength: 12 }).map((all) => all.join(""));
    const samples = fc.sample(texts, 300).filter((text) => {
      // No `</` before a character other than ASCII in DeepSeek's.
      const cut = /^[\0-\x7f]*./u.exec(end)![0];
      return !`${text}${end.slice(0, -1)}`.includes(end) && (cut === end || !`${text}x`.includes(cut));
    });
    const verdicts = await judge(
      format,
      { type: "string" },
      ["cat <<EOF > a", "cout << 1;", "a <", ...samples],
      mode,
    );
    expect(verdicts.filter((verdict) => verdict !== "match")).toEqual([]);
  });

  test.each<[object, unknown[], unknown[]]>([
    [{ type: ["integer", "null"] }, [5, null], ["many", "5 and more", 1.5]],
    [{ anyOf: [{ type: "integer" }, { type: "null" }] }, [5, null], ["many"]],
    [{ enum: [1, 2, "low"] }, [1, 2, "low"], [7, "many"]],
    [{ anyOf: [{ enum: ["low"] }, { type: "boolean" }] }, ["low", true], ["high", 3]],
    [{ anyOf: [{ type: "string" }, { type: "integer" }] }, ["x", 5], []],
    [{}, ["x", 5, null, true], []],
    [{ enum: [{ b: ["x", 1] }] }, [{ b: ["x", 1] }], [{ b: ["y", 1] }]],
    [{ type: "array", items: { type: ["string", "null"] } }, [["x", null], []], [[1], "x"]],
    [
      { anyOf: ["c", "d"].map((last) => exactly({ b: { type: "string" }, [last]: { type: "integer" } })) },
      [
        { b: "x", c: 1 },
        { b: "x", d: 1 },
      ],
      [{ b: "x" }, { b: "x", c: 1, d: 1 }],
    ],
  ])("%j is enforced", async (schema, right, wrong) => {
    const expected: Verdict[] = [...right.map(() => "match" as const), ...wrong.map(() => "no" as const)];
    expect(await judge(format, schema, [...right, ...wrong])).toEqual(expected);
  });
});

test.each([functionGemma, gemma4])("$name: what has no schema may be nested", async (format) => {
  expect(await judge(format, {}, [{ b: [1, "x", { c: null }], d: {} }])).toEqual(["match"]);
});

describe.each([
  xml,
  mimo,
  seedOss,
  minimax,
  step3,
  deepseekV32,
  glm45,
  glm47,
  longcat2,
  hunyuan3,
  hunyuan3Open,
])("$name", (format) => {
  const names = ["f", "f_all"];
  const call = (name: string, a: string) => ({ id: "call_1", name, arguments: JSON.stringify({ a }) });
  const [one, all] = [call("f", "x"), call("f_all", "x")];
  const wrong = { ...one, arguments: "{}" };

  test.each<[mode: ToolChoice["mode"], parallel: boolean, right: ToolCall[][], wrong: ToolCall[][]]>([
    ["required", true, [[one], [all, one, all]], [[], [wrong], [one, wrong], [call("g", "x")]]],
    ["required", false, [[one], [all]], [[], [one, all], [wrong]]],
    ["named", true, [[one]], [[], [all], [one, one]]],
    ["auto", true, [[], [one], [one, all]], [[wrong], [one, wrong]]],
    ["auto", false, [[], [one], [all]], [[wrong]]],
  ])("%s, parallel: %s", async (mode, parallel, right, wrong) => {
    const parameters = exactly({ a: { type: "string" } });
    const tools = names.map((name) => ({ type: "function", function: { name, parameters } }) as const);
    const check = checkTools(tools, undefined, format.callSyntax.dialect);
    if (!check.ok) throw new Error(check.message);
    const choice: ToolChoice = mode === "named" ? { mode, name: "f" } : { mode };
    const constraint = constrainCalls(format.callSyntax, { choice, tools: check.tools, parallel })!;
    const texts = [...right, ...wrong].map((calls) => (calls.length === 0 ? "Hi" : format.write(calls)));
    expect(await engine.judge(constraint, texts)).toEqual([
      ...right.map(() => "match"),
      ...wrong.map(() => "no"),
    ]);
  });
});
