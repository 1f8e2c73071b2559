import { jsonList } from "./json-call.ts";
import type { ToolFormat } from "./tool-format.ts";

/** Granite 3: `<|tool_call|>[{"name": …, "arguments": {…}}]`. */
export const granite: ToolFormat = {
  name: "granite",
  matches: (template) => template.includes("<|start_of_role|>") && template.includes("<|tool_call|>"),
  // Granite 3.1 writes `<tool_call>`; a reply may begin with the list alone (vLLM's parser reads all).
  callFormat: { open: ["<|tool_call|>", "<tool_call>"], close: [], bare: false, unmarked: [""] },
  ...jsonList("<|tool_call|>", ""),
};
