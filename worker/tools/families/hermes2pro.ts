/** Hermes 2 Pro and Hermes 3, exactly as in NousResearch's `tool_use` template, including its typos. */

import { afterContent } from "../call-text.ts";
import { hermes } from "../formats/hermes.ts";
import { pythonJson } from "../python-json.ts";
import type { ToolDefinition } from "../tool-types.ts";
import type { ToolFamily } from "./tool-family.ts";

const HEADER =
  "You are a function calling AI model. You are provided with function signatures within <tools></tools> XML tags. " +
  "You may call one or more functions to assist with the user query. Don't make assumptions about what values to plug " +
  "into functions. Here are the available tools: <tools> ";
const FOOTER =
  " </tools>Use the following pydantic model json schema for each tool call you will make: " +
  '{"properties": {"name": {"title": "Name", "type": "string"}, "arguments": {"title": "Arguments", "type": "object"}}, ' +
  '"required": ["name", "arguments"], "title": "FunctionCall", "type": "object"}}\n' +
  "For each function call return a json object with function name and arguments within <tool_call></tool_call> XML tags " +
  'as follows:\n<tool_call>\n{"name": <function-name>, "arguments": <args-dict>}\n</tool_call>';

export const hermes2pro: ToolFamily = {
  name: "hermes2pro",
  renderTools(system, tools) {
    const block = HEADER + tools.map(signature).join("\n") + FOOTER;
    // The template puts the tools in a separate system turn before the request's.
    return system ? `${block}<|im_end|>\n<|im_start|>system\n${system}` : block;
  },
  renderCalls: (content, calls) => afterContent(content, "\n", hermes.write(calls)),
  renderResults: (results) => ({
    role: "tool",
    text: results.map(({ content }) => `<tool_response>\n${content}\n</tool_response>`).join("\n"),
  }),
  format: hermes,
};

type Schema = Record<string, unknown>;

/** A tool definition whose description is a Python signature and docstring. */
function signature({ function: { name, description = "", parameters = {} } }: ToolDefinition): string {
  const fields = Object.entries((parameters.properties ?? {}) as Record<string, Schema>);
  const typed = fields.map(([key, field]) => `${key}: ${pythonType(field)}`).join(", ");
  const lines = fields.map(([key, field]) => {
    const text = typeof field.description === "string" ? field.description.trim() : "";
    return `        ${key}(${pythonType(field)}): ${text}`;
  });
  const docstring = lines.length === 0 ? "" : `    Args:\n${lines.join("")}`;
  const schema = fields.length === 0 ? "{}" : pythonJson(parameters);
  return (
    `{"type": "function", "function": {"name": "${name}", "description": "${name}(${typed}) - ${description}\n\n` +
    `${docstring}", "parameters": ${schema}}`
  );
}

const PYTHON_TYPES = new Map<unknown, string>([
  ["string", "str"],
  ["number", "float"],
  ["integer", "int"],
  ["boolean", "bool"],
]);

function pythonType(schema: Schema): string {
  const { type } = schema;
  if (Array.isArray(type)) return `Union[${type.map((one) => pythonType({ type: one })).join(",")}]`;
  // A bug of the template: it never finds the type of an array's items.
  if (type === "array") return "list[Union[]]";
  if (type === undefined) return "Union[]";
  if (type !== "object") return PYTHON_TYPES.get(type) ?? "Any";
  const values = schema.additionalProperties;
  if (values === undefined) return "dict";
  return `dict[str, ${pythonType(typeof values === "object" ? (values as Schema) : {})}]`;
}
