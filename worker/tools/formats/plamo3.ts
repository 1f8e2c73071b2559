import { argumentsText } from "../call-text.ts";
import { respaceJson } from "../python-json.ts";
import type { ToolFormat } from "./tool-format.ts";

const begin = (tag: string): string => `<|plamo:begin_${tag}:plamo|>`;
const end = (tag: string): string => `<|plamo:end_${tag}:plamo|>`;

const LIST = { open: begin("tool_requests"), close: end("tool_requests") };
const CALL = { open: begin("tool_request"), close: end("tool_request") };
const NAME = { open: begin("tool_name"), close: end("tool_name") };
const BEFORE_TYPE = NAME.close + begin("tool_arguments");
const BEFORE_JSON = "<|plamo:constrain|>json<|plamo:msg|>";
const AFTER_JSON = end("tool_arguments");

const beginsCall = (name: string): string => NAME.open + name + BEFORE_TYPE + BEFORE_JSON;

/** PLaMo 3: the name and JSON in tags of their own. */
export const plamo3: ToolFormat = {
  name: "plamo-3",
  // A template may build its tags.
  matches: (template) =>
    ["<|plamo:", "tool_requests", "tool_name", "tool_arguments"].every((part) => template.includes(part)),
  callFormat: {
    open: [CALL.open],
    close: [CALL.close],
    bare: false,
    around: [LIST.open, LIST.close],
    endsThought: { before: LIST.open + CALL.open + NAME.open, after: NAME.close },
    body: {
      kind: "named",
      syntax: { before: NAME.open, between: BEFORE_TYPE + BEFORE_JSON, after: AFTER_JSON },
    },
  },
  // xgrammar rejects an empty separator, so the tags between two calls are one.
  callSyntax: {
    trigger: LIST.open,
    begin: beginsCall,
    end: AFTER_JSON,
    separator: CALL.close + CALL.open,
    list: { open: LIST.open + CALL.open, close: CALL.close + LIST.close },
  },
  write: (calls) => {
    const written = calls.map(
      (call) =>
        CALL.open + beginsCall(call.name) + respaceJson(argumentsText(call)) + AFTER_JSON + CALL.close,
    );
    return LIST.open + written.join("") + LIST.close;
  },
};
