import { customDefinition } from "../../../../worker/endpoints/params/custom-definition.ts";
import type { InputFormat } from "../../../../worker/json-schema/input-format.ts";
import { customCall } from "../../../../worker/tools/custom/custom-call.ts";
import { hermes } from "../../../../worker/tools/formats/hermes.ts";
import type { ToolFormat } from "../../../../worker/tools/formats/tool-format.ts";
import { acceptedTexts } from "./accepted-calls.ts";

/** Which of the inputs a custom tool with this format may be called with, and no other text, as xgrammar enforces it. */
export async function acceptedInputs(
  format: InputFormat,
  inputs: readonly string[],
  calls: ToolFormat = hermes,
): Promise<boolean[]> {
  const texts = inputs.map((input) => calls.write([customCall("call_1", "f", input)]));
  return acceptedTexts(customDefinition({ name: "f", format }), calls, texts);
}
