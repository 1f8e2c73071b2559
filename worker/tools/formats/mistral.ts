import { jsonList } from "./json-call.ts";
import type { ToolFormat } from "./tool-format.ts";

/** Mistral v0.3 and Nemo: `[TOOL_CALLS][{"name": …, "arguments": {…}}, …]`. */
export const mistral: ToolFormat = {
  name: "mistral",
  matches: (template) => template.includes("[TOOL_CALLS]") && !template.includes("[ARGS]"),
  // The 7B model omits the marker at the beginning of replies (Ollama's parser reads that too).
  callFormat: { open: ["[TOOL_CALLS]"], close: [], bare: false, unmarked: [""] },
  ...jsonList("[TOOL_CALLS]", ""),
};
