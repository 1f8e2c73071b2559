import { argumentsText } from "../call-text.ts";
import { respaceJson } from "../python-json.ts";
import type { ToolFormat } from "./tool-format.ts";

/**
 * Ministral 3 and Devstral: `[TOOL_CALLS]name[ARGS]{…}`, once for each call; Mistral Small 3.2 may write
 * `[CALL_ID]` and nine letters and digits after the name.
 */
export const mistralNamed: ToolFormat = {
  name: "mistral-named",
  matches: (template) => template.includes("[TOOL_CALLS]") && template.includes("[ARGS]"),
  callFormat: {
    open: ["[TOOL_CALLS]"],
    close: [],
    bare: false,
    // Ministral 3 calls tools within thoughts (llama.cpp's issue 29248). `[ARGS]` or `[CALL_ID]` follows the name.
    endsThought: { before: "[TOOL_CALLS]", after: "[" },
    body: { kind: "named", syntax: { before: "", id: "[CALL_ID]", between: "[ARGS]", after: "" } },
  },
  callSyntax: {
    trigger: "[TOOL_CALLS]",
    begin: (name) => `[TOOL_CALLS]${name}`,
    head: 'root ::= ("[CALL_ID]" [A-Za-z0-9]{9})? "[ARGS]"',
    end: "",
    separator: "",
  },
  write: (calls) =>
    calls.map((call) => `[TOOL_CALLS]${call.name}[ARGS]${respaceJson(argumentsText(call))}`).join(""),
};
