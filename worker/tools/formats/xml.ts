import type { ElementTags } from "../../json-schema/arguments/element-arguments.ts";
import { elements } from "./elements.ts";
import type { ToolFormat } from "./tool-format.ts";

const ON_LINES: ElementTags = { before: "<parameter=", after: ">\n", end: "\n</parameter>\n" };
const INLINE: ElementTags = { before: "<parameter=", after: ">", end: "</parameter>\n" };

/** Qwen3-Coder and Qwen3.5: `<tool_call><function=name><parameter=key>value</parameter></function></tool_call>`. */
export const xml = functionFormat("xml", "tool_call", ON_LINES);

/** ZAYA 1: the same in `<zyphra_tool_call>`. */
export const zaya = functionFormat("zaya", "zyphra_tool_call", ON_LINES);

/** MiMo V2: values have no lines of their own, as the template's example of a call shows. */
export const mimo = functionFormat(
  "mimo-v2",
  "tool_call",
  INLINE,
  /<parameter=[\w-]+>[^\s\\<>]+<\/parameter>/,
);

/** Seed-OSS: the same in `<seed:tool_call>`. */
export const seedOss = functionFormat("seed-oss", "seed:tool_call", INLINE);

/**
 * @param marker name of the element around each call
 * @param example what a template has as well, where other formats have the same elements
 */
function functionFormat(name: string, marker: string, tags: ElementTags, example = /^/): ToolFormat {
  const [open, close] = [`<${marker}>`, `</${marker}>`];
  const begin = (tool: string): string => `${open}\n<function=${tool}>\n`;
  const end = `</function>\n${close}`;
  return {
    name,
    matches: (template) =>
      [open, "<function=", "<parameter="].every((tag) => template.includes(tag)) && example.test(template),
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
