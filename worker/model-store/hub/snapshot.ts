/**
 * Pins the files of a hub model to one commit. The commit and its list of files are stored beside the files, so that
 * later loads need no network and an interrupted download goes on with the same commit.
 */

import { fileAddress } from "../../engines/api/file-name.ts";
import type { HubSource, ModelFile } from "../../engines/api/model-files.ts";
import { MissingFileError } from "../download.ts";
import { openCache, type StoreEnvironment } from "../environment.ts";
import { type CommitFiles, readCommit } from "./model-api.ts";

export const SNAPSHOT_CACHE = "infetch/hub";
/** Name of the list beside the files, which no repository has. */
const SNAPSHOT_FILE = ".infetch-snapshot.json";

/** The files of a model at one commit. */
export interface Snapshot {
  /** Folder of the commit, with a trailing slash. */
  sourceURL: string;
  files: readonly ModelFile[];
  /** Set where files are stored already that must stay until the load has succeeded; see `FetchModelFileOptions`. */
  storeLater?: (store: () => Promise<void>) => void;
}

/** Where the files of a model are cached. */
export interface CachedFolder {
  /** Name of the cache. */
  cache: string;
  /** URL prefix of the files, with a trailing slash. */
  folder: string;
}

/**
 * Runs `load` with the files of one commit. If the hub no longer has that commit, or has a missing file in the current
 * one, `load` runs again with the current one. A list never replaces another, or files without one, before its `load`
 * has succeeded: what worked before still works, also without a network.
 *
 * @param load gets undefined without a hub, or if it has no API: then the files are those of the branch
 */
export async function withSnapshot<T>(
  hub: HubSource | undefined,
  { cache, folder }: CachedFolder,
  environment: StoreEnvironment,
  load: (snapshot: Snapshot | undefined) => Promise<T>,
): Promise<T> {
  if (!hub) return load(undefined);
  const key = folder + SNAPSHOT_FILE;
  const replace = async (list: CommitFiles): Promise<T> => {
    const stores: (() => Promise<void>)[] = [];
    const loaded = await load({ ...snapshotOf(hub, list), storeLater: (store) => stores.push(store) });
    // The list first: if this is interrupted, the files are complete in their parts.
    await keepList(key, list, environment);
    for (const store of stores) await store();
    return loaded;
  };
  const kept = await readKept(key, environment);
  const hasFiles = kept !== undefined || (await isAnyCached(cache, folder, environment));
  const list = kept ?? (await readCommit(hub, environment, hasFiles));
  if (!list) return load(undefined);
  if (!hasFiles) await keepList(key, list, environment);
  const { sourceURL, files } = snapshotOf(hub, list);
  try {
    return await (kept || !hasFiles ? load({ sourceURL, files }) : replace(list));
  } catch (error) {
    if (!(error instanceof MissingFileError) || !error.url.startsWith(sourceURL)) throw error;
    const current = await readCommit(hub, environment, true);
    const hasIt = current?.files.some(({ name }) => fileAddress(sourceURL, name) === error.url);
    if (!hasIt || current!.commit === list.commit) throw error;
    return replace(current!);
  }
}

function snapshotOf({ url, repository }: HubSource, { commit, files }: CommitFiles): Snapshot {
  return { sourceURL: new URL(`${repository}/resolve/${commit}/`, url).href, files };
}

async function readKept(key: string, environment: StoreEnvironment): Promise<CommitFiles | undefined> {
  const kept = await (await openCache(environment, SNAPSHOT_CACHE))?.match(key);
  return (await kept?.json().catch(() => undefined)) as CommitFiles | undefined;
}

async function isAnyCached(name: string, folder: string, environment: StoreEnvironment): Promise<boolean> {
  const keys = (await (await openCache(environment, name))?.keys()) ?? [];
  return keys.some(({ url }) => url.startsWith(folder));
}

async function keepList(key: string, list: CommitFiles, environment: StoreEnvironment): Promise<void> {
  const text = JSON.stringify(list);
  const headers = { "content-type": "application/json", "content-length": String(new Blob([text]).size) };
  const cache = await openCache(environment, SNAPSHOT_CACHE);
  // Without it, only the next load asks the hub again.
  await cache?.put(key, new Response(text, { headers })).catch(() => {});
}
