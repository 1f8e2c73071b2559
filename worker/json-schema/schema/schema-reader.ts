import { isObject } from "../../../src/shared/is-object.ts";
import type { Compilation } from "../compilation.ts";
import { shown } from "../schema-problem.ts";
import { readArray } from "./array-schema.ts";
import {
  type Path,
  type ReaderContext,
  type Schema,
  type SchemaNode,
  type SchemaOptions,
  SchemaProblem,
} from "./checked-schema.ts";
import type { Union } from "./disjoint.ts";
import { falseProblem, isFalse } from "./false-schema.ts";
import { pointerPath, referenced } from "./json-pointer.ts";
import { isAnnotation, isEnforced, KEYWORDS_OF_TYPE, TYPES } from "./keywords.ts";
import { readNumber } from "./number-schema.ts";
import { readObject } from "./object-schema.ts";
import { withoutPatterns } from "./pattern-properties.ts";
import { mergeSchemas } from "./schema-merge.ts";
import { readString } from "./string-schema.ts";
import { readValues } from "./values-schema.ts";

/** `strict` is OpenAI's limit; `other` bounds the expansion of combined schemas. */
const MAX_LEVELS = { strict: 10, other: 64 };

/** Converts a schema and its references to nodes; one instance per schema. */
export class SchemaReader implements ReaderContext {
  readonly strict: boolean;
  readonly definitions = new Map<string, SchemaNode>();
  readonly unions: Union[] = [];
  readonly #root: unknown;
  readonly #ignores: boolean;
  readonly #begun = new Set<string>();
  readonly compilation: Compilation;

  constructor(
    root: unknown,
    { strict = false, unsupported = "refuse" }: SchemaOptions,
    compilation: Compilation,
  ) {
    this.compilation = compilation;
    this.#root = root;
    this.strict = strict;
    this.#ignores = unsupported === "ignore";
  }

  refuse(path: Path, message: string): void {
    if (!this.#ignores) throw new SchemaProblem(path, message);
  }

  read(schema: unknown, path: Path): SchemaNode {
    return this.compilation.budget.nested(() => this.#read(schema, path));
  }

  #read(schema: unknown, path: Path): SchemaNode {
    this.#count(path);
    if (schema === true) return { kind: "any" };
    if (isFalse(schema, this.strict)) throw falseProblem(path);
    const object = withoutPatterns(asSchema(schema, path));
    if (object.nullable === true) return this.#nullable(object, path);
    const constraints: Schema = {};
    for (const [keyword, value] of Object.entries(object)) {
      if (isAnnotation(keyword)) continue;
      if (isEnforced(keyword)) constraints[keyword] = value;
      else if (typeof value !== "boolean" || !SAYS_NOTHING.has(`${keyword}:${value}`))
        this.refuse(path, `'${keyword}' is not permitted.`);
    }
    if (isObject(constraints.propertyNames) && !isFalse(constraints.propertyNames))
      constraints.propertyNames = this.#inlined(constraints.propertyNames, [...path, "propertyNames"]);
    if (constraints.$ref !== undefined) return this.#reference(constraints, path);
    for (const keyword of ["allOf", "oneOf", "anyOf"] as const) {
      if (constraints[keyword] !== undefined) return this.#combine(keyword, constraints, path);
    }
    return this.#typed(constraints, path);
  }

  /** OpenAPI's way to say "or null", or with `enum: [null]` only null; OpenAI's helpers write it for schemas of Zod 3. */
  #nullable({ nullable: _, ...others }: Schema, path: Path): SchemaNode {
    if (JSON.stringify(others.enum) === "[null]") return { kind: "null" };
    return { kind: "anyOf", options: [this.read(others, path), { kind: "null" }] };
  }

