import { ArgumentsWriter } from "./arguments-writer.ts";
import type { ObjectProperty, SchemaNode } from "./checked-schema.ts";
import { choice, type Expression, literal, sequence } from "./grammar-text.ts";

/** Arguments with bare keys, and texts between two tokens. */
export class EscapedWriter extends ArgumentsWriter {
  /** The token on both sides of a text. */
  protected readonly quote: string = "<escape>";
  protected readonly separator = '","';
  protected override readonly braces = { open: '"{"', separator: '","', close: '"}"' };

  protected member(name: Expression, schema: SchemaNode): Expression {
    const node = this.resolve(schema);
    const value =
      node.kind === "pattern" ? this.#quoted(this.patternUntil(this.quote, node)) : this.node(schema);
    return sequence(name, '":"', value);
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
}

/** The same with the token of Gemma 4. */
export class QuotedWriter extends EscapedWriter {
  protected override readonly quote = '<|"|>';
}
