import { jsonList, jsonListSyntax } from "./json-call.ts";
import type { ToolFormat } from "./tool-format.ts";

const { trigger: _, ...LISTED } = jsonListSyntax("", "");

/** xLAM: the list alone, `[{"name": …, "arguments": {…}}]`, or in a code fence (vLLM's parser reads both). */
export const list: ToolFormat = {
  name: "list",
  matches: (template) => template.includes("make calls in a single JSON array"),
  callFormat: { open: ["```json"], close: ["```"], bare: true },
  callSyntax: LISTED,
  write: jsonList,
};
