import { shown } from "../schema-problem.ts";
import { type Path, type Schema, type SchemaNode, SchemaProblem } from "./checked-schema.ts";

/**
 * Reads `enum` and `const`.
 *
 * @param types that the values may have; undefined if any
 * @throws {SchemaProblem}
 */
export function readValues(schema: Schema, types: readonly string[] | undefined, path: Path): SchemaNode {
  const values: unknown = schema.const === undefined ? schema.enum : [schema.const];
  if (!Array.isArray(values))
    throw new SchemaProblem([...path, "enum"], `${shown(values)} is not of type 'array'.`);
  const listed = Array.isArray(schema.enum)
    ? new Set(schema.enum.map((one) => JSON.stringify(one)))
    : undefined;
  const fitting = values.filter((value) => {
    const isListed = !listed || listed.has(JSON.stringify(value));
    return isListed && (types === undefined || types.some((type) => isOfType(value, type)));
  });
  if (values.length === 0) throw new SchemaProblem([...path, "enum"], "[] should be non-empty.");
  if (fitting.length === 0)
    throw new SchemaProblem(path, `enum value ${shown(values[0])} does not validate against the type.`);
  return { kind: "values", values: fitting };
}

function isOfType(value: unknown, type: string): boolean {
  if (value === null || type === "null") return value === null && type === "null";
  if (Array.isArray(value)) return type === "array";
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}
