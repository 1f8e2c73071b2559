/** Definitions of tools, as chats and responses share them. */

import * as z from "zod/mini";
import { badRequest } from "../../http/api-error.ts";
import type { InputFormat } from "../../json-schema/input-format.ts";
import type { ToolDefinition } from "../../tools/tool-types.ts";

const syntax = z.enum(["lark", "regex"]);
const text = z.object({ type: z.literal("text") });

/** The `format` of a custom tool in a chat; in Responses, a grammar has no object of its own. */
export const chatCustomFormat = z.discriminatedUnion("type", [
  text,
  z.object({ type: z.literal("grammar"), grammar: z.object({ definition: z.string(), syntax }) }),
]);

/** The same in Responses. */
export const customFormat = z.discriminatedUnion("type", [
  text,
  z.object({ type: z.literal("grammar"), definition: z.string(), syntax }),
]);

type Grammar = { definition: string; syntax: "lark" | "regex" };

export function toInputFormat(grammar: Grammar | undefined): InputFormat {
  return grammar ? { type: grammar.syntax, definition: grammar.definition } : { type: "text" };
}

/** A function definition of a request; chat and responses nest it differently. */
interface DescribedFunction {
  name: string;
  description?: string | null | undefined;
  parameters?: Record<string, unknown> | null | undefined;
  strict?: boolean | null | undefined;
}

/** The definition as rendered in the prompt, without null fields. */
export function toToolDefinition({
  name,
  description,
  parameters,
  strict,
}: DescribedFunction): ToolDefinition {
  return {
    type: "function",
    function: {
      name,
      ...(description ? { description } : {}),
      ...(parameters ? { parameters } : {}),
      ...(strict ? { strict } : {}),
    },
  };
}

/** @throws {ApiError} 400 for a tool choice without tools */
export function requireSomeTool(tools: readonly unknown[]): void {
  if (tools.length > 0) return;
  throw badRequest(
    "invalid_value",
    "tool_choice",
    "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
  );
}
