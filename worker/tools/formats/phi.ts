import { jsonCalls } from "./json-call.ts";
import type { ToolFormat } from "./tool-format.ts";

/** Phi-4-mini: `<|tool_call|>` around one call or a list, `functools[…]`, or the list alone. */
export const phi: ToolFormat = {
  name: "phi",
  matches: (template) => template.includes("<|tool|>"),
  callFormat: { open: ["<|tool_call|>", "functools"], close: ["<|/tool_call|>"], bare: true },
  ...jsonCalls("<|tool_call|>", "<|/tool_call|>", ""),
};
