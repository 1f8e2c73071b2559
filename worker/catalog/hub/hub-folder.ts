import type { HubSource } from "../../engine-api/model-files.ts";

/** Where a hub has the files of a model, and where they are cached. */
export function hubFolder(
  url: string,
  repository: string,
  revision = "main",
): { hub: HubSource; sourceURL: string; cacheURL: string } {
  const folder = new URL(`${repository}/resolve/${encodeURIComponent(revision)}/`, url).href;
  return { hub: { url, repository, revision }, sourceURL: folder, cacheURL: folder };
}
