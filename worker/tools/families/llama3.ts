/** Llama 3.1, 3.2 and 3.3: JSON calls, definitions in the system message (`tools_in_user_message=false`). */

import { afterContent, shownDefinition } from "../call-text.ts";
import { llama } from "../formats/llama.ts";
import { pythonJson } from "../python-json.ts";
import type { ToolFamily } from "./tool-family.ts";

const INSTRUCTION =
  "You have access to the following functions. To call a function, please respond with JSON for a function call." +
  'Respond in the format {"name": function name, "parameters": dictionary of argument name and its value}.' +
  "Do not use variables.\n\n";

/** The template's default date. */
const PUBLISHED_DATE = "26 Jul 2024";

export const llama3: ToolFamily = {
  name: "llama3",
  renderTools(system, tools, { dateText = PUBLISHED_DATE } = {}) {
    const dates = `Cutting Knowledge Date: December 2023\nToday Date: ${dateText}\n\n`;
    const definitions = tools.map((tool) => `${pythonJson(shownDefinition(tool), 4)}\n\n`).join("");
    return `Environment: ipython\n${dates}${INSTRUCTION}${definitions}${(system ?? "").trim()}`;
  },
  // The template rejects several calls in one turn; use the format of vLLM's parser.
  renderCalls: (content, calls) => afterContent(content, "\n", llama.write(calls)),
  renderResults: (results) => ({
    role: "tool",
    text: results.map(({ content }) => JSON.stringify(content)).join("\n"),
  }),
  format: llama,
};
