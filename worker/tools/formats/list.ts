import { beginsCall, jsonList } from "./json-call.ts";
import type { ToolFormat } from "./tool-format.ts";

/**
 * xLAM, Cogito 3B and 8B: the list alone, `[{"name": …, "arguments": {…}}]`, or in a code fence (vLLM's parser reads
 * both), or in the markers of Cogito's other models.
 */
export const list: ToolFormat = {
  name: "list",
  matches: (template) =>
    template.includes("make calls in a single JSON array") ||
    template.includes("Enable deep thinking subroutine."),
  callFormat: { open: ["```json", "<tool_call>"], close: ["```", "</tool_call>"], bare: true },
  ...jsonList("", "", beginsCall),
};
