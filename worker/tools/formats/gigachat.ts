import { jsonCall, jsonSyntax } from "./json-call.ts";
import type { ToolFormat } from "./tool-format.ts";

const OPEN = "function call<|role_sep|>";
const END = "<|message_sep|>";

/** GigaChat 3: a message of its own, `function call<|role_sep|>{"name": …, "arguments": {…}}`. */
export const gigachat: ToolFormat = {
  name: "gigachat",
  matches: (template) => template.includes("<|role_sep|>") && /function call['"<]/.test(template),
  // The end of the message before is no text.
  callFormat: { open: [OPEN, `${END}\n\n${OPEN}`], close: [END], bare: false },
  callSyntax: jsonSyntax(`${OPEN}\n`, END, "\n\n"),
  write: (calls) => calls.map((call) => `${OPEN}\n${jsonCall(call)}${END}`).join("\n\n"),
};
