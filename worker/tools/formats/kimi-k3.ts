import type { ElementTags } from "../../json-schema/arguments/element-arguments.ts";
import { elements } from "./elements.ts";
import type { ToolFormat } from "./tool-format.ts";

const SEP = "<|sep|>";
const open = (tag: string): string => `<|open|>${tag}${SEP}`;
const close = (tag: string): string => `<|close|>${tag}${SEP}`;

const LIST = { open: open("tools"), close: close("tools") };
const START = '<|open|>call tool="';
const END = close("call");
const TAGS: ElementTags = {
  before: '<|open|>argument key="',
  after: '" type="',
  types: {
    text: `string"${SEP}`,
    other: {
      number: `number"${SEP}`,
      boolean: `boolean"${SEP}`,
      null: `null"${SEP}`,
      array: `array"${SEP}`,
      object: `object"${SEP}`,
    },
  },
  end: close("argument"),
};
const begin = (name: string): string => `${START}${name}" index="`;

/** Kimi K3: elements of tokens, with the number of each call and the type of each argument. */
export const kimiK3: ToolFormat = {
  name: "kimi-k3",
  // The template builds its tags.
  matches: (template) =>
    ["<|open|>", "<|close|>", SEP, "'call'", "'argument'"].every((mark) => template.includes(mark)),
  callFormat: {
    open: [],
    close: [],
    bare: false,
    inline: [START],
    // The end of the message follows the calls.
    around: [LIST.open, LIST.close, close("message")],
    endsThought: { before: LIST.open + START, after: '"' },
    body: {
      kind: "xml",
      syntax: {
        call: { before: START, after: SEP },
        member: { before: TAGS.before, after: '"', value: SEP, types: { text: '"string"', other: '="' } },
        memberEnd: TAGS.end,
        // Arguments that are no object of elements.
        around: ['<|open|>json type="object"<|sep|>', close("json")],
        end: END,
        isOnLines: false,
        isEscaped: false,
      },
    },
  },
  // xgrammar rejects an empty separator, so the end of a call is one.
  callSyntax: {
    trigger: LIST.open,
    begin,
    head: `root ::= [1-9] [0-9]? "\\"${SEP}"`,
    end: "",
    separator: END,
    dialect: TAGS,
    list: { open: LIST.open, close: END + LIST.close },
  },
  write: (calls) => {
    const written = calls.map(
      (call, at) => `${begin(call.name)}${at + 1}"${SEP}${elements(call, TAGS)}${END}`,
    );
    return LIST.open + written.join("") + LIST.close;
  },
};
