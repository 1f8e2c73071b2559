/** Checks schemas before the engine receives them: an invalid one would abort its WebAssembly. */

import { type ArgumentsDialect, argumentsGrammar } from "./arguments/arguments-grammar.ts";
import { Compilation } from "./compilation.ts";
import {
  type CheckedSchema,
  type SchemaNode,
  type SchemaOptions,
  SchemaProblem,
} from "./schema/checked-schema.ts";
import { requireDisjoint } from "./schema/disjoint.ts";
import { requireFinite } from "./schema/finite.ts";
import { checkLimits } from "./schema/limits.ts";
import { SchemaReader } from "./schema/schema-reader.ts";
import { withoutUnionCycles } from "./schema/union-cycles.ts";
import type { GrammarResult } from "./schema-problem.ts";

type SchemaCheck =
  | { ok: true; schema: CheckedSchema }
  | { ok: false; path: readonly (string | number)[]; message: string };

/**
 * Checks a JSON schema from a request and reduces it to what a grammar can enforce. The reduced schema accepts
 * nothing that the original refuses, and no additional members in objects with declared properties.
 *
 * `message` is OpenAI's, without the leading name of the function or format:
 * `In context=('properties', 'a'), 'additionalProperties' is required to be supplied and to be false.`
 */
export function checkSchema(
  schema: unknown,
  options: SchemaOptions = {},
  compilation = new Compilation(),
): SchemaCheck {
  try {
    checkLimits(schema);
    const reader = new SchemaReader(schema, options, compilation);
    const root = reader.read(schema, []);
    const checked = { root, definitions: reader.definitions };
    requireDisjoint(reader.unions, reader.definitions, reader);
    requireFinite(checked);
    if (options.strict) requireObject(root, checked);
    return { ok: true, schema: withoutUnionCycles(checked) };
  } catch (error) {
    if (!(error instanceof SchemaProblem)) throw error;
    return { ok: false, path: error.path, message: contextText(error) };
  }
}

/**
 * Checks a schema and generates its grammar. `message` is as in {@link checkSchema}.
 *
 * @param dialect other than JSON only for an object
 */
export function compileSchema(
  schema: unknown,
  options: SchemaOptions,
  compilation: Compilation,
  dialect: ArgumentsDialect = "json",
): GrammarResult {
  const check = checkSchema(schema, options, compilation);
  if (!check.ok) return check;
  try {
    return { ok: true, grammar: argumentsGrammar(check.schema, dialect, compilation) };
  } catch (error) {
    if (!(error instanceof SchemaProblem)) throw error;
    return { ok: false, message: contextText(error) };
  }
}

function requireObject(node: SchemaNode, { definitions }: CheckedSchema): void {
  const resolved = node.kind === "reference" ? definitions.get(node.name) : node;
  if (resolved?.kind === "object") return;
  throw new SchemaProblem([], `schema must be a JSON Schema of 'type: "object"'.`);
}

/** Formats the path as a Python tuple, as OpenAI does. */
function contextText({ path, message }: SchemaProblem): string {
  const parts = path.map((part) => (typeof part === "number" ? String(part) : `'${part}'`));
  const tuple = parts.length === 1 ? `${parts[0]},` : parts.join(", ");
  return `In context=(${tuple}), ${message}`;
}
