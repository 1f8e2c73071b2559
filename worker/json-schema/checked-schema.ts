/** A checked JSON schema, reduced to what a grammar can enforce exactly. */

import type { Automaton } from "./automaton.ts";
import type { Compilation } from "./compilation.ts";
import type { Path } from "./schema-problem.ts";

export { type Path, SchemaProblem } from "./schema-problem.ts";

export type SchemaNode =
  | { kind: "any" }
  | { kind: "null" }
  | { kind: "boolean" }
  | { kind: "reference"; name: string }
  | { kind: "anyOf"; options: SchemaNode[] }
  /** `enum` and `const`. */
  | { kind: "values"; values: readonly unknown[] }
  | { kind: "string"; minLength: number; maxLength: number | undefined }
  /**
   * Matches the whole JSON text, including quotes. `plainUntil`, if known, is of the plain texts in which `end` does not
   * occur; it may throw an AutomatonProblem, which is an error where `isRequired`, else any text is allowed.
   */
  | {
      kind: "pattern";
      automaton: Automaton;
      plainUntil?: (end: string) => Automaton;
      isRequired?: boolean;
    }
  | NumberNode
  | {
      kind: "array";
      prefix: SchemaNode[];
      /** Undefined if nothing may follow the prefix. */
      items: SchemaNode | undefined;
      minItems: number;
      maxItems: number | undefined;
    }
  | {
      kind: "object";
      properties: ObjectProperty[];
      /** Schema of undeclared members; only if no property is declared. */
      additional: SchemaNode | undefined;
      minProperties: number;
      maxProperties: number | undefined;
    };

export interface NumberNode {
  kind: "number";
  integer: boolean;
  minimum?: NumberBound;
  maximum?: NumberBound;
  /** The multiples within the bounds that `multipleOf` allows. */
  multiples?: Automaton;
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
