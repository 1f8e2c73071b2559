/**
 * Makes the package's interpreter behave as Jinja2, for which templates are written
 * (https://jinja.palletsprojects.com/en/stable/templates/). The package is used for its grammar, statements and scopes.
 */

import type { Interpreter } from "@huggingface/jinja";
import type { Budget } from "./budget.ts";
import type { FilterContext } from "./filter.ts";
import { FILTERS } from "./filters.ts";
import { LoopControl, type Node, runLoop } from "./loops.ts";
import { elementOf, methodOf } from "./members.ts";
import { operate } from "./operators.ts";
import { str } from "./python-text.ts";
import { testNamed } from "./tests.ts";
import {
  boolean,
  type Call,
  callable,
  innerScope,
  integer,
  isList,
  isText,
  isTrue,
  type Scope,
  text,
  tuple,
  UNDEFINED,
  type Value,
  variableOf,
} from "./values.ts";

/** Members of the package's interpreter that its types do not show (0.5). */
interface Internals {
  evaluate(node: Node, scope: Scope): Value;
  evaluateArguments(args: unknown, scope: Scope): [Value[], Map<string, Value>];
  applyFilter(operand: Value, filter: Node, scope: Scope): Value;
  evaluateBinaryExpression(node: Node, scope: Scope): Value;
  evaluateBlock(statements: Node[], scope: Scope): Value;
  evaluateFor(node: Node, scope: Scope): Value;
  evaluateIdentifier(node: Node, scope: Scope): Value;
  evaluateIf(node: Node, scope: Scope): Value;
  evaluateMacro(node: Node, scope: Scope): Value;
  evaluateMemberExpression(node: Node, scope: Scope): Value;
  evaluateSliceExpression(object: Value, node: Node, scope: Scope): Value;
  evaluateTestExpression(node: Node, scope: Scope): Value;
  evaluateUnaryExpression(node: Node, scope: Scope): Value;
}

/** Nodes that write their text themselves, or nothing. */
const STATEMENTS = new Set([
  "CallStatement",
  "Comment",
  "FilterStatement",
  "For",
  "If",
  "Macro",
  "Program",
  "Set",
]);

/** Nodes that return an existing value; reading it is charged where it is read. */
const FREE = new Set(["Identifier", "MemberExpression", "Set", "Macro", "Comment"]);

