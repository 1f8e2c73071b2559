import { jsonLiteral, pythonCall } from "./python-call.ts";
import type { ToolFormat } from "./tool-format.ts";

const OPEN = "<function_calls>";
const CLOSE = "</function_calls>";

/** OLMo 3: one call in each line, with JSON's literals, `<function_calls>f(key="value")</function_calls>`. */
export const olmo3: ToolFormat = {
  name: "olmo3",
  matches: (template) => template.includes(OPEN) && !template.includes("<invoke"),
  callFormat: { open: [OPEN], close: [CLOSE], bare: false, body: { kind: "python" } },
  callSyntax: {
    trigger: OPEN,
    begin: (name) => `${name}(`,
    end: ")",
    separator: "\n",
    list: { open: OPEN, close: CLOSE },
    dialect: "keywords",
  },
  write: (calls) => {
    const written = calls.map((call) => pythonCall(call, jsonLiteral));
    return `${OPEN}${written.join("\n")}${CLOSE}`;
  },
};
