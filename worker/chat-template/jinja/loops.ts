/** Jinja2's `for` loops: each iteration has a scope of its own, and keeps what it wrote before `break` or `continue`. */

import type { Budget } from "./budget.ts";
import { WITH } from "./grammar.ts";
import { areEqual } from "./operators.ts";
import {
  argumentsOf,
  boolean,
  callable,
  elementsOf,
  innerScope,
  integer,
  isTrue,
  isUndefined,
  list,
  objectOf,
  type Scope,
  text,
  UNDEFINED,
  type Value,
} from "./values.ts";

/** The fields of syntax nodes that are read here; the package does not export its node classes. */
export interface Node {
  type: string;
  [field: string]: unknown;
}

/** What a loop needs of the interpreter. */
interface LoopInterpreter {
  evaluate(node: Node, scope: Scope): Value;
  evaluateBlock(statements: Node[], scope: Scope): Value;
}

/** Thrown by `break` and `continue`, through the blocks around them. */
export class LoopControl extends Error {
  readonly isBreak: boolean;
  /** What the iteration has written; each block puts its text in front. */
  written = "";

  constructor(isBreak: boolean) {
    super("break or continue outside of a loop");
    this.isBreak = isBreak;
  }
}

/** The text of a `For` node. */
export function runLoop(node: Node, scope: Scope, interpreter: LoopInterpreter, budget: Budget): Value {
  const { iterable, loopvar, body, defaultBlock } = node as unknown as Record<"iterable" | "loopvar", Node> &
    Record<"body" | "defaultBlock", Node[]>;
  const scopeOf = (element: Value): Scope => {
    const inner = innerScope(scope);
    bind(loopvar, element, inner);
    return inner;
  };
  if (isScope(iterable))
    return interpreter.evaluateBlock(body, scopeOf(interpreter.evaluate(iterable.operand as Node, scope)));
  const [source, test] =
    iterable.type === "SelectExpression"
      ? [iterable.lhs as Node, iterable.test as Node]
      : [iterable, undefined];
  const isSelected = (element: Value): boolean =>
    !test || isTrue(interpreter.evaluate(test, scopeOf(element)));
  const isNamed = namesLoop(body);
  const run = (elements: Value[], depth: number): Value => {
    budget.spend(elements.length);
    const selected = elements.filter(isSelected);
    const recurse = callable(([inside = UNDEFINED]) => run(elementsOf(inside), depth + 1));
    const shared: Shared = { depth, changed: changedOf(budget), recurse };
    let written = "";
    let isCompleted = false;
    for (const [at, element] of selected.entries()) {
      const inner = scopeOf(element);
      if (isNamed) inner.setVariable("loop", loopOf(selected, at, shared) as never);
      const iteration = runIteration(body, inner, interpreter);
      written += iteration.written;
      if (iteration.end === "break") break;
      isCompleted ||= iteration.end === undefined;
      budget.require(written.length);
    }
    // Also where `break` or `continue` has ended each iteration.
    if (!isCompleted) written += interpreter.evaluateBlock(defaultBlock, innerScope(scope)).value;
    return text(written);
  };
  return run(elementsOf(interpreter.evaluate(source, scope)), 1);
}

/** What an iteration writes, and which statement ends it early. */
function runIteration(
  body: Node[],
  scope: Scope,
  interpreter: LoopInterpreter,
): { written: string; end?: "break" | "continue" } {
  try {
    return { written: interpreter.evaluateBlock(body, scope).value as string };
  } catch (error) {
    if (!(error instanceof LoopControl)) throw error;
    return { written: error.written, end: error.isBreak ? "break" : "continue" };
  }
}

/** The text of a block that is kept for later, with a scope of its own; what it has written before `break` is dropped. */
export function captured(statements: Node[], scope: Scope, interpreter: LoopInterpreter): Value {
  try {
    return interpreter.evaluateBlock(statements, innerScope(scope));
  } catch (error) {
    if (error instanceof LoopControl) error.written = "";
    throw error;
  }
}

/** Whether a loop stands for `{% with %}`: its body runs once, in the loop around it. */
function isScope({ type, filter }: Node): boolean {
  return type === "FilterExpression" && (filter as Node).value === WITH;
}

/** Results of {@link namesLoop}, by syntax node. */
const known = new WeakMap<object, boolean>();

/** Whether a loop's statements name `loop`. Setting it for each element costs more than most statements. */
function namesLoop(node: unknown): boolean {
  if (typeof node !== "object" || node === null) return false;
  const found = known.get(node);
  if (found !== undefined) return found;
  const isName = (node as Partial<Node>).type === "Identifier" && (node as Node).value === "loop";
  const inner = node instanceof Map ? [...node.entries()].flat() : Object.values(node);
  const names = isName || inner.some(namesLoop);
  known.set(node, names);
  return names;
}

function bind(target: Node, value: Value, scope: Scope): void {
  if (target.type === "Identifier") {
    scope.setVariable(String(target.value), value as never);
    return;
  }
  if (target.type !== "TupleLiteral") throw new Error(`a loop cannot assign to a ${target.type}`);
  const names = target.value as Node[];
  const values = elementsOf(value);
  if (names.length !== values.length)
    throw new Error(`${names.length} names cannot take ${values.length} values`);
  for (const [at, name] of names.entries()) bind(name, values[at]!, scope);
}

/** What all iterations of a loop have in common. */
interface Shared {
  depth: number;
  changed: Value;
  recurse: Value;
}

function loopOf(elements: readonly Value[], at: number, { depth, changed, recurse }: Shared): Value {
  const { length } = elements;
  return objectOf(
    new Map([
      ["index", integer(at + 1)],
      ["index0", integer(at)],
      ["revindex", integer(length - at)],
      ["revindex0", integer(length - at - 1)],
      ["first", boolean(at === 0)],
      ["last", boolean(at === length - 1)],
      ["length", integer(length)],
      ["depth", integer(depth)],
      ["depth0", integer(depth - 1)],
      ["previtem", elements[at - 1] ?? UNDEFINED],
      ["nextitem", elements[at + 1] ?? UNDEFINED],
      ["changed", changed],
      ["recurse", recurse],
      ["cycle", callable((args) => args[at % Math.max(1, args.length)] ?? UNDEFINED)],
    ]),
  );
}

/** `loop.changed(...)`: whether its arguments differ from those of the call before. */
function changedOf(budget: Budget): Value {
  let last = UNDEFINED;
  return callable((args) => {
    const values = list(argumentsOf(args).given);
    budget.spendUsing(values);
    const isSame = !isUndefined(last) && areEqual(last, values);
    last = values;
    return boolean(!isSame);
  });
}
