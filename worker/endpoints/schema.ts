/** Schemas and tools of a request, checked before anything is loaded, rendered or compiled. */

import type { CheckedSchema } from "../generation/structured/checked-schema.ts";
import type { ConstrainedTool } from "../generation/tools/constraints.ts";
import type { ToolDefinition } from "../generation/tools/tool-types.ts";
import { badRequest } from "../http/api-error.ts";
import { loadPart } from "../lazy/part.ts";

const constrained = () => loadPart(() => import("../generation/constrained.ts"));

/**
 * @param name of the format, as the client gave it
 * @param param that is named in the error
 * @throws {ApiError} 400 `invalid_json_schema`, worded as OpenAI does
 */
export async function requireSchema(
  schema: Record<string, unknown>,
  options: { name: string; strict: boolean; param: string },
): Promise<CheckedSchema> {
  const { name, strict, param } = options;
  const { checkSchema } = await constrained();
  const check = checkSchema(schema, { strict, unsupported: strict ? "refuse" : "ignore" });
  if (check.ok) return check.schema;
  throw badRequest(
    "invalid_json_schema",
    param,
    `Invalid schema for response_format '${name}': ${check.message}`,
  );
}

/**
 * @param flat whether the request has the fields of a function beside its `type`, not in `function`
 * @throws {ApiError} 400 that names the tool and the field of it
 */
export async function requireTools(
  tools: readonly ToolDefinition[],
  flat = false,
): Promise<ConstrainedTool[]> {
  if (tools.length === 0) return [];
  const { checkTools } = await constrained();
  const check = checkTools(tools);
  if (check.ok) return check.tools;
  const placed = (text: string): string => (flat ? text.replace("].function.", "].") : text);
  throw badRequest(check.code, placed(check.param), placed(check.message));
}

/** A function as a request describes it; chat and responses nest it differently. */
interface DescribedFunction {
  name: string;
  description?: string | null | undefined;
  parameters?: Record<string, unknown> | null | undefined;
  strict?: boolean | null | undefined;
}

/** As the prompt shows it; nulls are left out. */
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

/** @throws {ApiError} 400 for a choice that wants a call where there is nothing to call */
export function requireSomeTool(tools: readonly ToolDefinition[]): void {
  if (tools.length > 0) return;
  throw badRequest(
    "invalid_value",
    "tool_choice",
    "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
  );
}
