/** Expressions with an operator between two others, where the package's grammar differs from Jinja2's. */

import type { Budget } from "./budget.ts";
import type { Node } from "./loops.ts";
import { operate } from "./operators.ts";
import { isText, isTrue, type Scope, type Value } from "./values.ts";

/** What these expressions need of the interpreter. */
interface Evaluator {
  budget: Budget;
  evaluate(node: Node, scope: Scope): Value;
}

const COMPARISONS = new Set(["==", "!=", "<", "<=", ">", ">=", "in", "not in"]);

export function operatorOf(node: Node): string {
  return String((node.operator as Node).value);
}

function sidesOf(node: Node): Record<"left" | "right", Node> {
  return node as unknown as Record<"left" | "right", Node>;
}

/** @param node of any operator but `and` and `or` */
export function evaluateBinary(node: Node, scope: Scope, evaluator: Evaluator): Value {
  const operator = operatorOf(node);
  if (COMPARISONS.has(operator)) return comparison(node, scope, evaluator).holds;
  const { left, right } = sidesOf(node);
  const first = operator === "~" ? beforeTilde(left, scope, evaluator) : evaluator.evaluate(left, scope);
  return operate(operator, first, evaluator.evaluate(right, scope), evaluator.budget);
}

/** `a < b < c` is `a < b and b < c`, in the package's grammar `(a < b) < c`. @returns also the operand on the right */
function comparison(node: Node, scope: Scope, evaluator: Evaluator): { holds: Value; last: Value } {
  const { left, right } = sidesOf(node);
  const isChain = left.type === "BinaryExpression" && COMPARISONS.has(operatorOf(left));
  const before = isChain ? comparison(left, scope, evaluator) : undefined;
  if (before && !isTrue(before.holds)) return before;
  const first = before?.last ?? evaluator.evaluate(left, scope);
  const last = evaluator.evaluate(right, scope);
  return { holds: operate(operatorOf(node), first, last, evaluator.budget), last };
}

/** In Jinja2 `~` binds tighter than `+`, in the package's grammar as tight: `a + 1 ~ b` is `(a + 1) ~ b` there. */
function beforeTilde(node: Node, scope: Scope, evaluator: Evaluator): Value {
  if (node.type !== "BinaryExpression" || operatorOf(node) !== "+") return evaluator.evaluate(node, scope);
  const { left, right } = sidesOf(node);
  const first = beforeTilde(left, scope, evaluator);
  return operate(isText(first) ? "~" : "+", first, evaluator.evaluate(right, scope), evaluator.budget);
}
