/** What is wrong with options that only the server can judge, because only it knows the catalogue. */

import type { ServerOptions } from "../../src/protocol/wire.ts";

/** @returns what is wrong, for a TypeError; undefined where nothing is */
export function findOptionFault(
  { models, upstream }: Pick<ServerOptions, "models" | "upstream">,
  catalogueIds: readonly string[],
): string | undefined {
  return modelsFault(models, catalogueIds) ?? (upstream && upstreamFault(upstream));
}

function modelsFault(models: ServerOptions["models"], catalogueIds: readonly string[]): string | undefined {
  const taken = new Set(catalogueIds);
  for (const { id, sha256 } of models) {
    if (typeof id !== "string" || !/^[^/\s]+$/.test(id))
      return "models: an id is text without spaces and '/'.";
    if (taken.has(id)) return `models: there is a model '${id}' already.`;
    if (sha256 !== undefined && !/^[0-9a-f]{64}$/i.test(sha256)) {
      return `models: the sha256 of '${id}' must have 64 hexadecimal digits.`;
    }
    taken.add(id);
  }
  return undefined;
}

function upstreamFault({
  baseURL,
  apiKey,
  models,
}: NonNullable<ServerOptions["upstream"]>): string | undefined {
  if (!/^https?:/.test(String(baseURL))) return "upstream.baseURL must be an http or https address.";
  if (typeof apiKey !== "string" || /[^\x21-\x7e]/.test(apiKey) || apiKey === "") {
    return "upstream.apiKey must be the key of the upstream server.";
  }
  const names = [models]
    .flat()
    .map((model: unknown) => (typeof model === "string" ? model : (model as { id?: unknown } | null)?.id));
  if (names.length === 0 || names.some((name) => typeof name !== "string" || name === "")) {
    return `upstream.models must list the names to forward, or "*" for all that is not here.`;
  }
  return undefined;
}
