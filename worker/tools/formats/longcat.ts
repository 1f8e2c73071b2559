import { jsonCalls } from "./json-call.ts";
import type { ToolFormat } from "./tool-format.ts";

const OPEN = "<longcat_tool_call>";
const CLOSE = "</longcat_tool_call>";

/** LongCat Flash: `<longcat_tool_call>{"name": …, "arguments": {…}}</longcat_tool_call>`. */
export const longcat: ToolFormat = {
  name: "longcat",
  // Its later models write the arguments as elements.
  matches: (template) => template.includes(OPEN) && !template.includes("<longcat_arg_key>"),
  callFormat: { open: [OPEN], close: [CLOSE], bare: false },
  ...jsonCalls(`${OPEN}\n`, `\n${CLOSE}`, "\n"),
};
