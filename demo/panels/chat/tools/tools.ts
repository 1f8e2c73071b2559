/** Tools that run in the page, to demonstrate tool calls. */

import type OpenAI from "openai";
import { calculate } from "./calculator.ts";
import { timeIn } from "./clock.ts";

interface Tool {
  name: string;
  description: string;
  parameters: Record<string, string>;
  /** @throws an error whose message is sent to the model */
  run(values: Record<string, unknown>): unknown;
}

export const TOOLS: readonly Tool[] = [
  {
    name: "get_time",
    description: "Get the current time in a city",
    parameters: { city: "The name of the city" },
    run: ({ city }) => ({ time: timeIn(String(city), new Date()) }),
  },
  {
    name: "calculator",
    description: "Calculate a sum",
    parameters: { expression: "The sum, for example 12 * (3 + 4)" },
    run: ({ expression }) => ({ result: calculate(String(expression)) }),
  },
];

export function toDefinition({ name, description, parameters }: Tool): OpenAI.ChatCompletionFunctionTool {
  const properties = Object.fromEntries(
    Object.entries(parameters).map(([key, meaning]) => [key, { type: "string", description: meaning }]),
  );
  return {
    type: "function",
    function: {
      name,
      description,
      parameters: { type: "object", properties, required: Object.keys(parameters) },
    },
  };
}

/** Runs a tool call. A failure is returned as a result for the model. */
export function runTool(name: string, text: string): { result: string; failed: boolean } {
  try {
    const tool = TOOLS.find((one) => one.name === name);
    if (!tool) throw new Error(`there is no tool "${name}"`);
    const values: unknown = JSON.parse(text);
    if (typeof values !== "object" || values === null) throw new Error("the arguments are not an object");
    return { result: JSON.stringify(tool.run(values as Record<string, unknown>)), failed: false };
  } catch (error) {
    return { result: JSON.stringify({ error: (error as Error).message }), failed: true };
  }
}
