import type { ServerOptions } from "../../../src/protocol/options/server-options.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { loadPart } from "../../lazy/part.ts";
import type { Upstream } from "./upstream.ts";

/**
 * Loads the upstream code if one is configured.
 *
 * @param created the current time in Unix seconds
 * @throws {PartError}
 */
export async function loadUpstream(
  options: Pick<ServerOptions, "upstream" | "llamacpp">,
  catalog: Catalog,
  created: number,
): Promise<Upstream | undefined> {
  if (!options.upstream) return undefined;
  const part = await loadPart(() => import("./open-upstream.ts"));
  return part.openUpstream(options.upstream, options, catalog, created);
}
