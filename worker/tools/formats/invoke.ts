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

interface InvokeTags {
  start: string;
  end: string;
  /** Before the name of an argument. */
  before: string;
  memberEnd: string;
}

/** Calls as `<invoke name="f"><parameter name="key">value</parameter></invoke>`. */
export function invokeFormat(options: InvokeOptions): ToolFormat {
  const { name, matches, prefix = "", list, call, isTyped = false } = options;
  const tags: InvokeTags = {
    start: `<${prefix}invoke name="`,
    end: `</${prefix}invoke>`,
    before: `<${prefix}parameter name="`,
    memberEnd: `</${prefix}parameter>`,
  };
  const argument: ElementTags = {
    before: tags.before,
    ...(isTyped ? { after: '" string="', types: { text: 'true">', other: 'false">' } } : { after: '">' }),
    end: `${tags.memberEnd}\n`,
  };
  const lines = { open: `${list.open}\n`, close: `\n${list.close}` };
  const begin = (tool: string): string => `${call?.open ?? ""}${tags.start}${tool}">\n`;
  const close = tags.end + (call?.close ?? "");
  return {
    name,
    matches,
    callFormat: invokeCalls(options, tags, lines.open + begin("").slice(0, -3)),
    callSyntax: { trigger: list.open, begin, end: close, separator: "\n", dialect: argument, list: lines },
    write: (calls) => {
      const written = calls.map((one) => begin(one.name) + elements(one, argument) + close);
      return lines.open + written.join("\n") + lines.close;
    },
  };
}

/** How the calls are read. @param first what the first one begins with, up to the tool's name */
function invokeCalls(
  { list, call, isTyped = false, isDoubled = false }: InvokeOptions,
  { start, end, before, memberEnd }: InvokeTags,
  first: string,
): ToolFormat["callFormat"] {
  const marked = call ?? list;
  return {
    open: [marked.open],
    close: [marked.close],
    bare: false,
    ...(call ? { around: [list.open, list.close] } : {}),
    // The second call of a block, too.
    inline: [start],
    endsThought: { before: first, after: '">' },
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
  };
}
