import { referenced } from "../json-schema/json-pointer.ts";
import type { ToolDefinition } from "./tool-types.ts";

/** JSON types of each tool's parameters, as far as its schema states them. Plain data. */
export type ToolParameterTypes = Readonly<
  Record<string, Readonly<Record<string, string | readonly string[]>>>
>;

export function parameterTypes(tools: readonly ToolDefinition[]): ToolParameterTypes {
  return Object.fromEntries(
    tools.map(({ function: { name, parameters } }) => {
      const properties = Object.entries((parameters?.properties ?? {}) as Record<string, unknown>);
      const reader = new TypeReader(parameters);
      // Untyped ones too: positional arguments count them.
      const typed = properties.map(([key, schema]) => {
        const types = [...reader.types(schema)];
        return [key, types.length === 1 ? types[0]! : types] as const;
      });
      return [name, Object.fromEntries(typed)];
    }),
  );
}

/** Reads the types of schemas within one document. Each schema is read once, however often references lead to it. */
class TypeReader {
  readonly #root: unknown;
  readonly #known = new Map<unknown, ReadonlySet<string>>();

  constructor(root: unknown) {
    this.#root = root;
  }

  /** @returns an empty set if the schema takes any type */
  types(schema: unknown): ReadonlySet<string> {
    if (typeof schema !== "object" || schema === null) return new Set();
    let types = this.#known.get(schema);
    if (!types) {
      // What a schema that leads to itself finds on its way.
      this.#known.set(schema, new Set());
      types = this.#read(schema as Record<string, unknown>);
      if ("nullable" in schema && schema.nullable === true && types.size > 0)
        types = new Set([...types, "null"]);
      this.#known.set(schema, types);
    }
    return types;
  }

  #read({
    type,
    $ref,
    anyOf,
    oneOf,
    allOf,
    enum: values,
    const: only,
  }: Record<string, unknown>): ReadonlySet<string> {
    if (type !== undefined) return new Set([type].flat().filter((one) => typeof one === "string"));
    if (typeof $ref === "string") return this.types(referenced(this.#root, $ref));
    const options = Array.isArray(anyOf) ? anyOf : oneOf;
    if (Array.isArray(options)) {
      const each = options.map((option) => this.types(option));
      return new Set(each.some(({ size }) => size === 0) ? [] : each.flatMap((types) => [...types]));
    }
    if (Array.isArray(allOf))
      return allOf.map((part) => this.types(part)).find(({ size }) => size > 0) ?? new Set();
    const constants = only !== undefined ? [only] : Array.isArray(values) ? values : [];
    const types = new Set(constants.map(typeOfValue));
    // Among texts and numbers, a value's own JSON says which it is.
    const isMixed = types.has("string") && [...types].some((type) => type !== "string" && type !== "null");
    return isMixed ? new Set() : types;
  }
}

function typeOfValue(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
