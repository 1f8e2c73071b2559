/**
 * Pins the files of a hub model to one commit. The commit and its list of files are stored beside the files, so that
 * later loads need no network and an interrupted download goes on with the same commit.
 */

import { AwakeTimeout } from "../../../src/protocol/liveness/awake-timeout.ts";
import { NEVER } from "../../../src/shared/abortable.ts";
import type { EngineError } from "../../engine-api/engine-error.ts";
import { fileAddress } from "../../engine-api/file-name.ts";
import type { HubSource, ModelFile } from "../../engine-api/model-files.ts";
import { openCache } from "../cache/watched-cache.ts";
import { MissingFileError } from "../download-errors.ts";
import type { StoreEnvironment } from "../environment.ts";
import type { UnstoredFile } from "../fetch-model-file.ts";
import { withFileLock } from "../file-lock.ts";
import { discardOtherVersions } from "../own-versions.ts";
import { type CommitFiles, isCommitFiles, readCommit } from "./model-api.ts";

export const SNAPSHOT_CACHE = "infetch/hub";
/** Name of the list beside the files, which no repository has. */
const SNAPSHOT_FILE = ".infetch-snapshot.json";

/** The files of a model at one commit. */
export interface Snapshot {
  /** Folder of the commit, with a trailing slash. */
  sourceURL: string;
  files: readonly ModelFile[];
  /** Set where files are stored already that must stay until the load has succeeded; see `FetchModelFileOptions`. */
  storeLater?: (file: UnstoredFile) => void;
}

/** Where the files of a model are cached. */
interface CachedFolder {
  /** Name of the cache. */
  cache: string;
  /** URL prefix of the files, with a trailing slash. */
  folder: string;
}

/**
 * Runs `load` with the files of one commit. If the hub no longer has that commit, or has a missing file in the current
 * one, `load` runs again with the current one. A list never replaces another, or files without one, before its `load`
 * has succeeded: what worked before still works, also without a network. Loads of other tabs take the same list, and
 * never store files of another one among those that this load stores.
 *
 * @param load gets undefined without a hub, or if it has no API: then the files are those of the branch
 */
export async function withSnapshot<T>(
  hub: HubSource | undefined,
  { cache, folder }: CachedFolder,
  environment: StoreEnvironment,
  load: (snapshot: Snapshot | undefined, environment: StoreEnvironment) => Promise<T>,
): Promise<T> {
  if (!hub) {
    const loaded = await load(undefined, environment);
    await discardOtherVersions(folder, environment);
    return loaded;
  }
  const key = folder + SNAPSHOT_FILE;
  const model: HubModel = { key, lock: `infetch:files:${key}`, cache, folder, hub, environment };
  let found = await findList(model, true);
  if (!found.list && found.hasFiles) {
    try {
      return await load(undefined, { ...environment, isCacheOnly: true });
    } catch (error) {
      if ((error as Partial<EngineError>).code !== "model_download_failed") throw error;
    }
    found = await findList(model, false);
  }
  const { isStored, list, hasFiles } = found;
  if (!list) return load(undefined, environment);
  let used = list;
  try {
    if (!isStored && hasFiles) return await loadAndReplace(model, undefined, list, load);
    return await withSharedLock(environment, model.lock, async () => {
      // Another load may have replaced it.
      used = (await readStored(key, environment)) ?? list;
      return load(snapshotOf(hub, used), environment);
    });
  } catch (error) {
    const current = await currentListAfter(model, used, error);
    return loadAndReplace(model, used.commit, current, load);
  }
}

/** A model of a hub, and where its files and their list are stored. */
interface HubModel extends CachedFolder {
  /** Cache key of the list. */
  key: string;
  /** Shared by loads that store files of the list, exclusive for the one that replaces it. */
  lock: string;
  hub: HubSource;
  environment: StoreEnvironment;
}

interface FoundList {
  /** The stored list, otherwise the hub's current one; undefined if there is none. */
  list: CommitFiles | undefined;
  isStored: boolean;
  /** Whether files of the model are stored, with or without a list. */
  hasFiles: boolean;
}

/**
 * One load at a time, of the tabs that run: all take the same list.
 *
 * @param isOptional whether a model whose files are stored needs no list
 */
