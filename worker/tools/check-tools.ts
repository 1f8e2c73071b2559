/** Checks the tools of a request before it is rendered. */

import { isObject } from "../../src/shared/is-object.ts";
import { type ArgumentsDialect, argumentsGrammar } from "../json-schema/arguments/arguments-grammar.ts";
import { Compilation } from "../json-schema/compilation.ts";
import { compileInput } from "../json-schema/input-format.ts";
import { compileSchema } from "../json-schema/json-schema.ts";
import { type CheckedSchema, objectNode } from "../json-schema/schema/checked-schema.ts";
import type { GrammarResult } from "../json-schema/schema-problem.ts";
import type { ConstrainedTool } from "./constraints.ts";
import { INPUT } from "./custom/custom-call.ts";
import type { ToolDefinition } from "./tool-types.ts";

type ToolsCheck =
  | { ok: true; tools: ConstrainedTool[] }
  /** `param` is the path of the field; `code` is OpenAI's. */
  | { ok: false; param: string; code: string; message: string };

interface GrammarOptions {
  compilation: Compilation;
  dialect: ArgumentsDialect;
}

interface Problem {
  /** Relative to `tools[n].function`; `grammar` is that of a custom tool. */
  field: string;
  code: string;
  message: string;
}

/** For functions without `parameters`: an empty object. */
const NO_ARGUMENTS: CheckedSchema = { root: objectNode([]), definitions: new Map() };

/**
 * Checks what the request's schema does not: that names differ, and that inputs can be constrained. As at OpenAI, tools
 * that are not strict may use JSON Schema keywords that cannot be enforced; they are ignored.
 */
export function checkTools(
  definitions: readonly ToolDefinition[],
  compilation = new Compilation(),
  dialect: ArgumentsDialect = "json",
): ToolsCheck {
  const tools: ConstrainedTool[] = [];
  const names = new Set<string>();
  for (const [at, definition] of definitions.entries()) {
    const checked = checkTool(definition, names, { compilation, dialect });
    if ("field" in checked) {
      const { field, code, message } = checked;
      return { ok: false, param: `tools[${at}].function.${field}`, code, message };
    }
    names.add(checked.name);
    tools.push(checked);
  }
  return { ok: true, tools };
}

function checkTool(
  definition: ToolDefinition,
  earlier: ReadonlySet<string>,
  options: GrammarOptions,
): ConstrainedTool | Problem {
  const { name, parameters, strict } = definition.function;
  if (earlier.has(name)) {
    return { field: "name", code: "invalid_value", message: `Duplicate function name '${name}'.` };
  }
  const { custom } = definition;
  if (custom) {
    const input = compileInput(custom, INPUT, options.dialect, options.compilation);
    if (input.ok) return { name, grammar: input.grammar };
    const message = `Invalid grammar for custom tool '${name}': ${input.message}`;
    return { field: "grammar", code: "invalid_grammar", message };
  }
  const check = compileParameters(parameters, strict === true, options);
  if (check.ok) return { name, grammar: check.grammar };
  const message = `Invalid schema for function '${name}': ${check.message}`;
  return { field: "parameters", code: "invalid_function_parameters", message };
}

function compileParameters(
  parameters: unknown,
  strict: boolean,
  { compilation, dialect }: GrammarOptions,
): GrammarResult {
  const none = () => ({ ok: true as const, grammar: argumentsGrammar(NO_ARGUMENTS, dialect) });
  if (parameters === undefined) return none();
  const { type } = (parameters ?? {}) as { type?: unknown };
  if (type !== undefined && type !== "object") {
    const message = `schema must be a JSON Schema of 'type: "object"', got 'type: ${JSON.stringify(type)}'.`;
    return { ok: false, message };
  }
  // Many clients send `{}` for "no parameters".
  if (isObject(parameters) && Object.keys(parameters).length === 0) return none();
  const schema =
    isObject(parameters) && type === undefined && !("$ref" in parameters)
      ? { type: "object", ...parameters }
      : parameters;
  return compileSchema(schema, { strict, unsupported: strict ? "refuse" : "ignore" }, compilation, dialect);
}
