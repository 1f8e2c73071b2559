import { argumentsText } from "../call-text.ts";
import { respaceJson } from "../python-json.ts";
import type { ToolFormat } from "./tool-format.ts";

const LIST = { open: "<|tool_calls|>", close: "<|calls|>" };
const CALL = { open: "<|tool_call:begin|>", close: "<|tool_call:end|>" };
const NAME = "<|tool_call:name|>";
const ARGUMENTS = "<|tool_call:args|>";

/** Ten letters and digits, as the template asks for. */
const callId = (_: string, index: number): string => `call${String(index).padStart(6, "0")}`;

/** Solar Open: an id, the name and JSON between tokens. */
export const solar: ToolFormat = {
  name: "solar",
  matches: (template) => [CALL.open, NAME, ARGUMENTS].every((mark) => template.includes(mark)),
  callFormat: {
    open: [CALL.open],
    close: [CALL.close],
    bare: false,
    around: [LIST.open, LIST.close],
    body: { kind: "named", syntax: { before: "", name: NAME, between: ARGUMENTS, after: "" } },
  },
  // xgrammar rejects an empty separator, so the tokens between two calls are one. The last token is an end token of the model.
  callSyntax: {
    trigger: LIST.open,
    // The API has ids of its own, so any id will do.
    begin: (name) => callId(name, 0) + NAME + name + ARGUMENTS,
    end: "",
    separator: `${CALL.close}${CALL.open}`,
    list: { open: `${LIST.open}${CALL.open}`, close: CALL.close },
  },
  callId,
  write: (calls) => {
    const written = calls.map((call, index) => {
      const id = /^[a-z0-9]{10}$/.test(call.id) ? call.id : callId(call.name, index);
      return `${CALL.open}${id}${NAME}${call.name}${ARGUMENTS}${respaceJson(argumentsText(call))}${CALL.close}`;
    });
    return LIST.open + written.join("");
  },
};
