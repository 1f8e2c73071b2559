import { argumentsText } from "../call-text.ts";
import { respaceJson } from "../python-json.ts";
import type { ToolFormat } from "./tool-format.ts";

const LIST = { open: "<|tool_calls_section_begin|>", close: "<|tool_calls_section_end|>" };
const CALL = { open: "<|tool_call_begin|>", close: "<|tool_call_end|>" };
const PREFIX = "functions.";
const ARGUMENTS = "<|tool_call_argument_begin|>";

const callId = (name: string, index: number): string => `${PREFIX}${name}:${index}`;

/** Kimi K2: the id of a call, which holds its name, and JSON between tokens. */
export const kimi: ToolFormat = {
  name: "kimi",
  // Its first template writes no calls.
  matches: (template) =>
    template.includes(ARGUMENTS) || template.includes("<|im_system|>tool_declare<|im_middle|>"),
  callFormat: {
    open: [CALL.open],
    close: [CALL.close],
    bare: false,
    // It also writes the first token in the singular (vLLM's parser reads both).
    around: [LIST.open, "<|tool_call_section_begin|>", LIST.close, "<|tool_call_section_end|>"],
    // Kimi K2 Thinking calls tools within thoughts (vLLM's reasoning parser ends them there).
    endsThought: { before: `${LIST.open}${CALL.open}${PREFIX}`, after: ":" },
    body: { kind: "named", syntax: { before: PREFIX, id: ":", between: ARGUMENTS, after: "" } },
  },
  // xgrammar rejects an empty separator, so the tokens between two calls are one.
  callSyntax: {
    trigger: LIST.open,
    begin: (name) => `${PREFIX}${name}:`,
    head: `root ::= [0-9] [0-9]? [0-9]? "${ARGUMENTS}"`,
    end: "",
    separator: `${CALL.close}${CALL.open}`,
    list: { open: `${LIST.open}${CALL.open}`, close: `${CALL.close}${LIST.close}` },
  },
  callId,
  write: (calls) => {
    const written = calls.map((call, index) => {
      const id = call.id.startsWith(PREFIX) ? call.id : callId(call.name, index);
      return `${CALL.open}${id}${ARGUMENTS}${respaceJson(argumentsText(call))}${CALL.close}`;
    });
    return `${LIST.open}${written.join("")}${LIST.close}`;
  },
};
