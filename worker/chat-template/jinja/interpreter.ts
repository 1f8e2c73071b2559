/**
 * The package's interpreter with the behavior of Jinja2, for which templates are written
 * (https://jinja.palletsprojects.com/en/stable/templates/). The package is used for its grammar, statements and scopes.
 */

import { Interpreter, type Template } from "@huggingface/jinja";
import type { Budget } from "./budget.ts";
import type { FilterContext } from "./filter.ts";
import { FILTERS } from "./filters.ts";
import { LoopControl, type Node, runLoop } from "./loops.ts";
import { elementOf, methodOf } from "./members.ts";
import { operate } from "./operators.ts";
import { str } from "./python-text.ts";
import { testNamed } from "./tests.ts";
import {
  type Arguments,
  boolean,
  type Call,
  callable,
  innerScope,
  integer,
  isList,
  isText,
  isTrue,
  isTuple,
  type Key,
  keyOf,
  mapping,
  type Scope,
  text,
  tuple,
  UNDEFINED,
  type Value,
  variableOf,
} from "./values.ts";

/** Members of the package's interpreter that are used here; its types show `run` alone (0.5). */
interface Internals {
  run(program: Template["parsed"]): Value;
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
  evaluateSet(node: Node, scope: Scope): Value;
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

const PackageInterpreter = Interpreter as unknown as new (environment: Scope) => Internals;

export class Jinja2Interpreter extends PackageInterpreter implements FilterContext {
  readonly budget: Budget;

  constructor(environment: Scope, budget: Budget) {
    super(environment);
    this.budget = budget;
  }

  /** Called for every step of the program. */
  override evaluate(node: Node, scope: Scope): Value {
    this.budget.spend(1);
    if (node?.type === "Break" || node?.type === "Continue") throw new LoopControl(node.type === "Break");
    const value =
      node?.type === "ObjectLiteral"
        ? this.#mappingOf(node, scope)
        : (literalOf(node) ?? super.evaluate(node, scope));
    if (!node || FREE.has(node.type)) return value;
    this.budget.spendMaking(value);
    return node.type === "TupleLiteral" && isList(value) ? tuple(value.value) : value;
  }

  /** Also with integers for keys, which the package refuses. */
  #mappingOf(node: Node, scope: Scope): Value {
    const entries = Array.from(node.value as Map<Node, Node>, ([name, value]): [Key, Value] => {
      const key = keyOf(this.evaluate(name, scope));
      if (key === undefined) throw new Error("a key of a mapping is a text or an integer");
      return [key, this.evaluate(value, scope)];
    });
    return mapping(new Map(entries));
  }

  override applyFilter(operand: Value, node: Node, scope: Scope): Value {
    const isCall = node.type === "CallExpression";
    const name = String((isCall ? (node.callee as Node) : node).value);
    if (!FILTERS.has(name)) return super.applyFilter(operand, node, scope);
    const [given, named] = isCall ? this.evaluateArguments(node.args, scope) : NO_ARGUMENTS;
    return this.apply(name, operand, { given, named });
  }

  apply(name: string, value: Value, args: Arguments): Value {
    const filter = FILTERS.get(name);
    if (!filter) throw new Error(`unknown filter '${name}'`);
    this.budget.spend(1);
    if (isText(value) || !CONSTANT.has(name)) this.budget.spendReading(value);
    for (const one of args.given) this.budget.spendUsing(one);
    return filter(value, args, this);
  }

  override evaluateBinaryExpression(node: Node, scope: Scope): Value {
    const operator = operatorOf(node);
    if (operator === "and" || operator === "or") return super.evaluateBinaryExpression(node, scope);
    const { left, right } = node as unknown as Record<"left" | "right", Node>;
    const first = operator === "~" ? this.#beforeTilde(left, scope) : this.evaluate(left, scope);
    const second = this.evaluate(right, scope);
    return operate(operator, first, second, this.budget);
  }

  /** In Jinja2 `~` binds tighter than `+`, in the package's grammar as tight: `a + 1 ~ b` is `(a + 1) ~ b` there. */
  #beforeTilde(node: Node, scope: Scope): Value {
    if (node.type !== "BinaryExpression" || operatorOf(node) !== "+") return this.evaluate(node, scope);
    const { left, right } = node as unknown as Record<"left" | "right", Node>;
    const [first, second] = [this.#beforeTilde(left, scope), this.evaluate(right, scope)];
    return operate(isText(first) ? "~" : "+", first, second, this.budget);
  }

  override evaluateBlock(statements: Node[], scope: Scope): Value {
    let written = "";
    try {
      for (const statement of statements) {
        const value = this.evaluate(statement, scope);
        if (!STATEMENTS.has(statement.type)) {
          this.budget.spendDeep(value);
          written += str(value);
        } else if (isText(value)) written += value.value;
        this.budget.require(written.length);
      }
    } catch (error) {
      if (error instanceof LoopControl) error.written = written + error.written;
      throw error;
    }
    return text(written);
  }

  override evaluateIdentifier(node: Node, scope: Scope): Value {
    return variableOf(String(node.value), scope);
  }

  override evaluateIf(node: Node, scope: Scope): Value {
    const isMet = isTrue(this.evaluate(node.test as Node, scope));
    return this.evaluateBlock((isMet ? node.body : node.alternate) as Node[], scope);
  }

  /** Also of a block with filters: `{% set x | trim %}…{% endset %}`. */
  override evaluateSet(node: Node, scope: Scope): Value {
    const filters: Node[] = [];
    let target = node.assignee as Node;
    for (; !node.value && target.type === "FilterExpression"; target = target.operand as Node)
      filters.unshift(target.filter as Node);
    if (filters.length === 0) return super.evaluateSet(node, scope);
    let value = this.evaluateBlock(node.body as Node[], innerScope(scope));
    for (const filter of filters) value = this.applyFilter(value, filter, scope);
    scope.setVariable(String(target.value), value as never);
    return UNDEFINED;
  }

  override evaluateUnaryExpression(node: Node, scope: Scope): Value {
    return operatorOf(node) === "not"
      ? boolean(!isTrue(this.evaluate(node.argument as Node, scope)))
      : super.evaluateUnaryExpression(node, scope);
  }

  override evaluateFor(node: Node, scope: Scope): Value {
    return runLoop(node, scope, this, this.budget);
  }

  override evaluateMacro(node: Node, scope: Scope): Value {
    const result = super.evaluateMacro(node, scope);
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
  }

  override evaluateMemberExpression(node: Node, scope: Scope): Value {
    const object = this.evaluate(node.object as Node, scope);
    const property = node.property as Node;
    if (node.computed && property.type === "SliceExpression") {
      this.budget.spendReading(object);
      const part = this.evaluateSliceExpression(object, property, scope);
      return isTuple(object) && isList(part) ? tuple(part.value) : part;
    }
    const isNumber = property.type === "IntegerLiteral";
    const written = isNumber ? integer(property.value as number) : text(String(property.value));
    const key = node.computed ? this.evaluate(property, scope) : written;
    const method = () => (isText(key) ? methodOf(object, key.value, this.budget) : undefined);
    const element = () => elementOf(object, key, this.budget);
    return (node.computed ? (element() ?? method()) : (method() ?? element())) ?? UNDEFINED;
  }

  override evaluateTestExpression(node: Node, scope: Scope): Value {
    const value = this.evaluate(node.operand as Node, scope);
    const test = testNamed(String((node.test as Node).value));
    return boolean(test(value, UNDEFINED, this.budget) !== node.negate);
  }
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
