/** Calls of custom tools, as calls of the functions that stand for them (`endpoints/params/custom-definition.ts`). */

import { isObject } from "../../../src/shared/is-object.ts";
import type { ToolCall } from "../tool-types.ts";

/** The parameter of the function. */
export const INPUT = "input";

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
