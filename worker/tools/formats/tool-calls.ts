import { jsonList } from "./json-call.ts";
import type { ToolFormat } from "./tool-format.ts";

/** Jamba, Hunyuan A13B, Apriel: `<tool_calls>[{"name": …, "arguments": {…}}]</tool_calls>`. */
export const toolCalls: ToolFormat = {
  name: "tool-calls",
  matches: (template) => /<tool_calls>(?:\\n|[\s'"{}%~+-])*\[/.test(template),
  callFormat: {
    open: ["<tool_calls>"],
    close: ["</tool_calls>"],
    bare: false,
    // Apriel may leave out the end of its thought.
    endsThought: { before: '<tool_calls>[{"name": "', after: '", "arguments": {' },
  },
  ...jsonList("<tool_calls>", "</tool_calls>"),
};
