import type { Compilation } from "../compilation.ts";
import { choice, type Expression, literal, sequence } from "../grammar/grammar-text.ts";
import { either, text as exactly } from "../pattern/pattern-node.ts";
import { type CheckedSchema, objectNode, type SchemaNode } from "../schema/checked-schema.ts";
import { ArgumentsWriter } from "./arguments-writer.ts";

type JsonType = "number" | "boolean" | "null" | "array" | "object";

/** What is written around the name and the value of an argument that is an element: `before`, name, `after`, value, `end`. */
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
    const options = this.options(schema);
    const value = types ? this.#typed(options, types) : this.#value(options);
    return sequence(literal(before), name, literal(after), value, literal(end));
  }

  /** A value after what says whether it is text, or which type it has. */
  #typed(options: SchemaNode[], { text, other }: NonNullable<ElementTags["types"]>): Expression {
    const labels = Object.entries(typeof other === "string" ? { any: other } : other) as [
      JsonType | "any",
      string,
    ][];
    const typed = (label: string, values: SchemaNode[]) =>
      values.length === 0 ? [] : [sequence(literal(label), this.#value(values))];
    const json = labels.flatMap(([type, label]) => {
      const values = options.flatMap((option) => ofType(option, type));
      const isAny = values.some(({ kind }) => kind === "any");
      return isAny ? [sequence(literal(label), this.node({ kind: "any" }))] : typed(label, values);
    });
    return choice([...typed(text, options.flatMap(texts)), ...json]);
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
      ...others.map((option) => this.rules.of(this.node(option))),
    ]);
  }

  /** Texts as they are, and JSON. */
  #oneOfValues(values: readonly unknown[]): Expression {
    const constant = (value: unknown) => (typeof value === "string" ? exactly(value) : this.constant(value));
    return this.pattern(`plain values ${JSON.stringify(values)}`, () => either(values.map(constant))!);
  }
}

/** Kinds that a text of any content matches; a `pattern` is enforced on plain text where it is the only option. */
const PLAIN_TEXT: ReadonlySet<SchemaNode["kind"]> = new Set(["any", "string", "pattern"]);

/** The part of an option that is text. */
function texts(option: SchemaNode): SchemaNode[] {
  if (PLAIN_TEXT.has(option.kind)) return [option];
  return option.kind === "values" ? valuesOf(option.values, (value) => typeof value === "string") : [];
}

/** The part of an option that is JSON of a type, or of any. */
function ofType(option: SchemaNode, type: JsonType | "any"): SchemaNode[] {
  if (option.kind === "any") return [type === "any" ? option : ANY_OF_TYPE[type]];
  if (PLAIN_TEXT.has(option.kind)) return [];
  if (option.kind === "values")
    return valuesOf(
      option.values,
      (value) => typeof value !== "string" && (type === "any" || typeOf(value) === type),
    );
  return type === "any" || option.kind === type ? [option] : [];
}

function valuesOf(values: readonly unknown[], isPart: (value: unknown) => boolean): SchemaNode[] {
  const part = values.filter(isPart);
  return part.length === 0 ? [] : [{ kind: "values", values: part }];
}

function typeOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

const ANY: SchemaNode = { kind: "any" };
const ANY_OF_TYPE: Readonly<Record<JsonType, SchemaNode>> = {
  number: { kind: "number", integer: false },
  boolean: { kind: "boolean" },
  null: { kind: "null" },
  array: { kind: "array", prefix: [], items: ANY, minItems: 0, maxItems: undefined },
  object: objectNode([], ANY),
};
