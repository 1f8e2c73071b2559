import type { ElementTags } from "../../json-schema/arguments/element-arguments.ts";
import { elements } from "./elements.ts";
import type { ToolFormat } from "./tool-format.ts";

const CALL = { open: "<|tool_call:start|>", close: "<|tool_call:end|>" };
const BETWEEN = `${CALL.close}\n${CALL.open}`;
const VALUE = "<|tool_arg:value|>";
const END = "<|tool_arg:end|>";
const TAGS: ElementTags = { before: "<|tool_arg:start|>", after: VALUE, end: `${END}\n` };
const begin = (name: string): string => `${name}\n`;

/** Solar Open 2: a name on a line and arguments between tokens. */
export const solar2: ToolFormat = {
  name: "solar-2",
  matches: (template) => [CALL.open, TAGS.before, VALUE].every((mark) => template.includes(mark)),
  callFormat: {
    open: [CALL.open],
    close: [CALL.close],
    bare: false,
    endsThought: { before: CALL.open, after: "\n" },
    body: {
      kind: "xml",
      syntax: {
        call: { before: "", after: "" },
        member: { before: TAGS.before, after: VALUE },
        memberEnd: END,
        end: "",
        isOnLines: false,
        isEscaped: false,
      },
    },
  },
  callSyntax: { trigger: CALL.open, begin, end: "", separator: BETWEEN, dialect: TAGS, list: CALL },
  write: (calls) => {
    const written = calls.map((one) => begin(one.name) + elements(one, TAGS));
    return CALL.open + written.join(BETWEEN) + CALL.close;
  },
};
