import { badRequest } from "./api-error.ts";
import { ignoredHeader } from "./validation/ignored-fields.ts";

/** @throws {ApiError} 400 `repeated_parameter` */
export function requireOnce(search: URLSearchParams, name: string): void {
  if (search.getAll(name).length > 1)
    throw badRequest("repeated_parameter", name, `Parameter '${name}' may be given only once.`);
}

/** The header of a list that lists the ignored parameters. */
export function ignoredParameters(search: URLSearchParams, known: readonly string[]): Record<string, string> {
  return ignoredHeader(Object.fromEntries(search), new Set(known));
}
