import { type CheckedSchema, type SchemaNode, SchemaProblem } from "./checked-schema.ts";
import { namesWhere } from "./definitions.ts";

/**
 * Refuses a schema without finite values, such as an object that requires itself: generation would never end.
 *
 * @throws {SchemaProblem}
 */
export function requireFinite({ root, definitions }: CheckedSchema): void {
  const finite = namesWhere(definitions, endsSomewhere);
  for (const name of definitions.keys()) {
    if (!finite.has(name)) throw new SchemaProblem([], `$ref '${name}' leads to itself and never ends.`);
  }
  if (!endsSomewhere(root, finite)) throw new SchemaProblem([], "schema never ends.");
}

function endsSomewhere(node: SchemaNode, finite: ReadonlySet<string>): boolean {
  switch (node.kind) {
    case "reference":
      return finite.has(node.name);
    case "anyOf":
      return node.options.some((option) => endsSomewhere(option, finite));
    case "array": {
      const items =
        node.minItems <= node.prefix.length ||
        (node.items !== undefined && endsSomewhere(node.items, finite));
      return items && node.prefix.every((one) => endsSomewhere(one, finite));
    }
    case "object": {
      const members =
        node.minProperties === 0 || node.additional === undefined || endsSomewhere(node.additional, finite);
      return (
        members && node.properties.every(({ required, schema }) => !required || endsSomewhere(schema, finite))
      );
    }
    default:
      return true;
  }
}
