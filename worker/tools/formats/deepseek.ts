import { argumentsText } from "../call-text.ts";
import type { ToolFormat } from "./tool-format.ts";

export const LIST = { open: "<｜tool▁calls▁begin｜>", close: "<｜tool▁calls▁end｜>" };
export const CALL = { open: "<｜tool▁call▁begin｜>", close: "<｜tool▁call▁end｜>" };
export const SEPARATOR = "<｜tool▁sep｜>";
const SYNTAX = { before: `function${SEPARATOR}`, between: "\n```json\n", after: "\n```" };

/** DeepSeek R1 and V3: a name and fenced JSON between tokens. */
export const deepseek: ToolFormat = {
  name: "deepseek",
  matches: (template) => template.includes(CALL.open) && isFenced(template),
  callFormat: {
    open: [CALL.open],
    close: [CALL.close],
    bare: false,
    // The distilled models also write these (llama.cpp's parser reads them), and leave out the marker of a call.
    around: [LIST.open, "<｜tool▁calls｜>", "<｜tool_calls_begin｜>", "<｜tool calls begin｜>", LIST.close],
    inline: [SYNTAX.before],
    body: { kind: "named", syntax: SYNTAX },
  },
  callSyntax: {
    trigger: LIST.open,
    begin: (name) => `${CALL.open}${SYNTAX.before}${name}${SYNTAX.between}`,
    end: `${SYNTAX.after}${CALL.close}`,
    separator: "\n",
    list: LIST,
  },
  write: (calls) => {
    const written = calls.map(
      (call) =>
        `${CALL.open}${SYNTAX.before}${call.name}${SYNTAX.between}${argumentsText(call)}${SYNTAX.after}${CALL.close}`,
    );
    return `${LIST.open}${written.join("\n")}${LIST.close}`;
  },
};

/** Whether a template writes a code fence inside calls; fences elsewhere, as around definitions, do not count. */
export function isFenced(template: string): boolean {
  const calls = template.split(SEPARATOR).slice(1);
  return calls.length === 0 || calls.some((call) => call.split(CALL.close, 1)[0]!.includes("```"));
}
