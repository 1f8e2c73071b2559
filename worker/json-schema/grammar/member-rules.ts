/** The members of objects, in the order of the schema. */

import { groupBy } from "../../../src/shared/group-by.ts";
import type { CompileBudget } from "../budget.ts";
import type { ObjectProperty } from "../schema/checked-schema.ts";
import { choice, type Expression, sequence } from "./grammar-text.ts";
import type { SchemaIds } from "./schema-ids.ts";

type Properties = readonly ObjectProperty[];

interface MemberWriter {
  separator: Expression;
  /** The rule of the name and value of a member. */
  member(property: ObjectProperty): Expression;
  /** Names an expression. */
  rule(expression: Expression): Expression;
}

/** For the members of several objects. */
export interface UnionWriter extends MemberWriter {
  ids: SchemaIds;
  budget: CompileBudget;
}

/** Built from the last member backwards: what may stand after another member, and what at the beginning. */
export function memberRules(
  properties: Properties,
  { separator, member, rule }: MemberWriter,
): { beginning: Expression; following: Expression } {
  let following: Expression = '""';
  let beginning: Expression = '""';
  for (const property of properties.toReversed()) {
    const name = member(property);
    const first = sequence(name, following);
    const next = sequence(separator, name, following);
    beginning = rule(property.required ? first : choice([first, beginning]));
    following = rule(property.required ? next : choice([next, following]));
  }
  return { beginning, following };
}

/**
 * The members of several objects that begin with the same ones, which are written once. llama.cpp follows all
 * alternatives that a text may be, and would have twice as many at each level of nesting.
 *
 * @param from so many members are written already
 * @throws {BudgetProblem}
 */
export function unionRules(objects: readonly Properties[], writer: UnionWriter, from = 0): Expression {
  const { ids, budget } = writer;
  const options = groupByMember(objects, (properties) => idAt(properties, from, ids)).map((group) => {
    const [first = [], ...others] = group;
    budget.spend("comparisons", first.length * group.length);
    if (others.length === 0) return memberRules(first.slice(from), writer).following;
    let to = from;
    for (let id = idAt(first, to, ids); id !== undefined; id = idAt(first, to, ids)) {
      if (others.some((other) => idAt(other, to, ids) !== id)) break;
      to++;
    }
    const shared = first.slice(from, to).map((property) => writer.member(property));
    const separators = from > 0 ? [writer.separator] : [];
    return sequence(...separators, shared.join(` ${writer.separator} `), unionRules(group, writer, to));
  });
  const all = choice(options);
  return all === '""' ? all : writer.rule(all);
}

/** Undefined for a member that may be absent. */
export function idAt(properties: Properties, at: number, ids: SchemaIds): number | undefined {
  const property = properties[at];
  return property?.required ? ids.of(property) : undefined;
}

/** Those with the same member, by its id; each without one is alone. */
export function groupByMember<T>(all: readonly T[], idOf: (one: T) => number | undefined): T[][] {
  return [...groupBy(all, (one) => idOf(one) ?? {}).values()];
}
