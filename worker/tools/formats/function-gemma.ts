import { escapedValue } from "../../json-schema/arguments/escaped-value.ts";
import { argumentMembers } from "../call-text.ts";
import type { ToolFormat } from "./tool-format.ts";

const FUNCTION_GEMMA = callsBetween("<start_function_call>", "<end_function_call>", "<escape>", "escaped");

/** FunctionGemma: `<start_function_call>call:f{key:<escape>value<escape>}<end_function_call>`. */
export const functionGemma: ToolFormat = {
  name: "function-gemma",
  matches: (template) => template.includes("<start_function_call>"),
  ...FUNCTION_GEMMA,
  // The model's second end token, which a GGUF file does not name.
  callFormat: { ...FUNCTION_GEMMA.callFormat, results: ["<start_function_response>"] },
};

const GEMMA_4 = callsBetween("<|tool_call>", "<tool_call|>", '<|"|>', "quoted");

/** Gemma 4: `<|tool_call>call:f{key:<|"|>value<|"|>}<tool_call|>`. */
export const gemma4: ToolFormat = {
  name: "gemma-4",
  matches: (template) => template.includes("<|tool_call>call:"),
  ...GEMMA_4,
  callFormat: {
    ...GEMMA_4.callFormat,
    results: ["<|tool_response>"],
    // After a thought it omits the marker (vLLM's issue 54256).
    inline: ["call:"],
    // It calls tools within thoughts (ollama's issue 18307).
    endsThought: { before: "<|tool_call>call:", after: "{" },
  },
};

function callsBetween(
  open: string,
  close: string,
  quote: string,
  dialect: "escaped" | "quoted",
): Pick<ToolFormat, "callFormat" | "callSyntax" | "write"> {
  return {
    callFormat: { open: [open], close: [close], bare: false, body: { kind: "escaped", quote } },
    callSyntax: {
      trigger: open,
      begin: (name) => `${open}call:${name}{`,
      end: `}${close}`,
      separator: "",
      dialect,
    },
    write: (calls) =>
      calls
        .map((call) => `${open}call:${call.name}${escapedValue(argumentMembers(call), quote)}${close}`)
        .join(""),
  };
}
