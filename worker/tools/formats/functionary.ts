import { argumentsText } from "../call-text.ts";
import { respaceJson } from "../python-json.ts";
import type { ToolFormat } from "./tool-format.ts";

const OPEN = "<function=";
const CLOSE = "</function>";

/** Functionary 3.1, and the format that Llama 3.1 was also trained on: `<function=name>{…}</function>`. */
export const functionary: ToolFormat = {
  name: "functionary",
  matches: (template) => template.includes(OPEN) && !template.includes("<parameter="),
  callFormat: {
    open: [OPEN],
    close: [],
    bare: false,
    body: { kind: "named", syntax: { before: "", between: ">", after: CLOSE } },
  },
  callSyntax: { trigger: OPEN, begin: (name) => `${OPEN}${name}>`, end: CLOSE, separator: "" },
  write: (calls) =>
    calls.map((call) => `${OPEN}${call.name}>${respaceJson(argumentsText(call))}${CLOSE}`).join(""),
};
