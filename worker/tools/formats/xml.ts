import { jsonText } from "../../chat-template/json-object.ts";
import { argumentMembers } from "../call-text.ts";
import type { ToolFormat } from "./tool-format.ts";

/** Qwen3-Coder and Qwen3.5: `<tool_call><function=name><parameter=key>value</parameter></function></tool_call>`. */
export const xml: ToolFormat = {
  name: "xml",
  // Seed-OSS writes such calls in markers of its own.
  matches: (template) =>
    ["<tool_call>", "<function=", "<parameter="].every((marker) => template.includes(marker)),
  callFormat: {
    open: ["<tool_call>"],
    close: ["</tool_call>"],
    bare: false,
    inline: ["<function="],
    // Qwen3.5 does so (vLLM's issue 35687).
    endsThought: { before: "<tool_call>\n<function=", after: ">" },
    body: {
      kind: "xml",
      syntax: {
        call: { before: "<function=", after: ">" },
        member: { before: "<parameter=", after: ">" },
        memberEnd: "</parameter>",
        end: "</function>",
        isEscaped: false,
      },
    },
  },
  callSyntax: {
    trigger: "<tool_call>",
    begin: (name) => `<tool_call>\n<function=${name}>\n`,
    end: "</function>\n</tool_call>",
    separator: "\n",
    dialect: "xml",
  },
  write: (calls) =>
    calls
      .map((call) => {
        const fields = Array.from(
          argumentMembers(call),
          ([key, value]) =>
            `<parameter=${key}>\n${typeof value === "string" ? value : jsonText(value)}\n</parameter>\n`,
        );
        return `<tool_call>\n<function=${call.name}>\n${fields.join("")}</function>\n</tool_call>`;
      })
      .join("\n"),
};
