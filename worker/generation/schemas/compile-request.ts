/** Compiles the tools and format of a request on one budget. Runs in the schema worker. */

import type { ArgumentsDialect } from "../../json-schema/arguments/arguments-grammar.ts";
import { Compilation } from "../../json-schema/compilation.ts";
import { schemaGrammar } from "../../json-schema/grammar/grammar.ts";
import { compileSchema } from "../../json-schema/json-schema.ts";
import { compileText, type TextFormat } from "../../json-schema/plain-text.ts";
import { type CheckedSchema, objectNode } from "../../json-schema/schema/checked-schema.ts";
import { checkTools } from "../../tools/check-tools.ts";
import type { ConstrainedTool } from "../../tools/constraints.ts";
import type { ToolDefinition } from "../../tools/tool-types.ts";
import type { ResponseFormat } from "../chat-request.ts";

export interface CompileRequest {
  tools: readonly ToolDefinition[];
  /** How the model writes arguments. @default JSON */
  dialect?: ArgumentsDialect;
  format:
    | { type: "text" }
    | { type: "json_object" }
    /** `name` as given by the client. */
    | { type: "json_schema"; name: string; schema: Record<string, unknown>; strict: boolean }
    | TextFormat;
}

export type CompileResult =
  | { ok: true; tools: ConstrainedTool[]; format: ResponseFormat }
  /** `param` names the tool; undefined for errors in the format's schema. */
  | { ok: false; param: string | undefined; code: string; message: string };

/** Any JSON object: `response_format: {"type": "json_object"}`. */
export const ANY_OBJECT: CheckedSchema = {
  root: objectNode([], { kind: "any" }),
  definitions: new Map(),
};

/** Never throws for an invalid request. */
export function compileRequest({ tools, dialect, format }: CompileRequest): CompileResult {
  const compilation = new Compilation();
  const checked = checkTools(tools, compilation, dialect);
  if (!checked.ok) return checked;
  if (format.type === "text") return { ok: true, tools: checked.tools, format: { type: "text" } };
  if (format.type === "json_object") {
    const grammar = schemaGrammar(ANY_OBJECT);
    return { ok: true, tools: checked.tools, format: { type: "json_object", grammar } };
  }
  if (format.type !== "json_schema") {
    const compiled = compileText(format, compilation);
    if (!compiled.ok) return { ...compiled, param: undefined, code: "invalid_value" };
    return { ok: true, tools: checked.tools, format: { type: format.type, grammar: compiled.grammar } };
  }
  const { name, schema, strict } = format;
  const options = { strict, unsupported: strict ? ("refuse" as const) : ("ignore" as const) };
  const compiled = compileSchema(schema, options, compilation);
  if (compiled.ok) {
    return { ok: true, tools: checked.tools, format: { type: "json_schema", grammar: compiled.grammar } };
  }
  return {
    ok: false,
    param: undefined,
    code: "invalid_json_schema",
    message: `Invalid schema for response_format '${name}': ${compiled.message}`,
  };
}
