import { jsonLiteral, pythonCall } from "./python-call.ts";
import type { ToolFormat } from "./tool-format.ts";

const OPEN = "<|tool_call_start|>\n```python";
const END = "<|tool_call_end|>";

/** MiniCPM 3 and 4: a fence of Python with one call in each line, between the markers of LFM2. */
export const minicpm: ToolFormat = {
  name: "minicpm",
  matches: (template) => template.replaceAll("\\n", "\n").includes(OPEN),
  callFormat: {
    open: [OPEN],
    close: ["```"],
    bare: false,
    around: [END],
    endsThought: { before: `${OPEN}\n`, after: "(" },
    body: { kind: "python" },
  },
  callSyntax: {
    trigger: OPEN,
    begin: (name) => `${name}(`,
    end: ")",
    separator: "\n",
    list: { open: `${OPEN}\n`, close: `\n\`\`\`\n${END}` },
    dialect: "keywords",
  },
  write: (calls) => {
    const written = calls.map((call) => pythonCall(call, jsonLiteral));
    return `${OPEN}\n${written.join("\n")}\n\`\`\`\n${END}`;
  },
};
