import { jsonList } from "./json-call.ts";
import type { ToolFormat } from "./tool-format.ts";

const OPEN = "<|tool_call_start|>";
const CLOSE = "<|tool_call_end|>";

/** openPangu 2: `<|tool_call_start|>[{"name": …, "arguments": {…}}]<|tool_call_end|>`. */
export const pangu: ToolFormat = {
  name: "pangu",
  // LFM2's calls between the same markers are Python.
  matches: (template) => template.includes("<|pangu_text_start|>") && template.includes(OPEN),
  callFormat: {
    open: [OPEN],
    close: [CLOSE],
    bare: false,
    // Its models may leave out the end of the thought (the parser of openPangu-2.0-Infer reads both).
    endsThought: { before: `${OPEN}[{"name": "`, after: '", "arguments": {' },
  },
  ...jsonList(OPEN, CLOSE),
};
