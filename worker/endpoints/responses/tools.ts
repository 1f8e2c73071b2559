import * as z from "zod/mini";
import { type ApiError, badRequest } from "../../http/api-error.ts";
import type { ToolChoice, ToolDefinition } from "../../tools/tool-types.ts";
import { requireSomeTool, toToolDefinition } from "../schema.ts";

const functionTool = z.object({
  type: z.literal("function"),
  // Twice as long as in a chat.
  name: z.string().check(z.regex(/^[a-zA-Z0-9_-]{1,128}$/)),
  description: z.nullish(z.string()),
  parameters: z.nullish(z.record(z.string(), z.unknown())),
  strict: z.nullish(z.boolean()),
});

/** Tools that OpenAI runs on its servers, listed to name them in the error. */
const hostedTool = z.object({
  type: z.enum([
    "web_search",
    "web_search_2025_08_26",
    "web_search_preview",
    "web_search_preview_2025_03_11",
    "file_search",
    "computer",
    "computer_use_preview",
    "code_interpreter",
    "image_generation",
    "mcp",
    "local_shell",
    "shell",
    "apply_patch",
    "custom",
    "namespace",
    "tool_search",
    "programmatic_tool_calling",
  ]),
});

export const toolsSchema = z
  .array(z.discriminatedUnion("type", [functionTool, hostedTool]))
  .check(z.maxLength(128));

const namedFunction = z.object({ type: z.literal("function"), name: z.string() });

export const toolChoiceSchema = z.union([
  z.enum(["none", "auto", "required"]),
  z.discriminatedUnion("type", [
    namedFunction,
    z.object({
      type: z.literal("allowed_tools"),
      mode: z.enum(["auto", "required"]),
      tools: z.array(z.discriminatedUnion("type", [namedFunction, hostedTool])).check(z.minLength(1)),
    }),
    hostedTool,
  ]),
]);

type Tools = z.output<typeof toolsSchema>;
type Choice = z.output<typeof toolChoiceSchema>;

/**
 * Tool definitions as rendered in the prompt, without null fields.
 *
 * @throws {ApiError} 400 for a hosted tool
 */
export function toToolDefinitions(tools: Tools): ToolDefinition[] {
  return tools.map((tool, at) => {
    if (tool.type !== "function") throw hosted(tool.type, `tools[${at}].type`);
    return toToolDefinition(tool);
  });
}

/** @throws {ApiError} 400 for a choice without tools, or of an unknown tool */
export function toToolChoice(choice: Choice, tools: readonly ToolDefinition[]): ToolChoice {
  if (choice === "none" || choice === "auto") return { mode: choice };
  requireSomeTool(tools);
  if (choice === "required") return { mode: "required" };
  if (choice.type === "allowed_tools") {
    const names = choice.tools.map((tool, at) => requireFunction(tool, tools, `tool_choice.tools[${at}]`));
    return { mode: choice.mode, names };
  }
  return { mode: "named", name: requireFunction(choice, tools, "tool_choice") };
}

function requireFunction(
  choice: { type: string; name?: string },
  tools: readonly ToolDefinition[],
  param: string,
): string {
  const { type, name } = choice;
  if (type !== "function" || name === undefined) throw hosted(type, `${param}.type`);
  if (tools.some((tool) => tool.function.name === name)) return name;
  throw badRequest(
    "invalid_value",
    `${param}.name`,
    `Invalid value for '${param}.name': there is no function '${name}' among the 'tools'.`,
  );
}

function hosted(type: string, param: string): ApiError {
  return badRequest(
    "unsupported_tool",
    param,
    `Unsupported tool: '${type}' is not supported by this runtime, which runs in the page and supports function tools only.`,
  );
}

/** Tools as returned in the response object; as at OpenAI, omitted fields are null. */
export function shownTools(tools: Tools) {
  return tools.flatMap((tool) =>
    tool.type === "function"
      ? [
          {
            type: tool.type,
            name: tool.name,
            description: tool.description ?? null,
            parameters: tool.parameters ?? null,
            strict: tool.strict ?? null,
          },
        ]
      : [],
  );
}

/** The tool choice as returned in the response object; hosted tools are already refused. */
export function shownChoice(choice: Choice) {
  if (typeof choice === "string") return choice;
  const named = (name: string) => ({ type: "function" as const, name });
  if (choice.type === "function") return named(choice.name);
  if (choice.type !== "allowed_tools") return "auto" as const;
  const tools = choice.tools.flatMap((tool) => (tool.type === "function" ? [named(tool.name)] : []));
  return { type: choice.type, mode: choice.mode, tools };
}
