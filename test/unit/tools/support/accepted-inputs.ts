import type { InputFormat } from "../../../../worker/json-schema/input-format.ts";
import { checkTools } from "../../../../worker/tools/check-tools.ts";
import { constrainCalls } from "../../../../worker/tools/constraints.ts";
import { customCall, customDefinition } from "../../../../worker/tools/custom/custom-tool.ts";
import { hermes } from "../../../../worker/tools/formats/hermes.ts";
import type { ToolFormat } from "../../../../worker/tools/formats/tool-format.ts";
import { GrammarEngine } from "../../../support/xgrammar.ts";

/** Which of the inputs a custom tool with this format may be called with, and no other text, as xgrammar enforces it. */
export async function acceptedInputs(
  format: InputFormat,
  inputs: readonly string[],
  calls: ToolFormat = hermes,
): Promise<boolean[]> {
  const check = checkTools([customDefinition({ name: "f", format })], undefined, calls.callSyntax.dialect);
  if (!check.ok) throw new Error(`${check.code} ${check.param} ${check.message}`);
  const constraint = constrainCalls(calls.callSyntax, {
    choice: { mode: "named", name: "f" },
    tools: check.tools,
  })!;
  const texts = inputs.map((input) => calls.write([customCall("call_1", "f", input)]));
  const engine = await GrammarEngine.load();
  return (await engine.judge(constraint, texts)).map((verdict) => verdict === "match");
}
