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
import { falseProblem, isFalse } from "./false-schema.ts";

/** @throws {SchemaProblem} */
export function readObject(schema: Schema, path: Path, context: ReaderContext): SchemaNode {
  const declared = namedSchemas(schema.properties, [...path, "properties"]);
  const required = readRequired(schema.required, path);
  if (context.strict) requireStrict(schema, declared, required, path);
  const properties: ObjectProperty[] = [];
  for (const [name, value] of Object.entries(declared)) {
    const here = [...path, "properties", name];
    if (!isFalse(value, context.strict))
      properties.push({ name, schema: context.read(value, here), required: required.has(name) });
    else if (required.has(name)) throw falseProblem(here);
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
  return isFalse(additionalProperties) || isFalse(unevaluatedProperties);
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
  const open = additionalProperties !== undefined && !isFalse(additionalProperties);
  if (isFalse(propertyNames) || (!open && (isClosed(schema) || schema.properties !== undefined))) {
    if (node.minProperties > 0)
      throw new SchemaProblem(path, "'minProperties' is greater than the number of properties.");
    return { ...node, maxProperties: undefined };
  }
  const additional = context.read(additionalProperties ?? true, [...path, "additionalProperties"]);
  if (!isObject(propertyNames)) return { ...node, additional };
  const here = [...path, "propertyNames"];
  if (listsNoText(propertyNames)) {
    context.refuse(here, "names of properties are strings.");
    return { ...node, additional };
  }
  const names = context.read({ ...propertyNames, type: "string" }, here);
  const known = valuesOf(names);
  if (known) {
    const properties = known.map((name) => ({ name: String(name), schema: additional, required: false }));
    return withDeclared({ ...node, properties }, path, context);
  }
  if (names.kind === "string" || names.kind === "pattern") return { ...node, additional, names };
  context.refuse(here, "alternatives are permitted only of values for the names of properties.");
  return { ...node, additional };
}

/** Whether names are values other than texts, as Pydantic writes those of `dict[IntEnum, …]`. */
function listsNoText({ const: only, enum: all = [only] }: Schema): boolean {
  return (
    Array.isArray(all) && all.some((one) => one !== undefined) && !all.some((one) => typeof one === "string")
  );
}

/** The values of an enumeration, which may be written as alternatives; undefined for other schemas. */
function valuesOf(node: SchemaNode): readonly unknown[] | undefined {
  if (node.kind === "values") return node.values;
  if (node.kind !== "anyOf") return undefined;
  const values = node.options.map(valuesOf);
  return values.every((one) => one !== undefined) ? [...new Set(values.flat())] : undefined;
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
