import { jsonCalls } from "./json-call.ts";
import type { ToolFormat } from "./tool-format.ts";

const LIST = { open: "<tool_calls>\n", close: "\n</tool_calls>" };
const JSON_LINES = jsonCalls("", "", "\n", { trigger: LIST.open.trim() });

/** MiniMax M1: one `{"name": …, "arguments": {…}}` in each line, in `<tool_calls>`. */
export const minimaxM1: ToolFormat = {
  name: "minimax-m1",
  matches: (template) => /<tool_calls>(?:\\n|[\s'"{}%~+-])*\{\\?"name\\?"/.test(template),
  callFormat: { open: ["<tool_calls>"], close: ["</tool_calls>"], bare: false },
  callSyntax: { ...JSON_LINES.callSyntax, list: LIST },
  write: (calls) => LIST.open + JSON_LINES.write(calls) + LIST.close,
};
