import * as z from "zod/mini";
import { badRequest } from "../../http/api-error.ts";
import { identifier } from "../../http/validation/identifier.ts";
import type { ToolChoice, ToolDefinition } from "../../tools/tool-types.ts";
import { customDefinition } from "../params/custom-definition.ts";
import {
  chatCustomFormat,
  requireSomeTool,
  toInputFormat,
  toToolDefinition,
} from "../params/tool-definitions.ts";

const toolName = identifier(64);

const functionTool = z.object({
  type: z.literal("function"),
  function: z.object({
    name: toolName,
    description: z.nullish(z.string()),
    parameters: z.nullish(z.record(z.string(), z.unknown())),
    strict: z.nullish(z.boolean()),
  }),
});

const customTool = z.object({
  type: z.literal("custom"),
  custom: z.object({
    name: toolName,
    description: z.nullish(z.string()),
    format: z.nullish(chatCustomFormat),
  }),
});

export const toolsSchema = z
  .array(z.discriminatedUnion("type", [functionTool, customTool]))
  .check(z.maxLength(128));

const namedFunction = z.object({ type: z.literal("function"), function: z.object({ name: z.string() }) });
const namedCustom = z.object({ type: z.literal("custom"), custom: z.object({ name: z.string() }) });
const namedTool = z.discriminatedUnion("type", [namedFunction, namedCustom]);

export const toolChoiceSchema = z.union([
  z.enum(["none", "auto", "required"]),
  z.discriminatedUnion("type", [
    namedFunction,
    namedCustom,
    z.object({
      type: z.literal("allowed_tools"),
      allowed_tools: z.object({
        mode: z.enum(["auto", "required"]),
        tools: z.array(namedTool).check(z.minLength(1)),
      }),
    }),
  ]),
]);

type Choice = z.output<typeof toolChoiceSchema> | null | undefined;

/** Tool definitions as rendered in the prompt. */
export function toToolDefinitions(tools: z.output<typeof toolsSchema>): ToolDefinition[] {
  return tools.map((tool) => {
    if (tool.type === "function") return toToolDefinition(tool.function);
    const { format } = tool.custom;
    const grammar = format?.type === "grammar" ? format.grammar : undefined;
    return customDefinition({ ...tool.custom, format: toInputFormat(grammar) });
  });
}

/** @throws {ApiError} 400 for a choice without tools, or of an unknown tool */
export function toToolChoice(choice: Choice, tools: readonly ToolDefinition[]): ToolChoice {
  if (!choice || choice === "none" || choice === "auto") return { mode: choice ?? "auto" };
  requireSomeTool(tools);
  if (choice === "required") return { mode: "required" };
  if (choice.type === "allowed_tools") {
    const { mode, tools: allowed } = choice.allowed_tools;
    return { mode, names: allowed.map((one) => knownName(one, tools, "tool_choice.allowed_tools.tools")) };
  }
  return { mode: "named", name: knownName(choice, tools, `tool_choice.${choice.type}.name`) };
}

/** @throws {ApiError} 400 if the request has no such tool */
function knownName(
  choice: z.output<typeof namedTool>,
  tools: readonly ToolDefinition[],
  param: string,
): string {
  const isCustom = choice.type === "custom";
  const { name } = isCustom ? choice.custom : choice.function;
  if (tools.some((tool) => tool.function.name === name && Boolean(tool.custom) === isCustom)) return name;
  const kind = isCustom ? "custom tool" : "function";
  throw badRequest(
    "invalid_value",
    param,
    `Invalid value for '${param}': there is no ${kind} '${name}' among the 'tools'.`,
  );
}
