/** Cache URLs of a model's files, by its record. */

import { embeddingFolder, ownFolder } from "../engine-api/embedding-folder.ts";
import type { EmbeddingModel } from "../engine-api/embedding-model.ts";
import type { ChatBuilds, ModelAddresses, ModelFile } from "../engine-api/model-files.ts";
import type { CatalogRecord } from "./model-record.ts";

/** Where the files of a model are cached: its folders, and files that other models share with it. */
export function addressesOf(record: CatalogRecord): ModelAddresses {
  const { id } = record;
  // Its files may be cached before its manifest is read.
  if (record.isUnread) return { id, folders: [ownFolder(record.deployment?.model ?? id)], shared: [] };
  if (record.kind === "embedding") {
    const { cacheId = id, gguf } = record.embedding;
    if (gguf) return { id, folders: [folderOf(gguf.cacheURL)], shared: [] };
    return { id, folders: [embeddingFolder(cacheId)], shared: [] };
  }
  const { webllm, llamacpp } = record.builds;
  const mlc = [webllm, record.withoutF16?.files].filter((build) => build !== undefined);
  const folders = [...mlc, ...(llamacpp ? [llamacpp] : [])].map(({ cacheURL }) => folderOf(cacheURL));
  const shared = mlc.map(({ library }) => library).filter((library) => URL.canParse(library));
  return { id, folders, shared };
}

/** Published hashes of a model's files, by name. */
export function publishedHashes(record: CatalogRecord): Map<string, string> {
  const files = record.kind === "embedding" ? embeddingFiles(record.embedding) : chatFiles(record.builds);
  return new Map(files.flatMap(({ name, sha256 }) => (sha256 === undefined ? [] : [[name, sha256]])));
}

function embeddingFiles({ known, gguf }: EmbeddingModel): readonly ModelFile[] {
  return gguf ? gguf.parts : known;
}

function chatFiles({ webllm, llamacpp }: ChatBuilds): ModelFile[] {
  const { parts = [], projector } = llamacpp ?? {};
  return [...(webllm?.known ?? []), ...parts, ...(typeof projector === "object" ? [projector] : [])];
}

/** Strips the version, which changes with any byte of any file, from `infetch.invalid` URLs. */
function folderOf(cacheURL: string): string {
  const own = /^(https:\/\/infetch\.invalid\/.+?\/)[^/]+\/(?:resolve\/main|gguf)\/$/.exec(cacheURL)?.[1];
  return own ?? cacheURL;
}
