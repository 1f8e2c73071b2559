/** Phi-4-mini, as in llama.cpp's corrected template. */

import { afterContent, shownDefinition } from "../call-text.ts";
import { phi as phiFormat } from "../formats/phi.ts";
import { pythonJson } from "../python-json.ts";
import type { ToolFamily } from "./tool-family.ts";

const INSTRUCTION =
  "You are a helpful assistant with some tools.\nTo use a tool, respond in this format: " +
  '<|tool_call|>{"name": "foo", "arguments": {"a": 1}}<|/tool_call|>';

export const phi: ToolFamily = {
  name: "phi",
  renderTools(system = "", tools) {
    const definitions = tools.map((tool) => `<|tool|>${pythonJson(shownDefinition(tool).function)}<|/tool|>`);
    return system + definitions.join("") + (system.includes("<|tool_call|>") ? "" : INSTRUCTION);
  },
  renderCalls: (content, calls) => afterContent(content, "", phiFormat.write(calls)),
  renderResults: (results) => ({
    role: "tool",
    text: results.map(({ content }) => `<|tool_response|>${JSON.stringify(content)}`).join("<|end|>"),
  }),
  format: phiFormat,
};
