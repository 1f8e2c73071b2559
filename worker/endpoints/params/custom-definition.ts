/**
 * Custom tools (OpenAI reference, `custom`) take one text instead of JSON. Chat templates and models know functions only,
 * so each becomes a function with one parameter.
 */

import type { InputFormat } from "../../json-schema/input-format.ts";
import { INPUT } from "../../tools/custom/custom-call.ts";
import type { ToolDefinition } from "../../tools/tool-types.ts";

interface CustomTool {
  name: string;
  description?: string | null | undefined;
  format: InputFormat;
}

/** The function that stands for a custom tool in the prompt. Its description has the grammar of the input. */
export function customDefinition({ name, description, format }: CustomTool): ToolDefinition {
  const parts = [description, grammarText(format)].filter(Boolean);
  return {
    type: "function",
    function: {
      name,
      ...(parts.length > 0 ? { description: parts.join("\n\n") } : {}),
      parameters: {
        type: "object",
        properties: { [INPUT]: { type: "string" } },
        required: [INPUT],
        additionalProperties: false,
      },
    },
    custom: format,
  };
}

function grammarText(format: InputFormat): string | undefined {
  if (format.type === "text") return undefined;
  const kind = format.type === "lark" ? "Lark grammar" : "regular expression";
  return `The ${INPUT} must match this ${kind}:\n${format.definition}`;
}
