import { beginsCall, jsonList } from "./json-call.ts";
import type { ToolFormat } from "./tool-format.ts";

/** In templates of xLAM, of Cogito 3B and 8B, and of Hammer 2.1. */
const SIGNS = [
  "make calls in a single JSON array",
  "Enable deep thinking subroutine.",
  "[BEGIN OF AVAILABLE_TOOLS]",
];

/**
 * The list alone, `[{"name": …, "arguments": {…}}]`, or in a code fence (vLLM's parser of xLAM's calls reads both; Hammer's
 * prompt shows one), or in the markers of Cogito's other models.
 */
export const list: ToolFormat = {
  name: "list",
  matches: (template) => SIGNS.some((sign) => template.includes(sign)),
  callFormat: { open: ["```json", "```\n", "<tool_call>"], close: ["```", "</tool_call>"], bare: true },
  ...jsonList("", "", beginsCall),
};
