import { parseHubName } from "./hub/hub-name.ts";
import type { CatalogRecord } from "./model-record.ts";

/**
 * The aliases of each model: catalogue ids with the same hub files, and the hub's own name.
 *
 * @param records the catalogue's models and the embedding models of the options
 */
export function aliasesOf(records: readonly CatalogRecord[]): (model: string) => readonly string[] {
  const groups = new Map<string, string[]>();
  for (const { id, baseModel = id } of records) {
    const group = groups.get(baseModel) ?? [];
    if (!group.includes(id)) group.push(id);
    groups.set(baseModel, group);
  }
  const named = new Map<string, readonly string[]>();
  for (const [baseModel, ids] of groups) {
    const all = [...new Set([...ids, baseModel])];
    for (const name of all)
      named.set(
        name,
        all.filter((other) => other !== name),
      );
  }
  return (model) => {
    const own = named.get(model);
    const repository = parseHubName(model)?.repository;
    // A revision has the names, and so the price, of its repository.
    if (own || repository === undefined || repository === model) return own ?? [];
    return [repository, ...(named.get(repository) ?? [])];
  };
}
