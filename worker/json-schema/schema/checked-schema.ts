/** A checked JSON schema, reduced to what a grammar can enforce exactly. */

import type { Automaton } from "../automaton/automaton.ts";
import type { Compilation } from "../compilation.ts";
import type { Path } from "../schema-problem.ts";

export { type Path, SchemaProblem } from "../schema-problem.ts";

export type SchemaNode =
  | { kind: "any" }
  | { kind: "null" }
  | { kind: "boolean" }
  | { kind: "reference"; name: string }
  | UnionNode
  | ValuesNode
  | { kind: "string"; minLength: number; maxLength: number | undefined }
  | MatchNode
  | NumberNode
  | ArrayNode
  | ObjectNode;

export interface UnionNode {
  kind: "anyOf";
  options: SchemaNode[];
}

/** `enum` and `const`. */
export interface ValuesNode {
  kind: "values";
  values: readonly unknown[];
}

/** A string with a `pattern` or a `format`. */
export interface MatchNode {
  kind: "pattern";
  /** Accepts the whole JSON text, including quotes. */
  automaton: Automaton;
  /**
   * Accepts the plain texts in which `end` does not occur.
   *
   * @throws {AutomatonProblem} which is an error where `isRequired`; otherwise any text is allowed
   */
  plainUntil?: (end: string) => Automaton;
  isRequired?: boolean;
}

export interface NumberNode {
  kind: "number";
  integer: boolean;
  minimum?: NumberBound;
  maximum?: NumberBound;
  /** The multiples within the bounds that `multipleOf` allows. */
  multiples?: Automaton;
}

export interface ArrayNode {
  kind: "array";
  prefix: SchemaNode[];
  /** Undefined if nothing may follow the prefix. */
  items: SchemaNode | undefined;
  minItems: number;
  maxItems: number | undefined;
}

export interface ObjectNode {
  kind: "object";
  properties: ObjectProperty[];
  /** Schema of undeclared members; only if no property is declared. */
  additional: SchemaNode | undefined;
  /** The names of undeclared members. @default any text */
  names?: Extract<SchemaNode, { kind: "string" }> | MatchNode;
  minProperties: number;
  maxProperties: number | undefined;
}

/** @param additional schema of the members of an object that declares none */
export function objectNode(properties: ObjectProperty[], additional?: SchemaNode): ObjectNode {
  return { kind: "object", properties, additional, minProperties: 0, maxProperties: undefined };
}

/** Inclusive unless `exclusive` is set. */
export interface NumberBound {
  value: number;
  exclusive: boolean;
}

export interface ObjectProperty {
  name: string;
  schema: SchemaNode;
  required: boolean;
}

export interface CheckedSchema {
  root: SchemaNode;
  /** Targets of references; may be recursive. */
  definitions: ReadonlyMap<string, SchemaNode>;
}

export interface SchemaOptions {
  /** OpenAI's `strict: true`: all properties required, no additional ones. */
  strict?: boolean;
  /**
   * Whether to refuse or ignore keywords that cannot be enforced, such as `not` or `uniqueItems`. OpenAI ignores them
   * in tools that are not strict. Invalid schemas are always refused.
   */
  unsupported?: "refuse" | "ignore";
}

/** Shared by the readers of all kinds of schemas. */
export interface ReaderContext {
  readonly strict: boolean;
  readonly compilation: Compilation;
  /** @throws {SchemaProblem} */
  read(schema: unknown, path: Path): SchemaNode;
  /**
   * Refuses a schema that cannot be enforced.
   *
   * @throws {SchemaProblem} unless unsupported keywords are ignored
   */
  refuse(path: Path, message: string): void;
}

export type Schema = Record<string, unknown>;
