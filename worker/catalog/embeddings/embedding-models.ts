/** Embedding models: the built-in one, the catalogue's, and those named in the runtime's options. */

import type { EmbeddingModelOption } from "../../../src/protocol/options/own-models.ts";
import { totalBytes } from "../../engine-api/byte-sizes.ts";
import { embeddingFolder } from "../../engine-api/embedding-folder.ts";
import type { EmbeddingModel } from "../../engine-api/embedding-model.ts";
import type { ModelFile } from "../../engine-api/model-files.ts";
import { loadPart } from "../../lazy/part.ts";
import { CATALOGUE_CREATED } from "../chat/prebuilt.ts";
import { hubFolder } from "../hub/hub-folder.ts";
import { type HubName, hubNameOf, parseHubId } from "../hub/hub-name.ts";
import type { EmbeddingModelRecord } from "../model-record.ts";
import { knownRules } from "./known-embeddings.ts";

export interface EmbeddingManifest {
  /** Changes with any byte of any file. */
  version: string;
  /** Unix seconds. */
  created: number;
  maxTokens: number;
  shortestDimensions: number;
  files: ModelFile[];
}

/** Filled in by the build (`vite.config.ts`, `define`). */
declare const __BUILT_IN_EMBEDDING__: EmbeddingManifest;

const BUILT_IN_ID = "infetch-tiny-embed";

/** Reduced precision first on GPUs; on WASM, 8 bits are fastest. Missing dtypes are skipped. */
export const HUB_DTYPES: EmbeddingModel["dtypes"] = { webgpu: ["fp16", "fp32"], wasm: ["q8", "fp32"] };

/** An embedding model as options describe it. */
export type EmbeddingRow = Omit<EmbeddingModelOption, "kind">;

/** Id, hub repository and licence; the rules are those of {@link knownRules}. */
const CATALOGUE: readonly (readonly [id: string, hubId: string, licence: string])[] = [
  ["infetch-all-minilm-l6-v2", "Xenova/all-MiniLM-L6-v2", "apache-2.0"],
  ["infetch-all-mpnet-base-v2", "Xenova/all-mpnet-base-v2", "apache-2.0"],
  ["infetch-bge-small-en-v1.5", "Xenova/bge-small-en-v1.5", "mit"],
  ["infetch-bge-base-en-v1.5", "Xenova/bge-base-en-v1.5", "mit"],
  ["infetch-gte-small", "Xenova/gte-small", "mit"],
  ["infetch-multilingual-e5-small", "Xenova/multilingual-e5-small", "mit"],
  ["infetch-embeddinggemma-300m", "onnx-community/embeddinggemma-300m-ONNX", "gemma"],
  ["infetch-arctic-embed-s", "Snowflake/snowflake-arctic-embed-s", "apache-2.0"],
  ["infetch-paraphrase-multilingual-minilm", "Xenova/paraphrase-multilingual-MiniLM-L12-v2", "apache-2.0"],
];

/** @param modelsURL folder of the built-in models, absolute, with a trailing slash */
export function builtInEmbedding(
  modelsURL: string,
  manifest: EmbeddingManifest = __BUILT_IN_EMBEDDING__,
): EmbeddingModelRecord {
  const { version, created, maxTokens, shortestDimensions, files } = manifest;
  return {
    id: BUILT_IN_ID,
    kind: "embedding",
    created,
    ownedBy: "infetch",
    contextWindow: maxTokens,
    downloadBytes: totalBytes(files),
    licence: "apache-2.0",
    embedding: {
      id: BUILT_IN_ID,
      sourceURL: new URL(`${BUILT_IN_ID}/`, modelsURL).href,
      version,
      known: files,
      pooling: "mean",
      normalize: true,
      maxTokens,
      isComplete: true,
      shortestDimensions,
      // fp32 is small enough for any device, and the most precise.
      dtypes: { webgpu: ["fp32"], wasm: ["fp32"] },
      reference: async () => (await loadPart(() => import("../built-in-reference.ts"))).BUILT_IN_REFERENCE,
    },
  };
}

/** The serverless hub models that this package knows by name. */
export function catalogueEmbeddings(hubURL: string): EmbeddingModelRecord[] {
  return CATALOGUE.map(([id, hubId, licence]) => {
    const { of: _, ...rules } = knownRules(hubId)!;
    const record = embeddingRecord({ id, hubId, ...rules }, hubURL, CATALOGUE_CREATED);
    // The repository of these ids never changes, so it is not part of the version.
    return { ...record, licence, embedding: { ...record.embedding, isComplete: true, version: "main" } };
  });
}

/** The record of a model named in the options. */
export function embeddingRecord(row: EmbeddingRow, hubURL: string, created: number): EmbeddingModelRecord {
  const { id, hubId = id, revision: ownRevision, url, file, dtypes, ...rules } = row;
  const { repository, revision: named } = parseHubId(hubId) ?? { repository: hubId, revision: "main" };
  const revision = ownRevision ?? named;
  const folder = hubFolder(hubURL, repository, revision);
  const { hub, sourceURL } = folder;
  const known = url === undefined ? knownRules(repository, file) : undefined;
  const version = versionOf(row, { repository, revision });
  const isGguf = file !== undefined || (url === undefined && /-gguf$/i.test(repository));
  const own = {
    sourceURL: String(url),
    cacheURL: `${embeddingFolder(id)}${encodeURIComponent(version)}/gguf/`,
  };
  const parts = file === undefined ? [] : [{ name: file, bytes: 0 }];
  const usual = known?.dtypes ?? HUB_DTYPES;
  return {
    id,
    kind: "embedding",
    created,
    ownedBy: url === undefined ? repository.split("/")[0]! : "user",
    ...(url === undefined ? { baseModel: repository } : {}),
    contextWindow: rules.maxTokens,
    embedding: {
      ...rules,
      id,
      ...(url === undefined ? { hub, sourceURL } : { sourceURL: String(url) }),
      ...(isGguf ? { gguf: { ...(url === undefined ? folder : own), parts } } : {}),
      ...(known ? { knownRules: known } : {}),
      version,
      known: [],
      dtypes: { webgpu: dtypes?.webgpu ?? usual.webgpu, wasm: dtypes?.wasm ?? usual.wasm },
      ...(dtypes?.wasm ? {} : { mayReplaceDtypes: true }),
    },
  };
}

/** Includes the source of an id that the options choose: files of another source must not mix with the cached ones. */
function versionOf({ hubId, url }: EmbeddingRow, name: HubName): string {
  if (url !== undefined) return String(url);
  return hubId === undefined ? name.revision : hubNameOf(name);
}