function findList(
  { key, cache, folder, hub, environment }: HubModel,
  isOptional: boolean,
): Promise<FoundList> {
  return withFileLock(key, environment, NEVER, async () => {
    const stored = await readStored(key, environment);
    if (stored) return { isStored: true, list: stored, hasFiles: true };
    const hasFiles = await isAnyCached(cache, folder, environment);
    const list = await readCommit(hub, environment, hasFiles && isOptional);
    // If this tab was suspended, another one has taken the lock, and stores files of its list.
    const other = await readStored(key, environment);
    if (other) return { isStored: true, list: other, hasFiles: true };
    if (list && !hasFiles) await storeList(key, list, environment);
    return { isStored: false, list, hasFiles };
  });
}

/**
 * The hub's current list, after a load with another one has failed with `error`.
 *
 * @throws `error`, unless it is about a missing file that the current list has
 * @throws {EngineError} if the hub refuses the list
 */
async function currentListAfter(
  { hub, environment }: HubModel,
  used: CommitFiles,
  error: unknown,
): Promise<CommitFiles> {
  const { sourceURL } = snapshotOf(hub, used);
  if (!(error instanceof MissingFileError) || !error.url.startsWith(sourceURL)) throw error;
  const current = await readCommit(hub, environment, false).catch((failure: EngineError) => {
    throw failure.code === "model_download_failed" ? error : failure;
  });
  const hasIt = current?.files.some(({ name }) => fileAddress(sourceURL, name) === error.url);
  if (!current || !hasIt || current.commit === used.commit) throw error;
  return current;
}

/** @param replaced commit of the list that is stored; undefined if there is none */
async function loadAndReplace<T>(
  { lock, key, hub, environment }: HubModel,
  replaced: string | undefined,
  list: CommitFiles,
  load: (snapshot: Snapshot, environment: StoreEnvironment) => Promise<T>,
): Promise<T> {
  const unstored: UnstoredFile[] = [];
  const storeLater = (file: UnstoredFile): void => void unstored.push(file);
  const loaded = await load({ ...snapshotOf(hub, list), storeLater }, environment);
  await withLock(environment, lock, async (isHeld) => {
    // Where another load stores files or has replaced the list, these stay in their parts, for the next load.
    if (!isHeld || (await readStored(key, environment))?.commit !== replaced) return;
    for (const file of unstored) if (!(await file.canStore())) return;
    // The list first: if this is interrupted, the files are complete in their parts.
    await storeList(key, list, environment);
    for (const file of unstored) await file.store();
  });
  return loaded;
}

/** @param work gets whether it has the lock, which another load may hold */
async function withLock<T>(
  { locks }: StoreEnvironment,
  name: string,
  work: (isHeld: boolean) => Promise<T>,
): Promise<T> {
  if (!locks) return work(true);
  return (await locks.request(name, { ifAvailable: true }, (lock) => work(lock !== null))) as T;
}

/** Longer than a tab that runs takes to store the files of a list, which are complete in their parts. */
const STORING_MS = 180_000;

/** Runs `work` with the shared lock, or without it if the tab that stores files is suspended. */
async function withSharedLock<T>(
  { locks }: StoreEnvironment,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  if (!locks) return work();
  const late = new AbortController();
  const timeout = new AwakeTimeout(STORING_MS, () => late.abort());
  const granted = (): Promise<T> => {
    timeout.clear();
    return work();
  };
  try {
    return (await locks.request(name, { mode: "shared", signal: late.signal }, granted)) as T;
  } catch (error) {
    if (!late.signal.aborted) throw error;
    return work();
  } finally {
    timeout.clear();
  }
}

function snapshotOf({ url, repository }: HubSource, { commit, files }: CommitFiles): Snapshot {
  return { sourceURL: new URL(`${repository}/resolve/${commit}/`, url).href, files };
}

async function readStored(key: string, environment: StoreEnvironment): Promise<CommitFiles | undefined> {
  const stored = await (await openCache(environment, SNAPSHOT_CACHE))?.match(key);
  const list: unknown = await stored?.json().catch(() => undefined);
  return isCommitFiles(list) ? list : undefined;
}

async function isAnyCached(name: string, folder: string, environment: StoreEnvironment): Promise<boolean> {
  const keys = (await (await openCache(environment, name))?.keys()) ?? [];
  return keys.some(({ url }) => url.startsWith(folder));
}

async function storeList(key: string, list: CommitFiles, environment: StoreEnvironment): Promise<void> {
  const text = JSON.stringify(list);
  const headers = { "content-type": "application/json", "content-length": String(new Blob([text]).size) };
  const store = async (): Promise<void> => {
    const cache = await openCache(environment, SNAPSHOT_CACHE);
    await cache?.put(key, new Response(text, { headers }));
  };
  // Without it, only the next load asks the hub again.
  await store().catch(() => {});
}
