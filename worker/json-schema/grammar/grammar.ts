/** Converts a checked schema to a grammar for constrained generation. */

import { Compilation } from "../compilation.ts";
import { boundsAutomaton } from "../pattern/number-pattern.ts";
import { either, inOrder, type PatternNode, repeated, text } from "../pattern/pattern-node.ts";
import type {
  ArrayNode,
  CheckedSchema,
  NumberNode,
  ObjectNode,
  ObjectProperty,
  SchemaNode,
  UnionNode,
} from "../schema/checked-schema.ts";
import { resolved } from "../schema/definitions.ts";
import { GrammarRules } from "./grammar-rules.ts";
import { choice, type Expression, list, literal, repeat, sequence } from "./grammar-text.ts";
import { groupByMember, idAt, memberRules, type UnionWriter, unionRules } from "./member-rules.ts";
import { SchemaIds } from "./schema-ids.ts";

/** Maximum indentation of a line; prevents endless white space. */
const MAX_INDENT = 40;

const COMMON = [
  'integer ::= "-"? ("0" | [1-9] [0-9]{0,14})',
  'number ::= integer ("." [0-9]{1,15})? ([eE] [-+]? [0-9]{1,2})?',
  `gap ::= (" " | "\\n" [ \\t]{0,${MAX_INDENT}})?`,
  'comma ::= "," gap',
  'colon ::= ":" " "?',
  // A character of two escapes, as Python's json.dumps writes emoji, is one; half of it is no text.
  'char ::= [^"\\\\\\x00-\\x1f] | "\\\\" (escape | "u" ([0-9a-cA-CefEF] [0-9a-fA-F] byte | [dD] ([0-7] byte | pair)))',
  'pair ::= [89abAB] byte "\\\\u" [dD] [c-fC-F] byte',
  "byte ::= [0-9a-fA-F] [0-9a-fA-F]",
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
  protected readonly schema: CheckedSchema;
  protected readonly compilation: Compilation;
  protected readonly rules: GrammarRules;
  readonly #definitions = new Map<string, string>();
  readonly #members = new Map<number, string>();
  readonly #unions = new Map<number, Expression>();
  readonly #ids = new SchemaIds();
  #usesAnything = false;

  constructor(schema: CheckedSchema, compilation: Compilation) {
    this.schema = schema;
    this.compilation = compilation;
    this.rules = new GrammarRules(compilation.budget);
  }

  write(): string {
    const root = this.root(this.schema.root);
    const any = `any ::= string | number | ${Object.values(this.literals).join(" | ")} | anyobject | anyarray`;
    const common = this.#usesAnything ? [...COMMON, any, ...ANYTHING] : COMMON;
    return [`root ::= ${root}`, ...this.rules.all, ...common, `escape ::= ${this.escape}`].join("\n");
  }

  protected root(node: SchemaNode): Expression {
    return this.node(node);
  }

  /** The node that a reference stands for. */
  protected resolve(node: SchemaNode): SchemaNode {
    return resolved(node, this.schema.definitions);
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
        return this.rules.once(this.#definitions, "d", node.name, () =>
          this.node(this.schema.definitions.get(node.name)!),
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
        return this.rules.of(sequence('"\\""', repeat("char", node.minLength, node.maxLength), '"\\""'));
      case "pattern":
        return this.rules.automaton(node.automaton);
      case "number":
        return this.#number(node);
      case "array":
        return this.#array(node);
      case "object":
        if (node.properties.length === 0) return this.#map(node);
        return this.#object(memberRules(this.ordered(node.properties), this.#memberWriter).beginning);
    }
  }

  #number(node: NumberNode): Expression {
    const { integer, minimum, maximum, multiples } = node;
    if (multiples) return this.rules.automaton(multiples);
    if (!minimum && !maximum) return integer ? "integer" : "number";
    return this.rules.automaton(boundsAutomaton(node, this.compilation));
  }

  /** @param key equal for equal patterns */
  protected pattern(key: string, pattern: () => PatternNode): Expression {
    return this.rules.automaton(this.compilation.automaton(key, pattern));
  }

  #array({ prefix, items, minItems, maxItems }: ArrayNode): Expression {
    const first = prefix.map((one) => this.node(one)).join(" comma ") || '""';
    if (!items) return `"[" gap ${first} gap "]"`;
    const min = Math.max(0, minItems - prefix.length);
    const max = maxItems === undefined ? undefined : maxItems - prefix.length;
    const item = this.rules.of(this.node(items));
    const others = prefix.length > 0 ? repeat(`comma ${item}`, min, max) : list(item, "comma", min, max);
    return `"[" gap ${sequence(first, others)} gap "]"`;
  }

  #map({ additional, names, minProperties, maxProperties }: ObjectNode): Expression {
    if (!additional) return '"{" gap "}"';
    // Names are JSON in all dialects.
    const name = names ? this.#expression(names) : "string";
    const member = this.rules.of(sequence(name, "colon", this.node(additional)));
    return `"{" gap ${list(member, "comma", minProperties, maxProperties)} gap "}"`;
  }

  #object(members: Expression): Expression {
    return sequence(this.braces.open, members, this.braces.close);
  }

  /** Properties in the order in which the model writes them. @default the schema's */
  protected ordered(properties: readonly ObjectProperty[]): readonly ObjectProperty[] {
    return properties;
  }

  /** The name and value of a member of an object. */
  protected objectMember({ name, schema }: ObjectProperty): Expression {
    return sequence(literal(JSON.stringify(name)), "colon", this.node(schema));
  }

  get #memberWriter(): UnionWriter {
    return {
      separator: this.braces.separator,
      rule: (expression) => this.rules.of(expression),
      member: (property) =>
        this.rules.once(this.#members, "m", this.#ids.of(property), () => this.objectMember(property)),
      ids: this.#ids,
      budget: this.compilation.budget,
    };
  }

  #union(node: UnionNode): Expression {
    const id = this.#ids.of(node);
    const known = this.#unions.get(id);
    if (known !== undefined) return known;
    const properties = (option: SchemaNode): readonly ObjectProperty[] => {
      const object = this.resolve(option);
      return object.kind === "object" ? this.ordered(object.properties) : [];
    };
    const groups = groupByMember(node.options, (option) => idAt(properties(option), 0, this.#ids));
    const options = groups.map((group) => {
      if (group.length === 1) return this.rules.of(this.node(group[0]!));
      return this.rules.of(this.#object(unionRules(group.map(properties), this.#memberWriter)));
    });
    const union = choice(options);
    this.#unions.set(id, union);
    return union;
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
}
