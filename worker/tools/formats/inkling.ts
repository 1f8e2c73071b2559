import { callHeaders, endOfThought, INKLING_MESSAGES } from "../../chat-template/traits/message-markers.ts";
import { argumentsText } from "../call-text.ts";
import type { ToolFormat } from "./tool-format.ts";

const NEXT = endOfThought(INKLING_MESSAGES);
const OPEN = INKLING_MESSAGES.call.after;

const header = (name: string): string => callHeaders(INKLING_MESSAGES, name)[0]!;
const begin = (name: string): string => `${header(name)}{"name":${JSON.stringify(name)},"args":`;

/** Inkling: each call in a message, `f<|content_invoke_tool_json|>{"name":…,"args":{…}}`. */
export const inkling: ToolFormat = {
  name: "inkling",
  matches: (template) => template.includes(OPEN),
  // `MarkedMessageReader` reads the headers.
  callFormat: { open: [OPEN], headerEnd: OPEN, close: [INKLING_MESSAGES.ends[0]!], bare: false },
  // As in harmony, an end token of the model ends the last call.
  callSyntax: { trigger: header, begin, end: "}", separator: NEXT },
  write: (calls) => calls.map((call) => `${begin(call.name)}${argumentsText(call)}}`).join(NEXT),
};
