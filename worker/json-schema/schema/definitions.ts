/** What references lead to. */

import type { CheckedSchema, SchemaNode } from "./checked-schema.ts";

type Definitions = CheckedSchema["definitions"];

/** The node that a reference stands for; any other node itself. References alone must not lead to themselves. */
export function resolved(node: SchemaNode, definitions: Definitions): SchemaNode {
  return node.kind === "reference" ? resolved(definitions.get(node.name)!, definitions) : node;
}

/** What a node may stand for, without references and unions; each once. */
export function optionsOf(node: SchemaNode, definitions: Definitions): SchemaNode[] {
  const options = new Set([resolved(node, definitions)]);
  // Those that are added meanwhile follow.
  for (const one of options)
    if (one.kind === "anyOf") for (const option of one.options) options.add(resolved(option, definitions));
  return [...options].filter(({ kind }) => kind !== "anyOf");
}

/**
 * The names of the definitions that have a property, which may depend on the definitions that they refer to.
 *
 * @param holds whether a node has it, given the names that are known to have it
 */
export function namesWhere(
  definitions: Definitions,
  holds: (node: SchemaNode, known: ReadonlySet<string>) => boolean,
): ReadonlySet<string> {
  const known = new Set<string>();
  let grew = true;
  while (grew) {
    grew = false;
    for (const [name, node] of definitions) {
      if (known.has(name) || !holds(node, known)) continue;
      known.add(name);
      grew = true;
    }
  }
  return known;
}
