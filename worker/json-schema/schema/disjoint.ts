import type { CompileBudget } from "../budget.ts";
import type { Path, ReaderContext, SchemaNode, ValuesNode } from "./checked-schema.ts";

/** A `oneOf`. */
export interface Union {
  options: readonly SchemaNode[];
  path: Path;
}

/**
 * Refuses unions whose options may match the same value. Called when the whole schema is read, as an option may refer
 * to a definition around it.
 *
 * @throws {SchemaProblem} unless unsupported keywords are ignored
 */
export function requireDisjoint(
  unions: readonly Union[],
  definitions: ReadonlyMap<string, SchemaNode>,
  context: Pick<ReaderContext, "compilation" | "refuse">,
): void {
  for (const { options, path } of unions) {
    if (!areDisjoint(options, definitions, context.compilation.budget))
      context.refuse(path, "'oneOf' whose options overlap is not permitted; use 'anyOf'.");
  }
}

/** Whether at most one option can match: they differ in type, or in a required constant member. */
function areDisjoint(
  options: readonly SchemaNode[],
  definitions: ReadonlyMap<string, SchemaNode>,
  budget: CompileBudget,
): boolean {
  const resolved = options.map((one) => (one.kind === "reference" ? definitions.get(one.name) : one));
  return resolved.every(
    (one, at) => one && resolved.slice(at + 1).every((other) => other && differ(one, other, budget)),
  );
}

function differ(first: SchemaNode, second: SchemaNode, budget: CompileBudget): boolean {
  budget.spend("comparisons");
  if (first.kind === "values" && second.kind === "values") {
    budget.spend("comparisons", first.values.length + second.values.length);
    const texts = textsOf(first);
    return [...textsOf(second)].every((text) => !texts.has(text));
  }
  if (first.kind === "object" && second.kind === "object") {
    return first.properties.some((one) => {
      budget.spend("comparisons", second.properties.length);
      const other = second.properties.find(({ name }) => name === one.name);
      return (
        other?.required &&
        one.required &&
        isConstant(one.schema) &&
        isConstant(other.schema) &&
        differ(one.schema, other.schema, budget)
      );
    });
  }
  const mixed = new Set(["any", "anyOf", "reference", "values"]);
  const type = (node: SchemaNode): string => (node.kind === "pattern" ? "string" : node.kind);
  return !mixed.has(first.kind) && !mixed.has(second.kind) && type(first) !== type(second);
}

const known = new WeakMap<SchemaNode, ReadonlySet<string>>();

/** The JSON of each value, cached, as each option is compared with all others. */
function textsOf(node: ValuesNode): ReadonlySet<string> {
  const texts = known.get(node) ?? new Set(node.values.map((value) => JSON.stringify(value)));
  known.set(node, texts);
  return texts;
}

function isConstant(node: SchemaNode): boolean {
  return node.kind === "values";
}
