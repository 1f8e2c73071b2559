import type { CheckedSchema, SchemaNode } from "./checked-schema.ts";

/**
 * The same schema, without unions that lead to themselves through unions alone: as rules of a grammar they would begin
 * with themselves, which llama.cpp refuses. They become the union of all their options that are no union.
 */
export function withoutUnionCycles({ root, definitions }: CheckedSchema): CheckedSchema {
  const straight = new Set<string>();
  const isStraight = (node: SchemaNode): boolean => {
    if (node.kind === "anyOf") return node.options.every(isStraight);
    return node.kind !== "reference" || straight.has(node.name);
  };
  let grew = true;
  while (grew) {
    grew = false;
    for (const [name, node] of definitions) {
      if (straight.has(name) || !isStraight(node)) continue;
      straight.add(name);
      grew = true;
    }
  }
  if (straight.size === definitions.size) return { root, definitions };
  const written = [...definitions].map(([name, node]): [string, SchemaNode] =>
    straight.has(name) ? [name, node] : [name, { kind: "anyOf", options: optionsOf(node, definitions) }],
  );
  return { root, definitions: new Map(written) };
}

/** What a node may be, other than a union. */
function optionsOf(node: SchemaNode, definitions: CheckedSchema["definitions"]): SchemaNode[] {
  const reached = new Set([node]);
  // What is added on the way is visited, too.
  for (const one of reached) {
    if (one.kind === "anyOf") for (const option of one.options) reached.add(option);
    else if (one.kind === "reference") reached.add(definitions.get(one.name)!);
  }
  return [...reached].filter(({ kind }) => kind !== "anyOf" && kind !== "reference");
}
