import type { CheckedSchema, SchemaNode } from "./checked-schema.ts";
import { namesWhere, optionsOf } from "./definitions.ts";

/**
 * The same schema, without unions that lead to themselves through unions alone: as rules of a grammar they would begin
 * with themselves, which llama.cpp refuses. They become the union of all their options that are no union.
 */
export function withoutUnionCycles({ root, definitions }: CheckedSchema): CheckedSchema {
  const straight = namesWhere(definitions, isStraight);
  const written = Array.from(definitions, ([name, node]): [string, SchemaNode] =>
    straight.has(name) ? [name, node] : [name, { kind: "anyOf", options: optionsOf(node, definitions) }],
  );
  return { root, definitions: new Map(written) };
}

/** Whether a node leads to no union that leads to itself, given the definitions that do not. */
function isStraight(node: SchemaNode, straight: ReadonlySet<string>): boolean {
  if (node.kind === "anyOf") return node.options.every((option) => isStraight(option, straight));
  return node.kind !== "reference" || straight.has(node.name);
}
