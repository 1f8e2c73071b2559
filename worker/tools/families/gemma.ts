/** Gemma 2 and 3 have no tool tokens; this is the JSON format of Google's function calling prompt. */

import { afterContent, shownDefinition } from "../call-text.ts";
import { gemma as gemmaFormat } from "../formats/gemma.ts";
import { pythonJson } from "../python-json.ts";
import type { ToolFamily } from "./tool-family.ts";

const INSTRUCTION =
  "You have access to functions. If you decide to invoke any of the function(s),\nyou MUST put it in the format of\n" +
  '{"name": function name, "parameters": dictionary of argument name and its value}\n\n' +
  "You SHOULD NOT include any other text in the response if you call a function\n";

export const gemma: ToolFamily = {
  name: "gemma",
  renderTools(system, tools) {
    const definitions =
      INSTRUCTION +
      pythonJson(
        tools.map((tool) => shownDefinition(tool).function),
        2,
      );
    return system ? `${system}\n\n${definitions}` : definitions;
  },
  renderCalls: (content, calls) => afterContent(content, "\n", gemmaFormat.write(calls)),
  renderResults: (results) => ({
    role: "user",
    text: results.map(({ content }) => `<tool_response>\n${content}\n</tool_response>`).join("\n"),
  }),
  format: gemmaFormat,
};
