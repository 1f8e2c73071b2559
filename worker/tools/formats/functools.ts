import { jsonList } from "./json-call.ts";
import type { ToolFormat } from "./tool-format.ts";

const OPEN = "functools[";

/** FireFunction, and Phi-4-mini with vLLM's template: `functools[{"name": …, "arguments": {…}}]`, or the list alone. */
export const functools: ToolFormat = {
  name: "functools",
  matches: (template) => template.includes(OPEN),
  callFormat: { open: ["functools"], close: [], bare: true },
  // The word alone is also a module of Python.
  ...jsonList("functools", "", OPEN),
};
