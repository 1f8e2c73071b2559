/** ChatML with Hermes calls, as in the templates of Qwen2.5 and Qwen3; infetch-tiny is trained on this text. */

import { afterContent, shownDefinition } from "../call-text.ts";
import { hermes } from "../formats/hermes.ts";
import { pythonJson } from "../python-json.ts";
import type { ToolFamily } from "./tool-family.ts";

const HEADER = `# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
`;
const FOOTER = `
</tools>

For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call>`;

/** Qwen3 and infetch-tiny: no default system message. */
export const chatmlHermes: ToolFamily = {
  name: "chatml-hermes",
  renderTools(system, tools) {
    const block = HEADER + tools.map((tool) => pythonJson(shownDefinition(tool))).join("\n") + FOOTER;
    return system ? `${system}\n\n${block}` : block;
  },
  renderCalls: (content, calls) => afterContent(content, "\n", hermes.write(calls)),
  renderResults: (results) => ({
    role: "tool",
    text: results.map(({ content }) => `<tool_response>\n${content}\n</tool_response>`).join("\n"),
  }),
  format: hermes,
};

/** Qwen2.5 has a default system message. */
export const qwen25: ToolFamily = {
  ...chatmlHermes,
  name: "qwen2.5",
  renderTools: (system, tools, options) =>
    chatmlHermes.renderTools(
      system ?? "You are Qwen, created by Alibaba Cloud. You are a helpful assistant.",
      tools,
      options,
    ),
};