  #count(path: Path): void {
    const limit = this.strict ? MAX_LEVELS.strict : MAX_LEVELS.other;
    const level = path.filter((part) => part === "properties" || part === "items").length;
    if (level > limit) throw new SchemaProblem([], `${level} levels of nesting exceeds limit of ${limit}.`);
    this.compilation.budget.spend("subschemas");
  }

  #reference(constraints: Schema, path: Path): SchemaNode {
    const { $ref: pointer, ...others } = constraints;
    if (typeof pointer !== "string")
      throw new SchemaProblem(path, `${shown(pointer)} is not of type 'string'.`);
    const target = this.#resolve(pointer, path);
    if (Object.keys(others).length > 0) {
      if (this.strict)
        throw new SchemaProblem(path, `$ref cannot have keywords {${quoted(Object.keys(others))}}.`);
      return this.#merged([others, asSchema(target, path)], [...path, "$ref"]);
    }
    if (!this.#begun.has(pointer)) {
      this.#begun.add(pointer);
      this.definitions.set(pointer, this.read(target, pointerPath(pointer)));
    }
    return { kind: "reference", name: pointer };
  }

  #resolve(pointer: string, path: Path): unknown {
    const target = referenced(this.#root, pointer);
    if (target !== undefined) return target;
    if (pointer.startsWith("#"))
      throw new SchemaProblem(path, `reference to '${pointer}' cannot be resolved.`);
    throw new SchemaProblem(path, `$ref '${pointer}' must point into the schema itself.`);
  }

  #combine(keyword: "allOf" | "oneOf" | "anyOf", constraints: Schema, path: Path): SchemaNode {
    const { [keyword]: parts, ...others } = constraints;
    const here = [...path, keyword];
    if (this.strict && keyword !== "anyOf") throw new SchemaProblem(path, `'${keyword}' is not permitted.`);
    if (!Array.isArray(parts)) throw new SchemaProblem(here, `${shown(parts)} is not of type 'array'.`);
    if (parts.length === 0) throw new SchemaProblem(here, "[] should be non-empty.");
    const alone = Object.keys(others).length === 0;
    if (keyword === "allOf") {
      if (alone && parts.length === 1) return this.read(parts[0], [...here, 0]);
      return this.#merged([others, ...parts.map((part, at) => this.#inlined(part, [...here, at]))], here);
    }
    const options = parts
      .map((part, at) => ({ part, here: [...here, at] }))
      .filter(({ part }) => !isFalse(part, this.strict))
      .map(({ part, here }) =>
        alone ? this.read(part, here) : this.#merged([others, this.#inlined(part, here)], here),
      );
    if (options.length === 0) throw falseProblem(here);
    if (keyword === "oneOf") this.unions.push({ options, path });
    return { kind: "anyOf", options };
  }

  #inlined(schema: unknown, path: Path): Schema {
    if (schema === true) return {};
    if (isFalse(schema)) throw falseProblem(path);
    const object = asSchema(schema, path);
    if (typeof object.$ref !== "string") return object;
    const { $ref: pointer, ...others } = object;
    this.#count([...path, pointer as string]);
    const target = asSchema(this.#resolve(pointer as string, path), path);
    return Object.keys(others).every(isAnnotation) ? target : { allOf: [target, others] };
  }

  #merged(parts: readonly Schema[], path: Path): SchemaNode {
    let whole: Schema = {};
    for (const part of parts) {
      const merged = mergeSchemas(whole, part, this.compilation.budget);
      if (merged.conflict !== undefined)
        this.refuse(path, `'${merged.conflict}' of the combined schemas cannot be joined.`);
      whole = merged.schema;
    }
    return this.read(whole, path);
  }

  #typed(constraints: Schema, path: Path): SchemaNode {
    const types = this.#types(constraints, path);
    if (hasValues(constraints)) return readValues(constraints, types, path);
    if (types === undefined) return { kind: "any" };
    const nodes = types.map((type) => this.#ofType(type, constraints, path));
    return nodes.length === 1 ? nodes[0]! : { kind: "anyOf", options: nodes };
  }

  /** Undefined if any type is allowed. */
  #types({ type, ...constraints }: Schema, path: Path): string[] | undefined {
    if (type !== undefined) {
      const types: unknown[] = Array.isArray(type) ? type : [type];
      if (types.length === 0) throw new SchemaProblem([...path, "type"], "[] should be non-empty.");
      for (const one of types) {
        if (!TYPES.has(one))
          throw new SchemaProblem(path, `${shown(one)} is not valid under any of the given schemas.`);
      }
      return [...new Set(types as string[])];
    }
    if (this.strict && !hasValues(constraints))
      throw new SchemaProblem(path, "schema must have a 'type' key.");
    const meant = Object.entries(KEYWORDS_OF_TYPE)
      .filter(([, keywords]) => keywords.some((keyword) => constraints[keyword] !== undefined))
      .map(([name]) => name);
    return meant.length === 0 ? undefined : meant;
  }

  #ofType(type: string, constraints: Schema, path: Path): SchemaNode {
    switch (type) {
      case "object":
        return readObject(constraints, path, this);
      case "array":
        return readArray(constraints, path, this);
      case "string":
        return readString(constraints, path, this);
      case "number":
      case "integer":
        return readNumber(constraints, type === "integer", path, this);
      default:
        return { kind: type as "boolean" | "null" };
    }
  }
}

/** Keywords with a value that makes them no-ops. */
const SAYS_NOTHING = new Set(["uniqueItems:false", "nullable:false", "unevaluatedItems:true"]);

function hasValues(schema: Schema): boolean {
  return schema.const !== undefined || schema.enum !== undefined;
}

function asSchema(schema: unknown, path: Path): Schema {
  if (isObject(schema)) return schema;
  throw new SchemaProblem(path, `${shown(schema)} is not of type 'object', 'boolean'.`);
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(", ");
}
