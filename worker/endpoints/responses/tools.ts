import * as z from "zod/mini";
import { type ApiError, badRequest } from "../../http/api-error.ts";
import { identifier } from "../../http/validation/identifier.ts";
import type { ToolChoice, ToolDefinition } from "../../tools/tool-types.ts";
import { customDefinition } from "../params/custom-definition.ts";
import { unsupportedValue } from "../params/refuse.ts";
import {
  customFormat,
  requireSomeTool,
  toInputFormat,
  toToolDefinition,
} from "../params/tool-definitions.ts";
import { type FunctionPath, nameInPrompt } from "./namespaces.ts";

// Twice as long as in a chat.
const toolName = identifier(128);

/**
 * How a tool is offered and called; refused later unless that is in the prompt and directly, with the result in the
 * next request.
 */
const calling = {
  defer_loading: z.nullish(z.boolean()),
  allowed_callers: z.nullish(z.array(z.enum(["direct", "programmatic"]))),
  async: z.nullish(z.boolean()),
};

const functionTool = z.object({
  ...calling,
  type: z.literal("function"),
  name: toolName,
  description: z.nullish(z.string()),
  parameters: z.nullish(z.record(z.string(), z.unknown())),
  /** Of the result: only returned, templates have no place for it. */
  output_schema: z.nullish(z.record(z.string(), z.unknown())),
  strict: z.nullish(z.boolean()),
});

const customTool = z.object({
  ...calling,
  type: z.literal("custom"),
  name: toolName,
  description: z.nullish(z.string()),
  format: z.nullish(customFormat),
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
    "computer_use",
    "computer_use_preview",
    "code_interpreter",
    "image_generation",
    "mcp",
    "local_shell",
    "shell",
    "apply_patch",
    "tool_search",
    "programmatic_tool_calling",
  ]),
});

const namespaceTool = z.object({
  type: z.literal("namespace"),
  name: identifier(64),
  description: z.nullish(z.string()),
  tools: z
    .array(z.discriminatedUnion("type", [functionTool, customTool, hostedTool]))
    .check(z.minLength(1), z.maxLength(128)),
});

export const toolsSchema = z
  .array(z.discriminatedUnion("type", [functionTool, customTool, namespaceTool, hostedTool]))
  .check(z.maxLength(128));

const namedTool = z.object({ type: z.enum(["function", "custom"]), name: z.string() });

export const toolChoiceSchema = z.union([
  z.enum(["none", "auto", "required"]),
  z.discriminatedUnion("type", [
    namedTool,
    z.object({
      type: z.literal("allowed_tools"),
      mode: z.enum(["auto", "required"]),
      tools: z.array(z.discriminatedUnion("type", [namedTool, hostedTool])).check(z.minLength(1)),
    }),
    hostedTool,
  ]),
]);

type Tools = z.output<typeof toolsSchema>;
type Choice = z.output<typeof toolChoiceSchema>;

/** A function of the request, or one that stands for a custom tool. */
export interface ListedFunction {
  /** As rendered in the prompt, without null fields. */
  definition: ToolDefinition;
  path: FunctionPath;
  /** Its place in the request, such as `tools[0].tools[1]`. */
  param: string;
}

/**
 * All functions and custom tools, also those in namespaces. The first one of a namespace has the description of the namespace too.
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
  tool: z.output<typeof namespaceTool>["tools"][number],
  { namespace, description: group }: { namespace?: string; description?: string | null | undefined },
  param: string,
): ListedFunction {
  if (tool.type !== "function" && tool.type !== "custom") throw hosted(tool.type, `${param}.type`);
  const { allowed_callers: callers, async: isAsync, defer_loading: isDeferred } = tool;
  // OpenAI requires `tool_search` with it, which is a hosted tool.
  if (isDeferred) throw unsupportedValue(`${param}.defer_loading`, isDeferred, [false]);
  if (callers?.includes("direct") === false)
    throw unsupportedValue(`${param}.allowed_callers`, callers, ["direct"]);
  if (isAsync) throw unsupportedValue(`${param}.async`, isAsync, [false]);
  const path = { ...(namespace ? { namespace } : {}), name: tool.name };
  const description = [group, tool.description].filter(Boolean).join("\n\n");
  const described = { ...tool, name: nameInPrompt(path), description };
  if (described.type === "function") return { definition: toToolDefinition(described), path, param };
  const { format } = described;
  const grammar = format?.type === "grammar" ? format : undefined;
  return { definition: customDefinition({ ...described, format: toInputFormat(grammar) }), path, param };
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
  if (name === undefined) throw hosted(type, `${param}.type`);
  const isCustom = type === "custom";
  const named = functions.filter(
    ({ path, definition }) => path.name === name && Boolean(definition.custom) === isCustom,
  );
  if (named.length > 0) return named.map(({ path }) => nameInPrompt(path));
  throw badRequest(
    "invalid_value",
    `${param}.name`,
    `Invalid value for '${param}.name': there is no ${isCustom ? "custom tool" : "function"} '${name}' among the 'tools'.`,
  );
}

function hosted(type: string, param: string): ApiError {
  return badRequest(
    "unsupported_tool",
    param,
    `Unsupported tool: '${type}' is not supported by this runtime, which runs in the page and supports functions and custom tools only.`,
  );
}

/** Tools as returned in the response object; as at OpenAI, omitted fields are null. Hosted tools are already refused. */
export function shownTools(tools: Tools) {
  return tools.flatMap((tool): (ShownTool | ShownNamespace)[] =>
    tool.type === "namespace" ? [shownNamespace(tool)] : shownInner([tool]),
  );
}

type ShownTool = ReturnType<typeof shownInner>[number];
type ShownNamespace = ReturnType<typeof shownNamespace>;

function shownNamespace({ type, name, description, tools }: z.output<typeof namespaceTool>) {
  return { type, name, description: description ?? "", tools: shownInner(tools) };
}

function shownInner(tools: z.output<typeof namespaceTool>["tools"]) {
  return tools.flatMap((tool): (ReturnType<typeof shownFunction> | ReturnType<typeof shownCustom>)[] => {
    if (tool.type === "custom") return [shownCustom(tool)];
    return tool.type === "function" ? [shownFunction(tool)] : [];
  });
}

function shownFunction(tool: z.output<typeof functionTool>) {
  const { type, name, description, parameters, output_schema, strict } = tool;
  return {
    type,
    name,
    description: description ?? null,
    parameters: parameters ?? null,
    ...(output_schema ? { output_schema } : {}),
    strict: strict ?? null,
  };
}

/** OpenAI's types have no null here. */
function shownCustom({ type, name, description, format }: z.output<typeof customTool>) {
  return { type, name, ...(description ? { description } : {}), format: format ?? { type: "text" as const } };
}

/** The tool choice as returned in the response object; hosted tools are already refused. */
export function shownChoice(choice: Choice) {
  if (typeof choice === "string") return choice;
  if (choice.type === "allowed_tools") {
    const tools = choice.tools.flatMap((tool) => ("name" in tool ? [tool] : []));
    return { type: choice.type, mode: choice.mode, tools };
  }
  return "name" in choice ? choice : ("auto" as const);
}
