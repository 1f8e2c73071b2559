import { jsonCalls } from "./json-call.ts";
import type { ToolFormat } from "./tool-format.ts";

const TOKENS = ["<|action_start|>", "<|plugin|>"];
const OPEN = TOKENS.join("");
const CLOSE = "<|action_end|>";

/** InternLM 2 and 2.5, Intern-S1: `<|action_start|><|plugin|>{"name": …, "parameters": {…}}<|action_end|>`. */
export const internlm: ToolFormat = {
  name: "internlm",
  matches: (template) => TOKENS.every((token) => template.includes(token)),
  // Decoders may put a space between the tokens (vLLM's parser of Intern-S1 reads both).
  callFormat: { open: [OPEN, TOKENS.join(" ")], close: [CLOSE], bare: false },
  ...jsonCalls(`${OPEN}\n`, CLOSE, "\n", { key: "parameters" }),
};
