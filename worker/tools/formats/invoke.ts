import type { ElementTags } from "../../json-schema/arguments/element-arguments.ts";
import { elements } from "./elements.ts";
import type { ToolFormat } from "./tool-format.ts";

interface InvokeOptions {
  name: string;
  matches: ToolFormat["matches"];
  /** Of the names of a call's elements. @default none */
  prefix?: string;
  /** Markers around all calls of a reply. */
  list: { open: string; close: string };
  /** Markers around each call. @default none */
  call?: { open: string; close: string };
  /** Whether an attribute of each argument says if its value is text. @default false */
  isTyped?: boolean;
  /** Whether a name may be a namespace of itself, `f.f`. @default false */
  isDoubled?: boolean;
}

/** Calls as `<invoke name="f"><parameter name="key">value</parameter></invoke>`. */
export function invokeFormat({
  name,
  matches,
  prefix = "",
  list,
  call,
  isTyped = false,
  isDoubled = false,
}: InvokeOptions): ToolFormat {
  const start = `<${prefix}invoke name="`;
  const end = `</${prefix}invoke>`;
  const before = `<${prefix}parameter name="`;
  const memberEnd = `</${prefix}parameter>`;
  const tags: ElementTags = isTyped
    ? { before, after: '" string="', types: { text: 'true">', other: 'false">' }, end: `${memberEnd}\n` }
    : { before, after: '">', end: `${memberEnd}\n` };
  const lines = { open: `${list.open}\n`, close: `\n${list.close}` };
  const begin = (tool: string): string => `${call?.open ?? ""}${start}${tool}">\n`;
  const close = end + (call?.close ?? "");
  const marked = call ?? list;
  return {
    name,
    matches,
    callFormat: {
      open: [marked.open],
      close: [marked.close],
      bare: false,
      ...(call ? { around: [list.open, list.close] } : {}),
      // The second call of a block, too.
      inline: [start],
      endsThought: { before: lines.open + begin("").slice(0, -3), after: '">' },
      body: {
        kind: "xml",
        syntax: {
          call: { before: start, after: '">', isDoubled },
          member: isTyped
            ? { before, after: '"', value: ">", types: { text: 'string="true"', other: 'string="false"' } }
            : { before, after: '">' },
          memberEnd,
          end,
          isOnLines: false,
          isEscaped: false,
        },
      },
    },
    callSyntax: { trigger: list.open, begin, end: close, separator: "\n", dialect: tags, list: lines },
    write: (calls) => {
      const written = calls.map((one) => begin(one.name) + elements(one, tags) + close);
      return lines.open + written.join("\n") + lines.close;
    },
  };
}
