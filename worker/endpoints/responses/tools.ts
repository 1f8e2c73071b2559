import * as z from "zod/mini";
import { type ApiError, badRequest } from "../../http/api-error.ts";
import type { ToolChoice, ToolDefinition } from "../../tools/tool-types.ts";
import { requireSomeTool, toToolDefinition } from "../schema.ts";
import { type FunctionPath, nameInPrompt } from "./namespaces.ts";

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
    "tool_search",
    "programmatic_tool_calling",
  ]),
});

const namespaceTool = z.object({
  type: z.literal("namespace"),
  name: z.string().check(z.regex(/^[a-zA-Z0-9_-]{1,64}$/)),
  description: z.nullish(z.string()),
  tools: z
    .array(z.discriminatedUnion("type", [functionTool, hostedTool]))
    .check(z.minLength(1), z.maxLength(128)),
});

export const toolsSchema = z
  .array(z.discriminatedUnion("type", [functionTool, namespaceTool, hostedTool]))
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

/** A function of the request. */
export interface ListedFunction {
  /** As rendered in the prompt, without null fields. */
  definition: ToolDefinition;
  path: FunctionPath;
  /** Its place in the request, such as `tools[0].tools[1]`. */
  param: string;
}

/**
 * All functions, also those in namespaces. The first one of a namespace has the description of the namespace too.
 *
 * @throws {ApiError} 400 for a hosted tool
 */
export function listFunctions(tools: Tools): ListedFunction[] {
  return tools.flatMap((tool, at) => {
    const param = `tools[${at}]`;
    if (tool.type !== "namespace") return [listFunction(tool, {}, param)];
    const { name: namespace, description } = tool;
    return tool.tools.map((inner, index) =>
      listFunction(
        inner,
        index === 0 ? { namespace, description } : { namespace },
        `${param}.tools[${index}]`,
      ),
    );
  });
}

function listFunction(
  tool: z.output<typeof functionTool> | z.output<typeof hostedTool>,
  { namespace, description: group }: { namespace?: string; description?: string | null | undefined },
  param: string,
): ListedFunction {
  if (tool.type !== "function") throw hosted(tool.type, `${param}.type`);
  const path = { ...(namespace ? { namespace } : {}), name: tool.name };
  const description = [group, tool.description].filter(Boolean).join("\n\n");
  return { definition: toToolDefinition({ ...tool, name: nameInPrompt(path), description }), path, param };
}

/** Finds the path of a function by its name in the prompt. */
export function pathFinder(functions: readonly ListedFunction[]): (name: string) => FunctionPath {
  const paths = new Map(functions.map(({ path }) => [nameInPrompt(path), path]));
  return (name) => paths.get(name) ?? { name };
}

/** @throws {ApiError} 400 for a choice without tools, or of an unknown tool */
export function toToolChoice(choice: Choice, functions: readonly ListedFunction[]): ToolChoice {
  if (choice === "none" || choice === "auto") return { mode: choice };
  requireSomeTool(functions);
  if (choice === "required") return { mode: "required" };
  if (choice.type === "allowed_tools") {
    const names = choice.tools.flatMap((tool, at) => namesOf(tool, functions, `tool_choice.tools[${at}]`));
    return { mode: choice.mode, names };
  }
  const [name, ...others] = namesOf(choice, functions, "tool_choice") as [string, ...string[]];
  return others.length === 0 ? { mode: "named", name } : { mode: "required", names: [name, ...others] };
}

/** Names in the prompt: a choice does not say the namespace, so that several functions may have its name. */
function namesOf(
  choice: { type: string; name?: string },
  functions: readonly ListedFunction[],
  param: string,
): string[] {
  const { type, name } = choice;
  if (type !== "function" || name === undefined) throw hosted(type, `${param}.type`);
  const names = functions.filter(({ path }) => path.name === name).map(({ path }) => nameInPrompt(path));
  if (names.length > 0) return names;
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

/** Tools as returned in the response object; as at OpenAI, omitted fields are null. Hosted tools are already refused. */
export function shownTools(tools: Tools) {
  return tools.flatMap((tool): (ShownFunction | ShownNamespace)[] =>
    tool.type === "namespace" ? [shownNamespace(tool)] : shownFunctions([tool]),
  );
}

type ShownFunction = ReturnType<typeof shownFunctions>[number];
type ShownNamespace = ReturnType<typeof shownNamespace>;

function shownNamespace({ type, name, description, tools }: z.output<typeof namespaceTool>) {
  return { type, name, description: description ?? "", tools: shownFunctions(tools) };
}

function shownFunctions(tools: z.output<typeof namespaceTool>["tools"]) {
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
