/**
 * The package's interpreter with the behavior of Jinja2, for which templates are written
 * (https://jinja.palletsprojects.com/en/stable/templates/). The package is used for its grammar, statements and scopes.
 */

import { Interpreter, type Template } from "@huggingface/jinja";
import { evaluateBinary, operatorOf } from "./binary-expressions.ts";
import type { Budget } from "./budget.ts";
import type { FilterContext } from "./filters/filter.ts";
import { FILTERS } from "./filters/filters.ts";
import { FILTERED } from "./grammar.ts";
import { captured, LoopControl, type Node, runLoop } from "./loops.ts";
import { elementOf, methodOf, sliceOf } from "./members.ts";
import { testNamed } from "./tests.ts";
import { str } from "./text/python-text.ts";
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
  evaluateSet(node: Node, scope: Scope): Value;
  evaluateTestExpression(node: Node, scope: Scope): Value;
  evaluateUnaryExpression(node: Node, scope: Scope): Value;
}

/** Nodes that write their text themselves, or nothing. */
const STATEMENTS = new Set(["CallStatement", "Comment", "For", "If", "Macro", "Program", "Set"]);

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

  /** Also with keys other than texts, which the package refuses. */
  #mappingOf(node: Node, scope: Scope): Value {
    const entries = Array.from(node.value as Map<Node, Node>, ([name, value]): [Key, Value] => {
      const key = keyOf(this.evaluate(name, scope));
      if (key === undefined) throw new Error("a list or a mapping is no key of a mapping");
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
    if (isText(value) || !CONSTANT.has(name)) this.budget.spendMaking(value);
    for (const one of args.given) this.budget.spendUsing(one);
    return filter(value, args, this);
  }

  override evaluateBinaryExpression(node: Node, scope: Scope): Value {
    const operator = operatorOf(node);
    if (operator === "and" || operator === "or") return super.evaluateBinaryExpression(node, scope);
    return evaluateBinary(node, scope, this);
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

  /**
   * Also of a block with filters, `{% set x | trim %}…{% endset %}`, and to an attribute, `{% set n.x %}…`. A block of
   * {@link FILTERED} is written: it stands for `{% filter %}`.
   */
  override evaluateSet(node: Node, scope: Scope): Value {
    if (node.value) return super.evaluateSet(node, scope);
    const filters: Node[] = [];
    let target = node.assignee as Node;
    for (; target.type === "FilterExpression"; target = target.operand as Node)
      filters.unshift(target.filter as Node);
    let value = captured(node.body as Node[], scope, this);
    for (const filter of filters) value = this.applyFilter(value, filter, scope);
    if (target.value === FILTERED) return text(str(value));
    if (target.type !== "Identifier") {
      const literal = { type: "StringLiteral", value: str(value) };
      return super.evaluateSet({ ...node, assignee: target, value: literal }, scope);
    }
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
      const bounds = [property.start, property.stop, property.step];
      return sliceOf(
        object,
        bounds.map((bound) => this.evaluate(bound as Node, scope)),
        this.budget,
      );
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
