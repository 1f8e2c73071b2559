/** JSON Schema keywords by their treatment. */

/** Keywords that do not constrain values. */
const ANNOTATIONS = new Set([
  "title",
  "description",
  "default",
  "example",
  "examples",
  "$schema",
  "$id",
  "id",
  "$comment",
  "$anchor",
  "$defs",
  "definitions",
  "deprecated",
  "readOnly",
  "writeOnly",
  "contentMediaType",
  "contentEncoding",
]);

const OBJECT = [
  "properties",
  "required",
  "additionalProperties",
  "minProperties",
  "maxProperties",
  "propertyNames",
  "unevaluatedProperties",
];
const ARRAY = ["items", "prefixItems", "additionalItems", "minItems", "maxItems"];
const STRING = ["pattern", "format", "minLength", "maxLength"];
const NUMBER = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
const ANY_TYPE = ["type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref"];

/** Infers the type of schemas without `type`. */
export const KEYWORDS_OF_TYPE: Record<string, readonly string[]> = {
  object: OBJECT,
  array: ARRAY,
  string: STRING,
  number: NUMBER,
};

const ENFORCED = new Set([...OBJECT, ...ARRAY, ...STRING, ...NUMBER, ...ANY_TYPE]);

export function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.has(keyword) || keyword.startsWith("x-");
}

/** False for `not`, `if`, `uniqueItems`, … and for unknown keywords. */
export function isEnforced(keyword: string): boolean {
  return ENFORCED.has(keyword);
}

export const TYPES: ReadonlySet<unknown> = new Set([
  "string",
  "number",
  "integer",
  "boolean",
  "object",
  "array",
  "null",
]);
