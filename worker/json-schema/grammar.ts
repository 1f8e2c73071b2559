/** Converts a checked schema to a grammar for constrained generation. */

import type { Automaton } from "./automaton.ts";
import type { CheckedSchema, NumberNode, ObjectProperty, SchemaNode } from "./checked-schema.ts";
import { Compilation } from "./compilation.ts";
import { boundsAutomaton } from "./grammar-numbers.ts";
import { automatonRules, firstRule } from "./grammar-pattern.ts";
import { choice, type Expression, literal, repeat, sequence } from "./grammar-text.ts";
import { groupBy, idAt, type MemberWriter, memberRules, sharedRules } from "./member-rules.ts";
import type { PatternNode } from "./pattern-node.ts";
import { either, inOrder, repeated, text } from "./regular.ts";
import { SchemaIds } from "./schema-ids.ts";

/** Maximum indentation of a line; prevents endless white space. */
const MAX_INDENT = 40;

const COMMON = [
  'integer ::= "-"? ("0" | [1-9] [0-9]{0,14})',
  'number ::= integer ("." [0-9]{1,15})? ([eE] [-+]? [0-9]{1,2})?',
  `gap ::= (" " | "\\n" [ \\t]{0,${MAX_INDENT}})?`,
  'comma ::= "," gap',
  'colon ::= ":" " "?',
  'char ::= [^"\\\\\\x00-\\x1f] | "\\\\" (escape | "u" ([0-9a-cA-CefEF] [0-9a-fA-F]{3} | [dD] [0-7] [0-9a-fA-F]{2}))',
  'string ::= "\\"" char* "\\""',
];
const ANYTHING = [
  "anymember ::= string colon any",
  'anyobject ::= "{" gap (anymember (comma anymember)*)? gap "}"',
  'anyarray ::= "[" gap (any (comma any)*)? gap "]"',
];

/**
 * Returns xgrammar EBNF of the JSON texts that match the schema. Members are in the order of the schema; white space
 * is that of `JSON.stringify` and Python's `json.dumps`.
 *
 * @throws {BudgetProblem}
 */
export function schemaGrammar(schema: CheckedSchema, compilation = new Compilation()): string {
  return new GrammarWriter(schema, compilation).write();
}

/** Literals of JSON; Python has others. */
const JSON_LITERALS = { true: '"true"', false: '"false"', null: '"null"' };

export class GrammarWriter {
  protected readonly literals = JSON_LITERALS;
  /** What may follow a backslash in a text. */
  protected readonly escape: Expression = '["\\\\/bfnrt]';
  /** What is around the members of an object, and between them. */
  protected readonly braces = { open: '"{" gap', separator: "comma", close: 'gap "}"' };
  readonly #schema: CheckedSchema;
  protected readonly compilation: Compilation;
  readonly #rules: string[] = [];
  readonly #names = new Map<string, string>();
  readonly #patterns = new Map<Automaton, Expression>();
  /** Equal expressions share a rule, so that the engine compiles them once. */
  readonly #known = new Map<Expression, string>();
  readonly #memberNames = new Map<number, string>();
  readonly #unions = new Map<number, Expression>();
  readonly #ids = new SchemaIds();
  #usesAnything = false;

  constructor(schema: CheckedSchema, compilation: Compilation) {
    this.#schema = schema;
    this.compilation = compilation;
  }

  write(): string {
    const root = this.root(this.#schema.root);
    const any = `any ::= string | number | ${Object.values(this.literals).join(" | ")} | anyobject | anyarray`;
    const common = this.#usesAnything ? [...COMMON, any, ...ANYTHING] : COMMON;
    return [`root ::= ${root}`, ...this.#rules, ...common, `escape ::= ${this.escape}`].join("\n");
  }

  protected root(node: SchemaNode): Expression {
    return this.node(node);
  }

  /** The node that a reference stands for. */
  protected resolve(node: SchemaNode): SchemaNode {
    return node.kind === "reference" ? this.resolve(this.#schema.definitions.get(node.name)!) : node;
  }

  protected node(node: SchemaNode): Expression {
    return this.compilation.budget.nested(() => this.#expression(node));
  }

  #expression(node: SchemaNode): Expression {
    switch (node.kind) {
      case "any":
        this.#usesAnything = true;
        return "any";
      case "null":
        return this.literals.null;
      case "boolean":
        return `(${this.literals.true} | ${this.literals.false})`;
      case "reference":
        return this.#once(this.#names, "d", node.name, () =>
          this.node(this.#schema.definitions.get(node.name)!),
        );
      case "anyOf":
        return this.#union(node);
      case "values":
        return this.pattern(
          `values ${JSON.stringify(node.values)}`,
          () => either(node.values.map((value) => this.constant(value)))!,
        );
      case "string":
        if (node.minLength === 0 && node.maxLength === undefined) return "string";
        return this.rule(sequence('"\\""', repeat("char", node.minLength, node.maxLength), '"\\""'));
      case "pattern":
        return this.automaton(node.automaton);
      case "number":
        return this.#number(node);
      case "array":
        return this.#array(node);
      case "object":
        if (node.properties.length === 0) return this.#map(node);
        return this.#object(memberRules(node.properties, this.#members).beginning);
    }
  }

  #number(node: NumberNode): Expression {
    const { integer, minimum, maximum, multiples } = node;
    if (multiples) return this.automaton(multiples);
    if (!minimum && !maximum) return integer ? "integer" : "number";
    return this.automaton(boundsAutomaton(node, this.compilation));
  }

  /** @param key equal for equal patterns */
  protected pattern(key: string, pattern: () => PatternNode): Expression {
    return this.automaton(this.compilation.automaton(key, pattern));
  }

  protected automaton(automaton: Automaton): Expression {
    const known = this.#patterns.get(automaton);
    if (known !== undefined) return known;
    const prefix = `p${this.#patterns.size}`;
    this.#patterns.set(automaton, firstRule(prefix));
    const add = this.#addRule.bind(this);
    return automatonRules(automaton, prefix, add, this.automaton.bind(this));
  }

  #array({ prefix, items, minItems, maxItems }: Extract<SchemaNode, { kind: "array" }>): Expression {
    const first = prefix.map((one) => this.node(one)).join(" comma ");
    if (!items) return `"[" gap ${first || '""'} gap "]"`;
    const more = maxItems === undefined ? undefined : maxItems - prefix.length;
    const list = this.#list(this.rule(this.node(items)), Math.max(0, minItems - prefix.length), more, first);
    return `"[" gap ${list} gap "]"`;
  }

  /** Comma-separated elements, after `first` if given. */
  #list(element: Expression, min: number, max: number | undefined, first = ""): Expression {
    if (first !== "") return sequence(first, repeat(`comma ${element}`, min, max));
    if (max === 0) return '""';
    const others = repeat(`comma ${element}`, Math.max(0, min - 1), max === undefined ? undefined : max - 1);
    const list = sequence(element, others);
    return min === 0 ? `(${list})?` : list;
  }

