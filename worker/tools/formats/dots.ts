import { invokeFormat } from "./invoke.ts";

const [open, close] = ["<dots_function_call>", "</dots_function_call>"];

/** Dots: MiniMax M2's elements in another tag. */
export const dots = invokeFormat({
  name: "dots",
  matches: (template) => template.includes(open),
  list: { open, close },
});
