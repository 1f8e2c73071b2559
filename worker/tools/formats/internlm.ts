import { jsonCalls } from "./json-call.ts";
import type { ToolFormat } from "./tool-format.ts";

const OPEN = "<|action_start|><|plugin|>";
const CLOSE = "<|action_end|>";

/** InternLM 2 and 2.5: `<|action_start|><|plugin|>{"name": …, "parameters": {…}}<|action_end|>`. */
export const internlm: ToolFormat = {
  name: "internlm",
  matches: (template) => template.includes(OPEN),
  callFormat: { open: [OPEN], close: [CLOSE], bare: false },
  ...jsonCalls(`${OPEN}\n`, CLOSE, "\n", { key: "parameters" }),
};
