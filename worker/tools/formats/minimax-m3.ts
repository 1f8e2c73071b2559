import { type Json, jsonText } from "../../chat-template/json-object.ts";
import { NESTED_ITEM, NESTED_TOKEN as TOKEN } from "../../json-schema/arguments/nested-arguments.ts";
import { argumentMembers } from "../call-text.ts";
import type { ToolFormat } from "./tool-format.ts";

const LIST = { open: `${TOKEN}<tool_call>`, close: `${TOKEN}</tool_call>` };
const START = `${TOKEN}<invoke name="`;
const END = `${TOKEN}</invoke>`;
const LINES = { open: `${LIST.open}\n`, close: `\n${LIST.close}` };
const begin = (name: string): string => `${START}${name}">`;

/** MiniMax M3: elements named after the arguments, with elements in elements and a token before each tag. */
export const minimaxM3: ToolFormat = {
  name: "minimax-m3",
  matches: (template) => template.includes(TOKEN),
  callFormat: {
    open: [LIST.open],
    close: [LIST.close],
    bare: false,
    // The second call of a block, too.
    inline: [START],
    endsThought: { before: LINES.open + START, after: '">' },
    body: { kind: "nested", token: TOKEN },
  },
  callSyntax: { trigger: LIST.open, begin, end: END, separator: "\n", dialect: "nested", list: LINES },
  write: (calls) => {
    const written = calls.map((call) => begin(call.name) + nested(argumentMembers(call)) + END);
    return LINES.open + written.join("\n") + LINES.close;
  },
};

/** Members without a value are left out, as the template does. */
function nested(value: Json): string {
  if (value === null) return "";
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map((one) => element(NESTED_ITEM, one)).join("");
  if (!(value instanceof Map)) return jsonText(value);
  return Array.from(value, ([key, one]) => (one === null ? "" : element(key, one))).join("");
}

function element(name: string, value: Json): string {
  return `${TOKEN}<${name}>${nested(value)}${TOKEN}</${name}>`;
}
