import { jsonCalls } from "./json-call.ts";
import type { ToolFormat } from "./tool-format.ts";

/** Other calls in the same markers: GLM's and Laguna's, MiniMax M3's, and calls in `<tool_calls>`. */
const OTHERS = /<arg_key>|<invoke |<tool_calls>/;

/**
 * Hermes, Qwen2.5, Qwen3, Granite 4, SmolLM3: `<tool_call>{"name": …, "arguments": {…}}</tool_call>`. Qwen2.5-Coder,
 * whatever its prompt asks for, also begins with the object alone, in `<tools>` or in a fence (vLLM's issue 32926).
 */
export const hermes: ToolFormat = {
  name: "hermes",
  matches: (template) => template.includes("<tool_call>") && !OTHERS.test(template),
  callFormat: {
    open: ["<tool_call>"],
    close: ["</tool_call>", "</tools>", "```"],
    bare: false,
    unmarked: ["", "<tools>", "```json", "```\n"],
    // Qwen3 calls tools within thoughts (vLLM's issue 35687).
    endsThought: { before: '<tool_call>\n{"name": "', after: '", "arguments": {' },
  },
  ...jsonCalls("<tool_call>\n", "\n</tool_call>", "\n"),
};
