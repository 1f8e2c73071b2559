import { jsonCalls } from "./json-call.ts";
import type { ToolFormat } from "./tool-format.ts";

const OPEN = "function call<|role_sep|>";
const END = "<|message_sep|>";

/** GigaChat 3: a message of its own, `function call<|role_sep|>{"name": …, "arguments": {…}}`. */
export const gigachat: ToolFormat = {
  name: "gigachat",
  matches: (template) => template.includes("<|role_sep|>") && /function call['"<]/.test(template),
  // The end of the message before is no text.
  callFormat: { open: [OPEN, `${END}\n\n${OPEN}`], close: [END], bare: false },
  ...jsonCalls(`${OPEN}\n`, END, "\n\n"),
};

const CALL = "<|function_call|>";

/** GigaChat 3.1: a token in the assistant's message, `<|function_call|>{"name": …, "arguments": {…}}`. */
export const gigachat31: ToolFormat = {
  name: "gigachat-3.1",
  matches: (template) => template.includes(CALL),
  callFormat: { open: [CALL], close: [END], bare: false },
  ...jsonCalls(CALL, "", ""),
};
