import { sortedByName } from "../../../src/shared/sorted-by-name.ts";
import { choice, type Expression, literal, sequence } from "../grammar/grammar-text.ts";
import type { ObjectProperty, SchemaNode } from "../schema/checked-schema.ts";
import { ArgumentsWriter } from "./arguments-writer.ts";
import { escapedValue } from "./escaped-value.ts";

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

  /** The templates sort members in definitions and calls. */
  protected override ordered(properties: readonly ObjectProperty[]): readonly ObjectProperty[] {
    return sortedByName(properties, ({ name }) => name);
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
        return this.oneOf(schema.values.map((value) => escapedValue(value, this.quote)));
      case "any":
        return this.#anything();
      default:
        return super.node(schema);
    }
  }

  #quoted(text: Expression): Expression {
    return sequence(literal(this.quote), text, literal(this.quote));
  }

  #anything(): Expression {
    const field = `${this.anyName()} ":" anyvalue`;
    const list = (one: Expression): Expression => `(${one} ("," ${one})*)?`;
    return this.rules.define(
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
