import { choice, type Expression, literal, repeat, sequence } from "../grammar/grammar-text.ts";
import type { ArrayNode, ObjectProperty, SchemaNode } from "../schema/checked-schema.ts";
import { ArgumentsWriter } from "./arguments-writer.ts";

/** The token before each tag. */
export const NESTED_TOKEN = "]<]minimax[>[";
/** The name of an element of a list. */
export const NESTED_ITEM = "item";

/** Arguments as elements that are named after them and may hold others, as MiniMax M3 writes them. */
export class NestedWriter extends ArgumentsWriter {
  protected readonly separator = '""';
  protected override readonly braces = { open: '""', separator: '""', close: '""' };

  protected member(name: Expression, schema: SchemaNode): Expression {
    return this.#element(name, this.node(schema));
  }

  protected override objectMember({ name, schema }: ObjectProperty): Expression {
    return this.member(literal(name), schema);
  }

  /** Texts, lists and objects are written alike at every depth. */
  protected override node(schema: SchemaNode): Expression {
    switch (schema.kind) {
      case "object":
        return this.compilation.budget.nested(() => this.root(schema));
      case "array":
        return this.compilation.budget.nested(() => this.#list(schema));
      case "string":
        return this.textUntil();
      case "pattern":
        return this.patternUntil(NESTED_TOKEN, schema);
      case "values":
        return this.oneOf(schema.values.map(written));
      case "any":
        return this.#anything();
      default:
        return super.node(schema);
    }
  }

  #element(name: Expression, value: Expression): Expression {
    return sequence(
      literal(`${NESTED_TOKEN}<`),
      name,
      '">"',
      value,
      literal(`${NESTED_TOKEN}</`),
      name,
      '">"',
    );
  }

  #item(value: Expression): Expression {
    return this.rules.of(this.#element(literal(NESTED_ITEM), value));
  }

  #list({ prefix, items, minItems, maxItems }: ArrayNode): Expression {
    const first = prefix.map((one) => this.#item(this.node(one)));
    if (!items) return sequence(...first, '""');
    const more = maxItems === undefined ? undefined : maxItems - first.length;
    const rest = repeat(this.#item(this.node(items)), Math.max(0, minItems - first.length), more);
    return sequence(...first, rest);
  }

  #anything(): Expression {
    const field = this.#element(this.anyName(), "anyvalue");
    return this.rules.define("anyvalue", choice([this.textUntil(), `(${field})+`]));
  }

  /** Text without the beginning of the token, whose first character occurs in it again; it may end with a part of it. */
  protected override textUntil(): Expression {
    const brackets = '"]"+';
    return this.rules.define("value", `([^\\]] | ${brackets} ([^\\]<] | "<" [^\\]]))* (${brackets} "<"?)?`);
  }
}

/** A value as elements. */
function written(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Array.isArray(value)
    ? value.map((one) => [NESTED_ITEM, one] as const)
    : Object.entries(value);
  return members
    .map(([name, field]) => `${NESTED_TOKEN}<${name}>${written(field)}${NESTED_TOKEN}</${name}>`)
    .join("");
}
