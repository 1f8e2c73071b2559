import { beginsCall, jsonCalls } from "./json-call.ts";
import type { ToolFormat } from "./tool-format.ts";

/** Gemma 2 and 3, whose templates have no tools: plain JSON, or in a code fence. Never recognised. */
export const gemma: ToolFormat = {
  name: "gemma",
  matches: () => false,
  callFormat: {
    open: ["```json", "```tool_code"],
    close: ["```"],
    bare: true,
    inline: ['{"name": "', '{"type": "function"'],
    body: { kind: "json-or-python" },
  },
  ...jsonCalls("", "", "\n", { key: "parameters", trigger: beginsCall }),
};
