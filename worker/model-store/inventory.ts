/** Lists the cached files of all engines and assigns them to models. */

import { decodeName } from "../engine-api/file-name.ts";
import { isGgufName, isProjectorName } from "../engine-api/gguf-name.ts";
import type { ModelAddresses } from "../engine-api/model-files.ts";
import { isNegativeEntry } from "./cache/negative-entry.ts";
import { PARTS_CACHE, partOf } from "./cache/part-key.ts";
import { indexedBytes, readIndex } from "./cache/segments.ts";
import { STORED_HASH } from "./cache/store-file.ts";
import { openCache } from "./cache/watched-cache.ts";
import { bodyBytes } from "./download/content-size.ts";
import type { StoreEnvironment } from "./environment.ts";
import { splitName } from "./gguf/parts.ts";
import { SNAPSHOT_CACHE } from "./hub/snapshot.ts";
import { FILE_CACHES } from "./own-versions.ts";

const CACHES = [...FILE_CACHES, SNAPSHOT_CACHE];

/** One stored file, or a part of one. */
export interface StoredEntry {
  cache: string;
  key: string;
  /** Address of the whole file. */
  address: string;
  bytes: number;
  isPart: boolean;
  /** Keys of the entries that hold the contents of a large file; the entry itself is their index. */
  segments?: readonly string[];
  /** Hash computed when it was stored. */
  sha256: string | undefined;
}

export async function listEntries(environment: StoreEnvironment): Promise<StoredEntry[]> {
  const entries: StoredEntry[] = [];
  for (const name of CACHES) {
    const cache = await openCache(environment, name);
    for (const { url: key } of (await cache?.keys()) ?? []) {
      const response = await cache?.match(key);
      if (response) entries.push(await toEntry(name, key, response));
    }
  }
  return joinSegments(entries);
}

async function toEntry(cache: string, key: string, response: Response): Promise<StoredEntry> {
  const { headers } = response;
  const sha256 = headers.get(STORED_HASH) ?? undefined;
  const whole = indexedBytes(response);
  if (whole !== undefined) {
    const segments = (await readIndex(response)).map((segment) => segment.key);
    return { cache, key, bytes: whole, address: key, isPart: false, sha256, segments };
  }
  const bytes = bodyBytes(headers) || (await response.blob()).size;
  const address = partOf(key);
  return { cache, key, bytes, address: address ?? key, isPart: address !== undefined, sha256 };
}

/** Makes one entry of a large file and its segments. If one is missing, the others are parts, and the index is empty. */
function joinSegments(entries: readonly StoredEntry[]): StoredEntry[] {
  const parts = new Set(entries.filter(({ isPart }) => isPart).map(({ key }) => key));
  const used = new Set<string>();
  const joined = entries.map((entry) => {
    const { segments } = entry;
    if (!segments) return entry;
    if (segments.length === 0 || !segments.every((key) => parts.has(key)))
      return { ...entry, bytes: 0, isPart: true, segments: [] };
    for (const key of segments) used.add(key);
    return entry;
  });
  return joined.filter(({ cache, key }) => cache !== PARTS_CACHE || !used.has(key));
}

/**
 * Groups entries by model id. Entries of no known model are grouped by the name in their hub address. A shared file is
 * listed under every model that uses it and has other files.
 */
export function groupByModel(
  entries: readonly StoredEntry[],
  known: readonly ModelAddresses[],
): Map<string, StoredEntry[]> {
  const groups = new Map<string, StoredEntry[]>();
  const put = (id: string, entry: StoredEntry): void => {
    groups.set(id, [...(groups.get(id) ?? []), entry]);
  };
  const isShared = ({ address }: StoredEntry) => known.some(({ shared }) => shared.includes(address));
  for (const entry of entries.filter((one) => !isShared(one))) {
    const owner = known.find(({ folders }) => folders.some((folder) => entry.address.startsWith(folder)));
    put(owner?.id ?? nameIn(entry.address), entry);
  }
  for (const entry of entries.filter(isShared)) {
    for (const { id, shared } of known) {
      if (groups.get(id)?.some(isModelFile) && shared.includes(entry.address)) put(id, entry);
    }
  }
  return groups;
}

/** Whether an entry is a file of the model, or a part of one, and not the list of its files or a negative entry. */
export function isModelFile({ cache, address }: StoredEntry): boolean {
  return cache !== SNAPSHOT_CACHE && !isNegativeEntry(address);
}

/** `<org>/<model>` from `…/<org>/<model>/resolve/…`, with its revision, otherwise the first two path segments. */
function nameIn(address: string): string {
  const { pathname, hostname } = new URL(address);
  const [, repository, revision] = /([^/]+\/[^/]+)\/resolve\/([^/]+)\//.exec(pathname) ?? [];
  const isNamed = revision !== undefined && revision !== "main" && hostname !== "infetch.invalid";
  const name = repository ?? pathname.split("/").slice(1, 3).join("/");
  return decodeName(isNamed ? `${name}@${revision}` : name);
}

/** Whether these files suffice for some engine, judged by their names. */
export async function isComplete(
  entries: readonly StoredEntry[],
  environment: StoreEnvironment,
): Promise<boolean> {
  const whole = entries.filter(({ isPart }) => !isPart);
  const has = (ending: string): StoredEntry | undefined =>
    whole.find(({ address }) => address.endsWith(ending));
  // Large weights are in a second file, `model.onnx_data` or `model.onnx.data`, which may still be loading.
  const isWhole = ({ address }: StoredEntry): boolean =>
    address.endsWith(".onnx") &&
    !entries.some((one) => one.isPart && one.address !== address && one.address.startsWith(address));
  if (has("/config.json") && whole.some(isWhole)) return true;
  if (hasAllParts(whole.map(({ address }) => address))) return true;
  const tensors = has("/tensor-cache.json");
  if (!tensors || !has("/mlc-chat-config.json") || !has(".wasm")) return false;
  const cache = await openCache(environment, tensors.cache);
  const names = shardsOf(await (await cache?.match(tensors.key))?.text());
  const hasTokenizer = Boolean(has("/tokenizer.json") ?? has("/tokenizer.model"));
  return hasTokenizer && (names?.every((name) => has(`/${name}`)) ?? false);
}

/** Names in a list of tensors; undefined if the file is not a list: it is the publisher's, or another app's. */
function shardsOf(text: string | undefined): string[] | undefined {
  try {
    const { records } = JSON.parse(text ?? "") as { records: { dataPath: string }[] };
    return records.map(({ dataPath }) => dataPath);
  } catch {
    return undefined;
  }
}

/** Whether a GGUF model is complete; it may be split by `llama-gguf-split`. */
function hasAllParts(addresses: readonly string[]): boolean {
  const counts = new Map<string, number>();
  return addresses.some((address) => {
    if (!isGgufName(address) || isProjectorName(address)) return false;
    const split = splitName(address);
    if (!split) return true;
    const first = split.nameOf(1);
    const count = (counts.get(first) ?? 0) + 1;
    counts.set(first, count);
    return count === split.count;
  });
}
