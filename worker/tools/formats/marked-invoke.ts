import { invokeFormat } from "./invoke.ts";

const [open, close] = ["<tool_call>", "</tool_call>"];

/** MiniMax M2's elements between Hermes's markers, as in templates of RWKV 7's later models. */
export const markedInvoke = invokeFormat({
  name: "marked-invoke",
  matches: (template) => [open, "<invoke name=", "<parameter name="].every((tag) => template.includes(tag)),
  list: { open, close },
});
