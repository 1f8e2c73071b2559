/** Permissions of a key, as pure functions. */

/** Undefined means everything; an empty list means nothing. */
export interface KeyScopes {
  /** Model ids; a trailing `*` matches any id with that prefix. */
  models?: readonly string[];
  /** Paths; each includes everything below it. */
  endpoints?: readonly string[];
}

/** Whether the key may use the model or deployment with this id. */
export function mayUseModel({ models }: KeyScopes, id: string): boolean {
  return !models || models.some((one) => (one.endsWith("*") ? id.startsWith(one.slice(0, -1)) : one === id));
}

/** Whether the key may call this path: `/v1/models` includes `/v1/models/infetch-tiny`, not `/v1/modelsX`. */
export function mayUseEndpoint({ endpoints }: KeyScopes, path: string): boolean {
  return !endpoints || endpoints.some((one) => `${path}/`.startsWith(`${one}/`));
}
