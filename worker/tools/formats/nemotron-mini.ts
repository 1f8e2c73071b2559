import { jsonCalls } from "./json-call.ts";
import type { ToolFormat } from "./tool-format.ts";

const OPEN = "<toolcall> ";
const CLOSE = " </toolcall>";

/** Nemotron-Mini, whose template writes no calls: `<toolcall> {"name": …, "arguments": {…}} </toolcall>`. */
export const nemotronMini: ToolFormat = {
  name: "nemotron-mini",
  matches: (template) => ["<extra_id_1>", "<tool> "].every((mark) => template.includes(mark)),
  callFormat: { open: [OPEN.trim()], close: [CLOSE.trim()], bare: false },
  ...jsonCalls(OPEN, CLOSE, " "),
};
