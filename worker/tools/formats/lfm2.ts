import { pythonCall } from "./python-call.ts";
import type { ToolFormat } from "./tool-format.ts";

/** LFM2 and LFM2.5, whose template lists tools without a token: `<|tool_call_start|>[f(key="value")]<|tool_call_end|>`. */
export const lfm2: ToolFormat = {
  name: "lfm2",
  matches: (template) =>
    /<\|tool_(list|call)_start\|>|List of tools: (\[|["'] *[+~] *\(?tools\b)/.test(template),
  callFormat: {
    open: ["<|tool_call_start|>"],
    close: ["<|tool_call_end|>"],
    bare: false,
    // LFM2.5 omits the marker at the beginning of replies (llama.cpp's pull request 21242).
    unmarked: [""],
    endsThought: { before: "<|tool_call_start|>[", after: "(" },
    // JSON where a system message asks for it (LiquidAI's documentation).
    body: { kind: "json-or-python" },
  },
  callSyntax: {
    trigger: "<|tool_call_start|>",
    begin: (name) => `${name}(`,
    end: ")",
    separator: ", ",
    list: { open: "<|tool_call_start|>[", close: "]<|tool_call_end|>" },
    dialect: "python",
  },
  write: (calls) =>
    `<|tool_call_start|>[${calls.map((call) => pythonCall(call)).join(", ")}]<|tool_call_end|>`,
};
