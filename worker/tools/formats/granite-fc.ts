import { jsonCalls } from "./json-call.ts";
import type { ToolFormat } from "./tool-format.ts";

const OPEN = "<function_call> ";

/** Granite 20B FC: `<function_call> {"name": …, "arguments": {…}}`, once for each call. */
export const graniteFc: ToolFormat = {
  name: "granite-fc",
  matches: (template) => template.includes(OPEN),
  callFormat: { open: [OPEN.trim()], close: [], bare: false },
  ...jsonCalls(OPEN, "", ""),
};