export function followJinja2(interpreter: Interpreter, budget: Budget): void {
  const internals = interpreter as unknown as Internals;
  const own = {
    evaluate: internals.evaluate.bind(interpreter),
    applyFilter: internals.applyFilter.bind(interpreter),
    evaluateBinaryExpression: internals.evaluateBinaryExpression.bind(interpreter),
    evaluateMacro: internals.evaluateMacro.bind(interpreter),
    evaluateUnaryExpression: internals.evaluateUnaryExpression.bind(interpreter),
  };
  // Called for every step of the program.
  internals.evaluate = (node, scope) => {
    budget.spend(1);
    if (node?.type === "Break" || node?.type === "Continue") throw new LoopControl(node.type === "Break");
    const value = literalOf(node) ?? own.evaluate(node, scope);
    if (!node || FREE.has(node.type)) return value;
    budget.spendReading(value);
    return node.type === "TupleLiteral" && isList(value) ? tuple(value.value) : value;
  };
  const context: FilterContext = {
    budget,
    apply(name, value, args) {
      const filter = FILTERS.get(name);
      if (!filter) throw new Error(`unknown filter '${name}'`);
      budget.spend(1);
      if (isText(value) || !CONSTANT.has(name)) budget.spendReading(value);
      return filter(value, args, context);
    },
  };
  internals.applyFilter = (operand, node, scope) => {
    const isCall = node.type === "CallExpression";
    const name = String((isCall ? (node.callee as Node) : node).value);
    if (!FILTERS.has(name)) return own.applyFilter(operand, node, scope);
    const [given, named] = isCall ? internals.evaluateArguments(node.args, scope) : NO_ARGUMENTS;
    return context.apply(name, operand, { given, named });
  };
  internals.evaluateBinaryExpression = (node, scope) => {
    const operator = operatorOf(node);
    if (operator === "and" || operator === "or") return own.evaluateBinaryExpression(node, scope);
    const { left, right } = node as unknown as Record<"left" | "right", Node>;
    const first = operator === "~" ? beforeTilde(left, scope) : internals.evaluate(left, scope);
    const second = internals.evaluate(right, scope);
    return operate(operator, first, second, budget);
  };
  /** In Jinja2 `~` binds tighter than `+`, in the package's grammar as tight: `a + 1 ~ b` is `(a + 1) ~ b` there. */
  const beforeTilde = (node: Node, scope: Scope): Value => {
    if (node.type !== "BinaryExpression" || operatorOf(node) !== "+") return internals.evaluate(node, scope);
    const { left, right } = node as unknown as Record<"left" | "right", Node>;
    const [first, second] = [beforeTilde(left, scope), internals.evaluate(right, scope)];
    return operate(isText(first) ? "~" : "+", first, second, budget);
  };
  internals.evaluateBlock = (statements, scope) => {
    let written = "";
    try {
      for (const statement of statements) {
        const value = internals.evaluate(statement, scope);
        if (!STATEMENTS.has(statement.type)) {
          budget.spendDeep(value);
          written += str(value);
        } else if (isText(value)) written += value.value;
        budget.require(written.length);
      }
    } catch (error) {
      if (error instanceof LoopControl) error.written = written + error.written;
      throw error;
    }
    return text(written);
  };
  internals.evaluateIdentifier = (node, scope) => variableOf(String(node.value), scope);
  internals.evaluateIf = (node, scope) => {
    const isMet = isTrue(internals.evaluate(node.test as Node, scope));
    return internals.evaluateBlock((isMet ? node.body : node.alternate) as Node[], scope);
  };
  internals.evaluateUnaryExpression = (node, scope) =>
    operatorOf(node) === "not"
      ? boolean(!isTrue(internals.evaluate(node.argument as Node, scope)))
      : own.evaluateUnaryExpression(node, scope);
  internals.evaluateFor = (node, scope) => runLoop(node, scope, internals, budget);
  internals.evaluateMacro = (node, scope) => {
    const result = own.evaluateMacro(node, scope);
    const name = String((node.name as Node).value);
    const macro = scope.lookupVariable(name).value as unknown as Call;
    // It sees the scope of its definition; the package gives it that of the call.
    const called: Call = (args, from) => {
      const inner = innerScope(scope);
      const caller = from.variables.get("caller");
      if (caller) inner.setVariable("caller", caller);
      return macro(args, inner);
    };
    scope.setVariable(name, callable(called) as never);
    return result;
  };
  internals.evaluateMemberExpression = (node, scope) => {
    const object = internals.evaluate(node.object as Node, scope);
    const property = node.property as Node;
    if (node.computed && property.type === "SliceExpression") {
      budget.spendReading(object);
      return internals.evaluateSliceExpression(object, property, scope);
    }
    const isNumber = property.type === "IntegerLiteral";
    const written = isNumber ? integer(property.value as number) : text(String(property.value));
    const key = node.computed ? internals.evaluate(property, scope) : written;
    const method = () => (isText(key) ? methodOf(object, key.value, budget) : undefined);
    const element = () => elementOf(object, key, budget);
    return (node.computed ? (element() ?? method()) : (method() ?? element())) ?? UNDEFINED;
  };
  internals.evaluateTestExpression = (node, scope) => {
    const value = internals.evaluate(node.operand as Node, scope);
    const test = testNamed(String((node.test as Node).value));
    return boolean(test(value, UNDEFINED) !== node.negate);
  };
}

/** Filters that do not go through a list. */
const CONSTANT = new Set(["length", "count", "first", "last", "default", "d", "safe"]);
const NO_ARGUMENTS: [Value[], Map<string, Value>] = [[], new Map()];

/** Values of literals, by syntax node: they never change. */
const literals = new WeakMap<object, Value>();

function literalOf(node: Node | undefined): Value | undefined {
  if (node?.type !== "StringLiteral" && node?.type !== "IntegerLiteral") return undefined;
  let value = literals.get(node);
  if (!value) {
    value = node.type === "StringLiteral" ? text(node.value as string) : integer(node.value as number);
    literals.set(node, value);
  }
  return value;
}

function operatorOf(node: Node): string {
  return String((node.operator as Node).value);
}