  #map({ additional, minProperties, maxProperties }: Extract<SchemaNode, { kind: "object" }>): Expression {
    if (!additional) return '"{" gap "}"';
    const member = this.rule(sequence("string colon", this.node(additional)));
    return `"{" gap ${this.#list(member, minProperties, maxProperties)} gap "}"`;
  }

  #object(members: Expression): Expression {
    return sequence(this.braces.open, members, this.braces.close);
  }

  /** The name and value of a member of an object. */
  protected objectMember({ name, schema }: ObjectProperty): Expression {
    return sequence(literal(JSON.stringify(name)), "colon", this.node(schema));
  }

  get #members(): MemberWriter {
    return {
      separator: this.braces.separator,
      rule: (expression) => this.rule(expression),
      member: (property) =>
        this.#once(this.#memberNames, "m", this.#ids.of(property), () => this.objectMember(property)),
    };
  }

  #union(node: Extract<SchemaNode, { kind: "anyOf" }>): Expression {
    const id = this.#ids.of(node);
    const known = this.#unions.get(id);
    if (known !== undefined) return known;
    const properties = (option: SchemaNode): readonly ObjectProperty[] => {
      const object = this.resolve(option);
      return object.kind === "object" ? object.properties : [];
    };
    const groups = groupBy(node.options, (option) => idAt(properties(option), 0, this.#ids));
    const options = groups.map((group) => {
      if (group.length === 1) return this.rule(this.node(group[0]!));
      const shared = sharedRules(group.map(properties), this.#members, this.#ids, this.compilation.budget);
      return this.rule(this.#object(shared));
    });
    const union = choice(options);
    this.#unions.set(id, union);
    return union;
  }

  /** Writes the rule of a key once. It is named first, as its text may refer to it. */
  #once<Key>(names: Map<Key, string>, prefix: string, key: Key, write: () => Expression): Expression {
    const known = names.get(key);
    if (known !== undefined) return known;
    const rule = `${prefix}${names.size}`;
    names.set(key, rule);
    this.#addRule(`${rule} ::= ${write()}`);
    return rule;
  }

  protected rule(expression: Expression): Expression {
    return this.#once(this.#known, "r", expression, () => expression);
  }

  #addRule(rule: string): void {
    this.compilation.budget.spend("characters of grammar", rule.length);
    this.#rules.push(rule);
  }

  /** The text of a value, with optional spaces after commas and colons. */
  protected constant(value: unknown): PatternNode {
    if (typeof value === "string" || typeof value === "number") return text(JSON.stringify(value));
    if (typeof value !== "object" || value === null) {
      return text(this.literals[String(value) as "true" | "false" | "null"].slice(1, -1));
    }
    const space = repeated(text(" "), 0, 1);
    const isArray = Array.isArray(value);
    const parts = isArray
      ? value.map((one) => this.constant(one))
      : Object.entries(value).map(([name, inner]) =>
          inOrder(text(`${JSON.stringify(name)}:`), space, this.constant(inner)),
        );
    const list = parts.flatMap((part, at) => (at === 0 ? [part] : [text(","), space, part]));
    return inOrder(text(isArray ? "[" : "{"), ...list, text(isArray ? "]" : "}"));
  }

  /** Adds a rule that is used by name. */
  protected define(name: string, expression: Expression): Expression {
    if (!this.#rules.some((rule) => rule.startsWith(`${name} ::= `)))
      this.#addRule(`${name} ::= ${expression}`);
    return name;
  }
}
