import type { SchemaNode } from "./checked-schema.ts";

/** Options of different types, or objects told apart by a constant member, cannot both hold. */
export function areDisjoint(
  options: readonly SchemaNode[],
  definitions: ReadonlyMap<string, SchemaNode>,
): boolean {
  const resolved = options.map((one) => (one.kind === "reference" ? definitions.get(one.name) : one));
  return resolved.every(
    (one, at) => one && resolved.slice(at + 1).every((other) => other && differ(one, other)),
  );
}

function differ(first: SchemaNode, second: SchemaNode): boolean {
  if (first.kind === "values" && second.kind === "values") {
    const texts = new Set(first.values.map((value) => JSON.stringify(value)));
    return !second.values.some((value) => texts.has(JSON.stringify(value)));
  }
  if (first.kind === "object" && second.kind === "object") {
    return first.properties.some((one) => {
      const other = second.properties.find(({ name }) => name === one.name);
      return (
        other?.required &&
        one.required &&
        isConstant(one.schema) &&
        isConstant(other.schema) &&
        differ(one.schema, other.schema)
      );
    });
  }
  const mixed = new Set(["any", "anyOf", "reference", "values"]);
  const type = (node: SchemaNode): string => (node.kind === "pattern" ? "string" : node.kind);
  return !mixed.has(first.kind) && !mixed.has(second.kind) && type(first) !== type(second);
}

function isConstant(node: SchemaNode): boolean {
  return node.kind === "values";
}
