/**
 * Custom tools (OpenAI reference, `custom`) take one text instead of JSON. Chat templates and models know functions only,
 * so each becomes a function with one parameter.
 */

import { isObject } from "../../../src/shared/is-object.ts";
import type { InputFormat } from "../../json-schema/input-format.ts";
import type { ToolCall, ToolDefinition } from "../tool-types.ts";

/** The parameter of the function. */
export const INPUT = "input";

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

/** The call of the function that stands for a call of a custom tool. */
export function customCall(id: string, name: string, input: string): ToolCall {
  return { id, name, arguments: inputArguments(input) };
}

/**
 * The arguments of a call, for comparison. Clients send an input without the escapes and spaces that the model wrote
 * around it: arguments that have it alone are written as {@link customCall} does.
 */
export function comparableArguments(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return text;
    const { [INPUT]: input, ...others } = value;
    return typeof input === "string" && Object.keys(others).length === 0 ? inputArguments(input) : text;
  } catch {
    return text;
  }
}

function inputArguments(input: string): string {
  return JSON.stringify({ [INPUT]: input });
}
