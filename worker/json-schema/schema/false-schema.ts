/** Schemas that no value matches: `false`, and `{"not": {}}`, as Zod and TypeBox write `never`. */

import { isObject } from "../../../src/shared/is-object.ts";
import { type Path, SchemaProblem } from "./checked-schema.ts";
import { isAnnotation } from "./keywords.ts";

/** @param strict whether `not` is refused in any case */
export function isFalse(schema: unknown, strict = false): boolean {
  return schema === false || (!strict && isObject(schema) && isTrue(schema.not));
}

function isTrue(schema: unknown): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).every(isAnnotation));
}

export function falseProblem(path: Path): SchemaProblem {
  return new SchemaProblem(path, "the schema accepts no value.");
}
