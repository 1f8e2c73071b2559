/** Grammars of arguments that models do not write as JSON. Values that are no text remain JSON, or Python. */

import type { CheckedSchema, ObjectProperty, SchemaNode } from "./checked-schema.ts";
import { Compilation } from "./compilation.ts";
import { GrammarWriter, schemaGrammar } from "./grammar.ts";
import { choice, type Expression, literal, repeat, sequence } from "./grammar-text.ts";
import { memberRules } from "./member-rules.ts";

export type ArgumentsDialect =
  | "json"
  /** `a="text", b=True` */
  | "python"
  /** `a="text", b=true` */
  | "keywords"
  /** `<parameter=a>\ntext\n</parameter>\n`, with these tags */
  | ElementTags
  /** `a:<escape>text<escape>,b:true` */
  | "escaped"
  /** `a:<|"|>text<|"|>,b:true` */
  | "quoted";

/** What stands around the name and the value of an argument that is an element: `before`, name, `after`, value, `end`. */
export interface ElementTags {
  before: string;
  after: string;
  /** Values do not contain it, but for white space around it. */
  end: string;
}

/**
 * Returns xgrammar EBNF of the arguments that match an object's schema.
 *
 * @throws {BudgetProblem}
 */
export function argumentsGrammar(
  schema: CheckedSchema,
  dialect: ArgumentsDialect,
  compilation = new Compilation(),
): string {
  if (dialect === "json") return schemaGrammar(schema, compilation);
  if (typeof dialect === "object") return new ElementWriter(schema, compilation, dialect).write();
  return new WRITERS[dialect](schema, compilation).write();
}

abstract class ArgumentsWriter extends GrammarWriter {
  protected abstract readonly separator: Expression;
  /** A member with this name, which is an expression. */
  protected abstract member(name: Expression, schema: SchemaNode): Expression;
  /** The name of a member that the schema does not declare. */
  protected abstract anyName(): Expression;

  protected override root(node: SchemaNode): Expression {
    const object = this.resolve(node);
    if (object.kind !== "object") return this.node(node);
    if (object.properties.length > 0) {
      const rule = (expression: Expression): Expression => this.rule(expression);
      const member = ({ name, schema }: ObjectProperty) => rule(this.member(literal(name), schema));
      return memberRules(object.properties, { separator: this.separator, member, rule }).beginning;
    }
    const { additional, minProperties: min, maxProperties: max } = object;
    if (!additional || max === 0) return '""';
    const member = this.rule(this.member(this.anyName(), additional));
    const others = repeat(sequence(this.separator, member), Math.max(0, min - 1), max && max - 1);
    const list = sequence(member, others);
    return min === 0 ? `(${list})?` : list;
  }

  /**
   * Text without `end`, whose first character must not occur in it again. Text may end with a part of `end`, and such a
   * part may be followed by the next one.
   */
  protected textUntil(end: string): Expression {
    const parts = [...end].slice(1).map((_, at) => end.slice(0, at + 1));
    const left = parts.map((part) => {
      const next = `[^${end[part.length]}${end[0]}]`.replace("]]", "\\]]");
      return sequence(literal(part), next);
    });
    const begun = this.define("begun", choice(parts.map(literal)));
    const text = choice([`[^${end[0]}]`, `${begun}* ${choice(left)}`]);
    return this.define("freetext", `${repeat(text, 0, undefined)} ${begun}*`);
  }
}

class KeywordsWriter extends ArgumentsWriter {
  /** Python keeps the backslash of `\/`. */
  protected override readonly escape = '["\\\\bfnrt]';
  protected readonly separator = '"," " "?';

  protected member(name: Expression, schema: SchemaNode): Expression {
    return sequence(name, '"="', this.node(schema));
  }

  protected anyName(): Expression {
    return "[a-zA-Z_] [a-zA-Z0-9_]*";
  }
}

class PythonWriter extends KeywordsWriter {
  protected override readonly literals = { true: '"True"', false: '"False"', null: '"None"' };
}

class ElementWriter extends ArgumentsWriter {
  readonly #tags: ElementTags;
  protected readonly separator = '""';

