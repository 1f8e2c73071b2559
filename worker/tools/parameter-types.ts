import { isObject } from "../../src/shared/is-object.ts";
import { referenced } from "../json-schema/schema/json-pointer.ts";
import { PATH_GAP } from "../reply/call-format.ts";
import type { ToolDefinition } from "./tool-types.ts";

/** Paths of nested values, and steps to find them. */
const MAX_PATHS = 1_000;
const MAX_STEPS = 10_000;
const MAX_DEPTH = 16;

/** JSON types of each tool's parameters, as far as its schema states them. Plain data. */
type ToolParameterTypes = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

/** @param isNested whether the types of values in lists and objects are listed too, by their paths */
export function parameterTypes(tools: readonly ToolDefinition[], isNested = false): ToolParameterTypes {
  return Object.fromEntries(
    tools.map(({ function: { name, parameters } }) => [name, new TypeReader(parameters).paths(isNested)]),
  );
}

/** Reads the types of schemas within one document. Each schema is read once, however often references lead to it. */
class TypeReader {
  readonly #root: unknown;
  readonly #known = new Map<unknown, ReadonlySet<string>>();

  constructor(root: unknown) {
    this.#root = root;
  }

  /**
   * Types of the parameters, as far as there are not too many, and empty where they are not known: positional arguments
   * count all.
   *
   * @param isNested whether those of the values within them are listed too
   */
  paths(isNested: boolean): Record<string, string | string[]> {
    const found = new Map<string, ReadonlySet<string>>();
    /** Where each schema was visited. */
    const seen = new Map<unknown, Set<string>>();
    let steps = 0;
    const mayGoOn = (): boolean => ++steps <= MAX_STEPS;
    const visit = (schema: unknown, path: string, depth: number): void => {
      if (!isObject(schema) || depth > MAX_DEPTH || found.size >= MAX_PATHS) return;
      const paths = seen.get(schema) ?? new Set();
      if (paths.has(path)) return;
      seen.set(schema, paths.add(path));
      const { $ref, anyOf, oneOf, allOf, properties, items } = schema as Record<string, unknown>;
      const members = Object.entries(isObject(properties) ? properties : {});
      if (isNested && items !== undefined) members.push(["item", items]);
      for (const [key, member] of members) {
        if (!mayGoOn()) return;
        const at = path === "" ? key : path + PATH_GAP + key;
        const known = found.get(at);
        // The options of a union may have members of one name.
        if (known || found.size < MAX_PATHS)
          found.set(at, new Set([...(known ?? []), ...this.types(member)]));
        if (isNested) visit(member, at, depth + 1);
      }
      if (typeof $ref === "string" && mayGoOn()) visit(referenced(this.#root, $ref), path, depth + 1);
      for (const part of [anyOf, oneOf, allOf].flat()) {
        if (!mayGoOn()) return;
        visit(part, path, depth + 1);
      }
    };
    visit(this.#root, "", 0);
    return Object.fromEntries(Array.from(found, ([path, types]) => [path, listed(types)]));
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
    const constants = only !== undefined ? [only] : Array.isArray(values) ? values : [];
    if (type !== undefined) {
      const stated = [type].flat().filter((one): one is string => typeof one === "string");
      const used = new Set(constants.map(typeOfValue));
      // Where the enum has texts alone, the text "5" is meant. Authors forget its null.
      const isUsed = (one: string): boolean =>
        used.size === 0 || one === "null" || used.has(one === "integer" ? "number" : one);
      return new Set(stated.length > 1 ? stated.filter(isUsed) : stated);
    }
    if (typeof $ref === "string") return this.types(referenced(this.#root, $ref));
    const options = Array.isArray(anyOf) ? anyOf : oneOf;
    if (Array.isArray(options)) {
      const each = options.map((option) => this.types(option));
      return new Set(each.some(({ size }) => size === 0) ? [] : each.flatMap((types) => [...types]));
    }
    if (Array.isArray(allOf))
      return allOf.map((part) => this.types(part)).find(({ size }) => size > 0) ?? new Set();
    const types = new Set(constants.map(typeOfValue));
    // Among texts and numbers, a value's own JSON says which it is.
    const isMixed = types.has("string") && [...types].some((type) => type !== "string" && type !== "null");
    return isMixed ? new Set() : types;
  }
}

function listed(types: ReadonlySet<string>): string | string[] {
  const [first, ...others] = types;
  return first !== undefined && others.length === 0 ? first : [...types];
}

function typeOfValue(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
