import { jsonText } from "../../chat-template/json-object.ts";
import { argumentMembers } from "../call-text.ts";
import type { ToolFormat } from "./tool-format.ts";

const OPEN = '<function name="';
const CLOSE = "</function>";
const MEMBER = { before: '<param name="', after: '">', end: "</param>" };

/**
 * MiniCPM5: `<function name="f"><param name="key">value</param></function>`, with CDATA sections. It has tokens for tags
 * around the calls and the arguments, which may be there (Ollama's parser drops them too).
 */
export const minicpm5: ToolFormat = {
  name: "minicpm5",
  // Without the quotes, which the template may escape.
  matches: (template) => ["<function name=", "<param name="].every((tag) => template.includes(tag)),
  callFormat: {
    open: [],
    close: [],
    bare: false,
    inline: [OPEN],
    around: ["<tool_call>", "</tool_call>"],
    // A thought may name the tag alone, as no token of its own begins a call.
    endsThought: { before: OPEN, after: '"><' },
    body: {
      kind: "xml",
      syntax: {
        call: { before: OPEN, after: '">' },
        member: { before: MEMBER.before, after: MEMBER.after },
        memberEnd: MEMBER.end,
        around: ["<arguments>", "</arguments>"],
        end: CLOSE,
        isOnLines: true,
        isEscaped: true,
      },
    },
  },
  callSyntax: {
    trigger: OPEN,
    begin: (name) => `${OPEN}${name}">`,
    end: CLOSE,
    separator: "\n",
    dialect: MEMBER,
  },
  write: (calls) =>
    calls
      .map((call) => {
        const fields = Array.from(argumentMembers(call), ([key, value]) => {
          const text = typeof value === "string" ? value : jsonText(value);
          const shown = /[<&\n]/.test(text) ? `<![CDATA[${text}]]>` : text;
          return MEMBER.before + key + MEMBER.after + shown + MEMBER.end;
        });
        return `${OPEN}${call.name}">${fields.join("")}${CLOSE}`;
      })
      .join("\n"),
};
