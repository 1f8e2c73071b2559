import { beginsCall, jsonCalls } from "./json-call.ts";
import type { ToolFormat } from "./tool-format.ts";

/**
 * Llama 3: `{"name": …, "parameters": {…}}` or `f.call(key="value")`, optionally after `<|python_tag|>`, separated by
 * `;`, or in a code fence.
 */
export const llama: ToolFormat = {
  name: "llama",
  matches: (template) =>
    template.includes("<|python_tag|>") || template.includes(`"parameters": dictionary of argument name`),
  callFormat: {
    open: ["<|python_tag|>", "```json", "```\n"],
    close: ["```"],
    bare: true,
    // Llama 4's template writes both before calls without a text.
    around: ["<|python_start|>", "<|python_end|>"],
    inline: ['{"name": "', '{"type": "function"'],
    separator: ";",
    body: { kind: "json-or-python" },
  },
  ...jsonCalls("", "", "; ", { key: "parameters", trigger: beginsCall }),
};
