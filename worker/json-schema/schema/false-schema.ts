/** Schemas that no value matches: `false`, `{"not": {}}`, as Zod and TypeBox write `never`, and unions of these. */

import { isObject } from "../../../src/shared/is-object.ts";
import { type Path, SchemaProblem } from "./checked-schema.ts";
import { isAnnotation } from "./keywords.ts";

/** @param strict whether `not` is refused in any case */
export function isFalse(schema: unknown, strict = false): boolean {
  if (!isObject(schema)) return schema === false;
  const { anyOf, oneOf, not } = schema;
  if (!strict && isTrue(not)) return true;
  return [anyOf, oneOf].some(
    (all) => Array.isArray(all) && all.length > 0 && all.every((one) => isFalse(one, strict)),
  );
}

function isTrue(schema: unknown): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).every(isAnnotation));
}

export function falseProblem(path: Path): SchemaProblem {
  return new SchemaProblem(path, "the schema accepts no value.");
}
