/** Formats of the input of custom tools, as schemas of the function that stands for one. */

import { AutomatonProblem } from "./automaton.ts";
import type { CheckedSchema, SchemaNode } from "./checked-schema.ts";
import type { Compilation } from "./compilation.ts";
import { PatternProblem } from "./pattern-characters.ts";
import { rustPattern } from "./rust-pattern.ts";
import { stringNode } from "./scalar-schema.ts";
import { SchemaProblem } from "./schema-problem.ts";

export type InputFormat =
  | { type: "text" }
  /** A regular expression, as of Rust's crate `regex`, that the whole input matches; or a Lark grammar. */
  | { type: "regex" | "lark"; definition: string };

const MAX_STATES = 20_000;

/** The schema of an object with an input, or an error message. */
export function inputSchema(
  format: InputFormat,
  name: string,
  compilation: Compilation,
): { ok: true; schema: CheckedSchema } | { ok: false; message: string } {
  try {
    const properties = [{ name, schema: inputNode(format, compilation), required: true }];
    const root: SchemaNode = {
      kind: "object",
      properties,
      additional: undefined,
      minProperties: 0,
      maxProperties: undefined,
    };
    return { ok: true, schema: { root, definitions: new Map() } };
  } catch (error) {
    const isKnown =
      error instanceof PatternProblem || error instanceof AutomatonProblem || error instanceof SchemaProblem;
    if (!isKnown) throw error;
    return { ok: false, message: error.message };
  }
}

function inputNode(format: InputFormat, compilation: Compilation): SchemaNode {
  if (format.type === "text") return { kind: "string", minLength: 0, maxLength: undefined };
  const { type, definition } = format;
  if (type === "lark") throw new PatternProblem("Lark grammars are not supported; use a regex.");
  return stringNode(
    `${type} ${definition}`,
    () => rustPattern(definition, compilation.budget),
    compilation,
    MAX_STATES,
  );
}
