import { argumentsText } from "../call-text.ts";
import { respaceJson } from "../python-json.ts";
import type { ToolFormat } from "./tool-format.ts";

const OPEN = "Action: ```json";
const CLOSE = "```";
const LIST = { open: `${OPEN}\n[\n`, close: `\n]${CLOSE}` };
const begin = (name: string): string =>
  `    {\n        "tool_name": ${JSON.stringify(name)},\n        "parameters": `;
const END = "\n    }";

/** Command R and R+ (`tool_use`): a word and a fenced list, `Action: [{"tool_name": …, "parameters": {…}}]`. */
export const commandAction: ToolFormat = {
  name: "command-action",
  matches: (template) => template.includes("'Action:' followed by a json-formatted list"),
  callFormat: { open: [OPEN, OPEN.replace(" ", ""), OPEN.replace(" ", "\n")], close: [CLOSE], bare: false },
  callSyntax: { trigger: OPEN, begin, end: END, separator: ",\n", list: LIST },
  write: (calls) => {
    const written = calls.map((call) => begin(call.name) + respaceJson(argumentsText(call)) + END);
    return LIST.open + written.join(",\n") + LIST.close;
  },
};
