import type { Schema } from "./checked-schema.ts";
import { isFalse } from "./false-schema.ts";

/**
 * The same schema with `propertyNames` and `additionalProperties` in place of `patternProperties`: with one pattern,
 * names that match it; with several, which may match the same name, any names and values.
 */
export function withoutPatterns(schema: Schema): Schema {
  const { patternProperties, additionalProperties: others = true, propertyNames } = schema;
  const [first, second] = Object.entries(patternProperties ?? {}).filter(([, one]) => !isFalse(one));
  const isClosed = isFalse(others);
  if (!first) return schema;
  const isMap = schema.properties === undefined && schema.required === undefined && others === true;
  if (!isClosed && !isMap) return schema;
  if (second) return isClosed ? { ...schema, additionalProperties: true } : schema;
  const names = propertyNames === undefined ? { propertyNames: { pattern: first[0] } } : {};
  return { ...schema, ...names, additionalProperties: first[1] };
}
