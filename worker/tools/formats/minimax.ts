import type { ElementTags } from "../../json-schema/arguments-grammar.ts";
import { elements } from "./elements.ts";
import type { ToolFormat } from "./tool-format.ts";

const OPEN = "<minimax:tool_call>";
const CLOSE = "</minimax:tool_call>";
const CALL = '<invoke name="';
const TAGS: ElementTags = { before: '<parameter name="', after: '">', end: "</parameter>\n" };
const LIST = { open: `${OPEN}\n`, close: `\n${CLOSE}` };

const begin = (name: string): string => `${CALL}${name}">\n`;
const END = "</invoke>";

/** MiniMax M2: one block with `<invoke name="f"><parameter name="key">value</parameter></invoke>` for each call. */
export const minimax: ToolFormat = {
  name: "minimax-m2",
  // Without the quotes, which the template may escape.
  matches: (template) => [OPEN, "<invoke name=", "<parameter name="].every((tag) => template.includes(tag)),
  callFormat: {
    open: [OPEN],
    close: [CLOSE],
    bare: false,
    // The second call of a block, too.
    inline: [CALL],
    endsThought: { before: LIST.open + CALL, after: '">' },
    body: {
      kind: "xml",
      syntax: {
        call: { before: CALL, after: '">' },
        member: { before: TAGS.before, after: TAGS.after },
        memberEnd: TAGS.end.trim(),
        end: END,
        isOnLines: false,
        isEscaped: false,
      },
    },
  },
  callSyntax: { trigger: OPEN, begin, end: END, separator: "\n", dialect: TAGS, list: LIST },
  write: (calls) => {
    const written = calls.map((call) => begin(call.name) + elements(call, TAGS) + END);
    return LIST.open + written.join("\n") + LIST.close;
  },
};
