/** Grammars of arguments that models do not write as JSON. Values that are no text remain JSON, or Python. */

import type { CheckedSchema, ObjectProperty, SchemaNode } from "./checked-schema.ts";
import { Compilation } from "./compilation.ts";
import { GrammarWriter, schemaGrammar } from "./grammar.ts";
import { choice, type Expression, literal, repeat, sequence } from "./grammar-text.ts";

export type ArgumentsDialect =
  | "json"
  /** `a="text", b=True` */
  | "python"
  /** `<parameter=a>\ntext\n</parameter>\n` */
  | "xml"
  /** `a:<escape>text<escape>,b:true` */
  | "escaped"
  /** `a:<|"|>text<|"|>,b:true` */
  | "quoted";

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
      const write = ({ name, schema }: ObjectProperty): Expression => this.member(literal(name), schema);
      return this.members(object.properties, this.separator, write);
    }
    const { additional, minProperties: min, maxProperties: max } = object;
    if (!additional || max === 0) return '""';
    const member = this.rule(this.member(this.anyName(), additional));
    const others = repeat(sequence(this.separator, member), Math.max(0, min - 1), max && max - 1);
    const list = sequence(member, others);
    return min === 0 ? `(${list})?` : list;
  }

  /** Text without `end`: no character is quoted. */
  protected textUntil(end: string): Expression {
    const others = [...end].slice(1).map((_, at) => {
      const begun = end.slice(0, at + 1);
      const next = `[^${end[at + 1]}${end[0]}]`.replace("]]", "\\]]");
      return sequence(literal(begun), next);
    });
    return this.define("freetext", repeat(choice([`[^${end[0]}]`, ...others]), 0, undefined));
  }

  /** Text as it is, if the schema takes text; undefined if it takes none. */
  protected plainText(node: SchemaNode, end: string): Expression | undefined {
    const resolved = this.resolve(node);
    if (resolved.kind === "values" && resolved.values.every((value) => typeof value === "string"))
      return choice(resolved.values.map((value) => literal(value as string)));
    return TEXTUAL.has(resolved.kind) ? this.textUntil(end) : undefined;
  }
}

/** Kinds that may be text. */
const TEXTUAL: ReadonlySet<SchemaNode["kind"]> = new Set(["any", "anyOf", "string", "pattern", "values"]);

class PythonWriter extends ArgumentsWriter {
  protected override readonly literals = { true: '"True"', false: '"False"', null: '"None"' };
  protected readonly separator = '"," " "?';

  protected member(name: Expression, schema: SchemaNode): Expression {
    return sequence(name, '"="', this.node(schema));
  }

  protected anyName(): Expression {
    return "[a-zA-Z_] [a-zA-Z0-9_]*";
  }
}

class XmlWriter extends ArgumentsWriter {
  protected readonly separator = '""';

  protected member(name: Expression, schema: SchemaNode): Expression {
    const value = this.plainText(schema, "</parameter>") ?? this.node(schema);
    return sequence('"<parameter="', name, literal(">\n"), value, literal("\n</parameter>\n"));
  }

  protected anyName(): Expression {
    return "[a-zA-Z_] [a-zA-Z0-9_-]*";
  }
}

class EscapedWriter extends ArgumentsWriter {
  /** The token on both sides of a text. */
  protected readonly quote: string = "<escape>";
  protected readonly separator = '","';

  protected member(name: Expression, schema: SchemaNode): Expression {
    return sequence(name, '":"', this.node(schema));
  }

  /** Text and objects are written alike at every depth. */
  protected override node(schema: SchemaNode): Expression {
    if (schema.kind === "object") return sequence('"{"', this.root(schema), '"}"');
    const text = schema.kind === "reference" ? undefined : this.plainText(schema, this.quote);
    return text ? sequence(literal(this.quote), text, literal(this.quote)) : super.node(schema);
  }

  protected anyName(): Expression {
    return "[a-zA-Z_] [a-zA-Z0-9_-]*";
  }
}

class QuotedWriter extends EscapedWriter {
  protected override readonly quote = '<|"|>';
}

const WRITERS = { python: PythonWriter, xml: XmlWriter, escaped: EscapedWriter, quoted: QuotedWriter };
