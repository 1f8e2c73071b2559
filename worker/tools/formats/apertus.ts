import { argumentsText } from "../call-text.ts";
import { respaceJson } from "../python-json.ts";
import type { ToolFormat } from "./tool-format.ts";

const OPEN = "<|tools_prefix|>";
const CLOSE = "<|tools_suffix|>";

/** Apertus: `<|tools_prefix|>[{"f": {…}}]<|tools_suffix|>`. */
export const apertus: ToolFormat = {
  name: "apertus",
  matches: (template) => template.includes(OPEN),
  callFormat: {
    open: [OPEN],
    close: [CLOSE],
    bare: false,
    // They follow in the same turn; in Apertus 1.5 between tokens.
    adjacentResults: "[",
    results: ["<|tool_output_start|>"],
    // Its thoughts hold calls, and go on after the results.
    endsThought: { before: `${OPEN}[{"`, after: '": {' },
    body: { kind: "json", isKeyed: true },
  },
  callSyntax: {
    trigger: OPEN,
    begin: (name) => `{${JSON.stringify(name)}: `,
    end: "}",
    separator: ", ",
    list: { open: `${OPEN}[`, close: `]${CLOSE}` },
  },
  write: (calls) => {
    const written = calls.map(
      (call) => `{${JSON.stringify(call.name)}: ${respaceJson(argumentsText(call))}}`,
    );
    return `${OPEN}[${written.join(", ")}]${CLOSE}`;
  },
};
