import { callHeaders, endOfThought, MUSE_MESSAGES } from "../../chat-template/traits/message-markers.ts";
import { elements } from "./elements.ts";
import { invokeFormat } from "./invoke.ts";
import type { ToolFormat } from "./tool-format.ts";

const [open, close] = ["<atem:function_calls>", "</atem:function_calls>"];
const END = `</atem:invoke>\n${close}`;
const NEXT = endOfThought(MUSE_MESSAGES);
const TAGS = { before: '<atem:parameter name="', after: '">', end: "</atem:parameter>\n" };

const header = (name: string): string => callHeaders(MUSE_MESSAGES, name)[0]!;
const begin = (name: string): string => `${header(name)}${open}\n<atem:invoke name="${name}">\n`;

/** Muse Glimmer: MiniMax M2's elements in tags of its own, each call in a message to its tool. */
export const muse: ToolFormat = {
  ...invokeFormat({
    name: "muse",
    matches: (template) => template.includes(open),
    prefix: "atem:",
    list: { open, close },
    // The template shows each tool as a namespace, too.
    isDoubled: MUSE_MESSAGES.call.isDoubled,
  }),
  // `MarkedMessageReader` reads the headers. As in harmony, an end token of the model ends the last call.
  callSyntax: { trigger: header, begin, end: END, separator: NEXT, dialect: TAGS },
  write: (calls) => calls.map((call) => begin(call.name) + elements(call, TAGS) + END).join(NEXT),
};