  constructor(schema: CheckedSchema, compilation: Compilation, tags: ElementTags) {
    super(schema, compilation);
    this.#tags = tags;
  }

  protected member(name: Expression, schema: SchemaNode): Expression {
    const { before, after, end } = this.#tags;
    return sequence(literal(before), name, literal(after), this.#value(schema), literal(end));
  }

  /** The text of a value. Only there is text plain; within lists and objects it is JSON. */
  #value(schema: SchemaNode): Expression {
    const options = this.#options(schema);
    if (options.some(({ kind }) => PLAIN_TEXT.has(kind))) return this.textUntil(this.#tags.end.trim());
    return choice(
      options.flatMap((option) =>
        option.kind === "values"
          ? option.values.map((value) => this.#constant(value))
          : this.rule(this.node(option)),
      ),
    );
  }

  #constant(value: unknown): Expression {
    return typeof value === "string" ? literal(value) : this.node({ kind: "values", values: [value] });
  }

  /** What a schema may stand for, without references and unions. */
  #options(schema: SchemaNode, seen: ReadonlySet<SchemaNode> = new Set()): SchemaNode[] {
    const node = this.resolve(schema);
    if (node.kind !== "anyOf") return [node];
    return seen.has(node)
      ? []
      : node.options.flatMap((option) => this.#options(option, new Set([...seen, node])));
  }

  protected anyName(): Expression {
    return "[a-zA-Z_] [a-zA-Z0-9_-]*";
  }
}

/** Kinds that a text of any content matches; a `pattern` is not enforced on plain text. */
const PLAIN_TEXT: ReadonlySet<SchemaNode["kind"]> = new Set(["any", "string", "pattern"]);

class EscapedWriter extends ArgumentsWriter {
  /** The token on both sides of a text. */
  protected readonly quote: string = "<escape>";
  protected readonly separator = '","';
  protected override readonly braces = { open: '"{"', separator: '","', close: '"}"' };

  protected member(name: Expression, schema: SchemaNode): Expression {
    return sequence(name, '":"', this.node(schema));
  }

  protected override objectMember({ name, schema }: ObjectProperty): Expression {
    return this.member(literal(name), schema);
  }

  /** Text and objects are written alike at every depth. */
  protected override node(schema: SchemaNode): Expression {
    switch (schema.kind) {
      case "object":
        return sequence('"{"', this.root(schema), '"}"');
      case "string":
      case "pattern":
        return this.#quoted(this.textUntil(this.quote));
      case "values":
        return choice(schema.values.map((value) => this.#constant(value)));
      case "any":
        return this.#anything();
      default:
        return super.node(schema);
    }
  }

  #quoted(text: Expression): Expression {
    return sequence(literal(this.quote), text, literal(this.quote));
  }

  #constant(value: unknown): Expression {
    if (typeof value === "string") return this.#quoted(literal(value));
    if (typeof value !== "object" || value === null) return super.node({ kind: "values", values: [value] });
    const isList = Array.isArray(value);
    const parts = isList
      ? value.map((one) => this.#constant(one))
      : Object.entries(value).map(([name, field]) => sequence(literal(`${name}:`), this.#constant(field)));
    const list = parts.flatMap((part, at) => (at === 0 ? [part] : [this.separator, part]));
    return sequence(isList ? '"["' : '"{"', ...list, isList ? '"]"' : '"}"');
  }

  #anything(): Expression {
    const field = `${this.anyName()} ":" anyvalue`;
    const list = (one: Expression): Expression => `(${one} ("," ${one})*)?`;
    return this.define(
      "anyvalue",
      choice([
        this.#quoted(this.textUntil(this.quote)),
        "number",
        ...Object.values(this.literals),
        `"{" ${list(field)} "}"`,
        `"[" ${list("anyvalue")} "]"`,
      ]),
    );
  }

  protected anyName(): Expression {
    return "[a-zA-Z_] [a-zA-Z0-9_-]*";
  }
}

class QuotedWriter extends EscapedWriter {
  protected override readonly quote = '<|"|>';
}

const WRITERS = {
  python: PythonWriter,
  keywords: KeywordsWriter,
  escaped: EscapedWriter,
  quoted: QuotedWriter,
};
