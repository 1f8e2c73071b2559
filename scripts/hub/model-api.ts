/** Answers of the stand-in hub's API. */

import { type HubFile, type HubRepository, pointer } from "./repository.ts";

interface FoundRevision {
  /** The hub's, with a trailing slash. */
  hubURL: string;
  repository: HubRepository;
  /** As requested. */
  revision: string;
  commit: string;
  files: ReadonlyMap<string, HubFile>;
}

/** `/api/models/<name>/revision/<revision>` */
export function describeModel({ repository: { name, access }, commit, files }: FoundRevision): object {
  return {
    id: name,
    modelId: name,
    sha: commit,
    private: access === "private",
    gated: access === "gated" ? "manual" : false,
    disabled: false,
    siblings: [...files.keys()].map((rfilename) => ({ rfilename })),
  };
}

/** One page of `/api/models/<name>/tree/<revision>?recursive=true`, and its `Link` header. */
export function treePage(
  { hubURL, repository, revision, files }: FoundRevision,
  start: number,
  entries: number,
): { body: object[]; headers: Record<string, string> } {
  const folders = new Set(
    [...files.keys()].flatMap((path) => {
      const parts = path.split("/").slice(0, -1);
      return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
    }),
  );
  const all = [
    ...[...folders].map((path) => ({ type: "directory", oid: "0".repeat(40), size: 0, path })),
    ...[...files].map(([path, file]) => describeFile(path, file)),
  ];
  const next = `${hubURL}api/models/${repository.name}/tree/${encodeURIComponent(revision)}?recursive=true&cursor=${start + entries}`;
  return {
    body: all.slice(start, start + entries),
    headers: start + entries < all.length ? { link: `<${next}>; rel="next"` } : {},
  };
}

function describeFile(path: string, { bytes, oid, sha256, isLarge }: HubFile): object {
  const entry = { type: "file", oid, size: bytes, path };
  if (!isLarge) return entry;
  const pointerSize = pointer(sha256, bytes).length;
  return { ...entry, lfs: { oid: sha256, size: bytes, pointerSize }, xetHash: sha256 };
}
