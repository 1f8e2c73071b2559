import { invokeFormat } from "./invoke.ts";

/** Step 3: elements of its own between tokens. Step 3.5 writes `xml`. */
export const step3 = invokeFormat({
  name: "step-3",
  matches: (template) => template.includes("<steptml:invoke"),
  prefix: "steptml:",
  list: { open: "<｜tool_calls_begin｜>", close: "<｜tool_calls_end｜>" },
  call: { open: "<｜tool_call_begin｜>function<｜tool_sep｜>", close: "<｜tool_call_end｜>" },
});
