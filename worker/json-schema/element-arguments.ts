import { ArgumentsWriter } from "./arguments-writer.ts";
import type { CheckedSchema, SchemaNode } from "./checked-schema.ts";
import type { Compilation } from "./compilation.ts";
import { choice, type Expression, literal, sequence } from "./grammar-text.ts";
import { either, text as exactly } from "./regular.ts";

export type JsonType = "number" | "boolean" | "null" | "array" | "object";

/** What stands around the name and the value of an argument that is an element: `before`, name, `after`, value, `end`. */
export interface ElementTags {
  before: string;
  after: string;
  /** What follows `after` before a text, and before another value, or one of its type. @default nothing */
  types?: { text: string; other: string | Readonly<Record<JsonType, string>> };
  /** Values do not contain it, but for white space around it. */
  end: string;
}

/** Arguments as elements. */
export class ElementWriter extends ArgumentsWriter {
  readonly #tags: ElementTags;
  protected readonly separator = '""';

  constructor(schema: CheckedSchema, compilation: Compilation, tags: ElementTags) {
    super(schema, compilation);
    this.#tags = tags;
  }

  protected member(name: Expression, schema: SchemaNode): Expression {
    const { before, after, types, end } = this.#tags;
    const options = this.#options(schema);
    const value = types ? this.#typed(options, types) : this.#value(options);
    return sequence(literal(before), name, literal(after), value, literal(end));
  }

  /** A value after what says whether it is text. */
  #typed(options: SchemaNode[], { text, other }: NonNullable<ElementTags["types"]>): Expression {
    const texts = options.flatMap((option) => (PLAIN_TEXT.has(option.kind) ? [option] : only(option, true)));
    const others = options.flatMap((option) =>
      option.kind === "any" ? [option] : PLAIN_TEXT.has(option.kind) ? [] : only(option, false),
    );
    const before = typeof other === "string" ? [other] : Object.values(other);
    const json = others.some(({ kind }) => kind === "any") ? this.node({ kind: "any" }) : this.#value(others);
    return choice([
      ...(texts.length === 0 ? [] : [sequence(literal(text), this.#value(texts))]),
      ...(others.length === 0 ? [] : [sequence(choice(before.map(literal)), json)]),
    ]);
  }

  /** The text of a value. Only there is text plain; within lists and objects it is JSON. */
  #value(options: SchemaNode[]): Expression {
    const tag = this.#tags.end.trim();
    // Up to where its first character occurs again, which `textUntil` does not allow.
    const again = tag.indexOf(tag[0]!, 1);
    const end = again < 0 ? tag : tag.slice(0, again);
    const [first] = options;
    if (first?.kind === "pattern" && options.length === 1) return this.patternUntil(end, first);
    if (options.some(({ kind }) => PLAIN_TEXT.has(kind))) return this.textUntil(end);
    const values = options.flatMap((option) => (option.kind === "values" ? option.values : []));
    const others = options.filter(({ kind }) => kind !== "values");
    return choice([
      ...(values.length === 0 ? [] : [this.#oneOfValues(values)]),
      ...others.map((option) => this.rule(this.node(option))),
    ]);
  }

  /** Texts as they are, and JSON. */
  #oneOfValues(values: readonly unknown[]): Expression {
    const constant = (value: unknown) => (typeof value === "string" ? exactly(value) : this.constant(value));
    return this.pattern(`plain values ${JSON.stringify(values)}`, () => either(values.map(constant))!);
  }

  /** What a schema may stand for, without references and unions. */
  #options(schema: SchemaNode, seen: ReadonlySet<SchemaNode> = new Set()): SchemaNode[] {
    const node = this.resolve(schema);
    if (node.kind !== "anyOf") return [node];
    return seen.has(node)
      ? []
      : node.options.flatMap((option) => this.#options(option, new Set([...seen, node])));
  }
}

/** Kinds that a text of any content matches; a `pattern` is enforced on plain text where it is the only option. */
const PLAIN_TEXT: ReadonlySet<SchemaNode["kind"]> = new Set(["any", "string", "pattern"]);

/** The part of an option that is text, or that is not. */
function only(option: SchemaNode, isText: boolean): SchemaNode[] {
  if (option.kind !== "values") return isText ? [] : [option];
  const values = option.values.filter((value) => (typeof value === "string") === isText);
  return values.length === 0 ? [] : [{ ...option, values }];
}
