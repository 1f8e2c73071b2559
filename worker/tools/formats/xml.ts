import type { ElementTags } from "../../json-schema/element-arguments.ts";
import { elements } from "./elements.ts";
import type { ToolFormat } from "./tool-format.ts";

/** Qwen3-Coder and Qwen3.5: `<tool_call><function=name><parameter=key>value</parameter></function></tool_call>`. */
export const xml = functionFormat("xml", "tool_call", {
  before: "<parameter=",
  after: ">\n",
  end: "\n</parameter>\n",
});

/** Seed-OSS: the same in `<seed:tool_call>`, with values that have no lines of their own. */
export const seedOss = functionFormat("seed-oss", "seed:tool_call", {
  before: "<parameter=",
  after: ">",
  end: "</parameter>\n",
});

/** @param marker name of the element around each call */
function functionFormat(name: string, marker: string, tags: ElementTags): ToolFormat {
  const [open, close] = [`<${marker}>`, `</${marker}>`];
  const begin = (tool: string): string => `${open}\n<function=${tool}>\n`;
  const end = `</function>\n${close}`;
  return {
    name,
    matches: (template) => [open, "<function=", "<parameter="].every((tag) => template.includes(tag)),
    callFormat: {
      open: [open],
      close: [close],
      bare: false,
      inline: ["<function="],
      // Qwen3.5 does so (vLLM's issue 35687).
      endsThought: { before: `${open}\n<function=`, after: ">" },
      body: {
        kind: "xml",
        syntax: {
          call: { before: "<function=", after: ">" },
          member: { before: tags.before, after: ">" },
          memberEnd: tags.end.trim(),
          end: "</function>",
          isOnLines: tags.end.startsWith("\n"),
          isEscaped: false,
        },
      },
    },
    callSyntax: { trigger: open, begin, end, separator: "\n", dialect: tags },
    write: (calls) => calls.map((call) => begin(call.name) + elements(call, tags) + end).join("\n"),
  };
}
