import { isObject } from "../../../src/shared/is-object.ts";
import {
  type ObjectNode,
  type ObjectProperty,
  type Path,
  type ReaderContext,
  type Schema,
  type SchemaNode,
  SchemaProblem,
} from "./checked-schema.ts";
import { readCounts } from "./counts.ts";

/** @throws {SchemaProblem} */
export function readObject(schema: Schema, path: Path, context: ReaderContext): SchemaNode {
  const declared = namedSchemas(schema.properties, [...path, "properties"]);
  const required = readRequired(schema.required, path);
  if (context.strict) requireStrict(schema, declared, required, path);
  const properties: ObjectProperty[] = [];
  for (const [name, value] of Object.entries(declared)) {
    const here = [...path, "properties", name];
    if (value !== false)
      properties.push({ name, schema: context.read(value, here), required: required.has(name) });
    else if (required.has(name)) throw new SchemaProblem(here, "schema false accepts no value.");
  }
  const closed = isClosed(schema);
  const others = schema.additionalProperties ?? true;
  for (const name of required) {
    if (Object.hasOwn(declared, name)) continue;
    if (closed) throw new SchemaProblem(path, `Extra required key '${name}' supplied.`);
    properties.push({ name, schema: context.read(others, path), required: true });
  }
  const { min, max } = readCounts(schema, "minProperties", "maxProperties", path);
  if (max !== undefined && max < required.size) {
    throw new SchemaProblem(path, `'maxProperties' is less than the number of required properties.`);
  }
  const node: ObjectNode = {
    kind: "object",
    properties,
    additional: undefined,
    minProperties: min,
    maxProperties: max,
  };
  if (properties.length > 0) return withDeclared(node, path, context);
  return readMap(schema, node, path, context);
}

function isClosed({ additionalProperties, unevaluatedProperties }: Schema): boolean {
  return additionalProperties === false || unevaluatedProperties === false;
}

/** Allows no undeclared properties: one could repeat a declared name with another value. */
function withDeclared(node: ObjectNode, path: Path, context: ReaderContext): SchemaNode {
  const required = node.properties.filter((one) => one.required).length;
  const { minProperties, maxProperties, properties } = node;
  if (minProperties > properties.length)
    throw new SchemaProblem(path, "'minProperties' is greater than the number of properties.");
  const all = minProperties === properties.length;
  const counts =
    (minProperties > required && !all) || (maxProperties !== undefined && maxProperties < properties.length);
  if (counts)
    context.refuse(path, "'minProperties' and 'maxProperties' are not permitted beside optional properties.");
  const sure = all ? properties.map((one) => ({ ...one, required: true })) : properties;
  return { ...node, properties: sure, minProperties: 0, maxProperties: undefined };
}

/** An object without declared properties: empty, or a map. */
function readMap(schema: Schema, node: ObjectNode, path: Path, context: ReaderContext): SchemaNode {
  const { additionalProperties, propertyNames } = schema;
  const open = additionalProperties !== undefined && additionalProperties !== false;
  if (!open && (isClosed(schema) || schema.properties !== undefined)) {
    if (node.minProperties > 0)
      throw new SchemaProblem(path, "'minProperties' is greater than the number of properties.");
    return { ...node, maxProperties: undefined };
  }
  const additional = context.read(additionalProperties ?? true, [...path, "additionalProperties"]);
  const names = propertyNames as Schema | boolean | undefined;
  if (typeof names !== "object" || names === null) return { ...node, additional };
  const known: unknown = names.const === undefined ? names.enum : [names.const];
  if (Array.isArray(known) && known.every((name) => typeof name === "string")) {
    const properties = known.map((name) => ({ name, schema: additional, required: false }));
    return withDeclared({ ...node, properties }, path, context);
  }
  if (Object.keys(names).some((keyword) => keyword !== "type")) {
    context.refuse([...path, "propertyNames"], "only 'enum' is permitted for the names of properties.");
  }
  return { ...node, additional };
}

/** The rules of strict schemas, with OpenAI's messages. */
function requireStrict(schema: Schema, declared: Schema, required: ReadonlySet<string>, path: Path): void {
  if (schema.additionalProperties !== false) {
    throw new SchemaProblem(path, "'additionalProperties' is required to be supplied and to be false.");
  }
  const missing = Object.keys(declared).find((name) => !required.has(name));
  if (missing === undefined) return;
  throw new SchemaProblem(
    path,
    `'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`,
  );
}

function readRequired(required: unknown, path: Path): Set<string> {
  if (required === undefined) return new Set();
  if (Array.isArray(required) && required.every((name) => typeof name === "string")) return new Set(required);
  throw new SchemaProblem([...path, "required"], "'required' must be an array of strings.");
}

function namedSchemas(properties: unknown, path: Path): Schema {
  if (properties === undefined) return {};
  if (isObject(properties)) return properties;
  throw new SchemaProblem(path, `${JSON.stringify(properties)} is not of type 'object'.`);
}
