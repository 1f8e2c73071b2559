import { CHANNEL, CONSTRAIN, END, isHarmony, MESSAGE, NEXT } from "../../chat-template/reasoning/harmony.ts";
import { argumentsText } from "../call-text.ts";
import { respaceJson } from "../python-json.ts";
import type { ToolFormat } from "./tool-format.ts";

const OPEN = `${CHANNEL}commentary to=functions.`;
const AFTER_NAME = ` ${CONSTRAIN}json${MESSAGE}`;

/** gpt-oss: a message to the tool, `<|channel|>commentary to=functions.f <|constrain|>json<|message|>{…}`. */
export const harmony: ToolFormat = {
  name: "harmony",
  matches: isHarmony,
  // `HarmonyReader` reads them.
  callFormat: { open: [], close: [], bare: false },
  callSyntax: {
    // Built-in tools are called in `analysis`, and the template writes the recipient after the role.
    trigger: [OPEN, `${CHANNEL}analysis to=functions.`, `${NEXT} to=functions.`],
    begin: (name) => OPEN + name,
    head: `root ::= ("${CHANNEL}" ("commentary" | "analysis"))? (" "? "${CONSTRAIN}json" | " json")? "${MESSAGE}"`,
    // The last call ends with an end token of the model, which no grammar takes as text.
    end: "",
    separator: `${END}${NEXT}`,
  },
  write: (calls) =>
    calls
      .map((call) => OPEN + call.name + AFTER_NAME + respaceJson(argumentsText(call)))
      .join(`${END}${NEXT}`),
};
