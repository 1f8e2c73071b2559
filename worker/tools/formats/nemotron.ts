import { jsonList } from "./json-call.ts";
import type { ToolFormat } from "./tool-format.ts";

/** Nemotron Nano 2: `<TOOLCALL>[{"name": …, "arguments": {…}}]</TOOLCALL>`. */
export const nemotron: ToolFormat = {
  name: "nemotron",
  matches: (template) => template.includes("<TOOLCALL>"),
  callFormat: { open: ["<TOOLCALL>"], close: ["</TOOLCALL>"], bare: false },
  ...jsonList("<TOOLCALL>", "</TOOLCALL>"),
};
