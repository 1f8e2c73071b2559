/** Embedding models: the built-in one, the catalogue's, and those that the runtime's options name. */

import type { EmbeddingModelOption } from "../../src/protocol/wire.ts";
import type { EmbeddingModel, ModelFile, ReferenceVector } from "../engines/types.ts";
import type { EmbeddingModelRecord } from "./model-record.ts";

export interface EmbeddingManifest {
  /** Changes with any byte of any file. */
  version: string;
  /** Unix seconds. */
  created: number;
  maxTokens: number;
  shortestDimensions: number;
  files: ModelFile[];
  reference: ReferenceVector[];
}

/** Filled in by the build (`vite.config.ts`, `define`). */
declare const __BUILT_IN_EMBEDDING__: EmbeddingManifest;

const BUILT_IN_ID = "infetch-tiny-embed";

/** Reduced forms first on a graphics card; on WASM 8 bits are the fastest. A form that a model lacks is skipped. */
const HUB_DTYPES: EmbeddingModel["dtypes"] = { webgpu: ["fp16", "fp32"], wasm: ["q8", "fp32"] };

/** Real models with their rules written out; tokens as the authors trained them. */
const CATALOGUE: readonly (EmbeddingModelOption & { id: string; hubId: string; created: number })[] = [
  {
    id: "infetch-all-minilm-l6-v2",
    hubId: "Xenova/all-MiniLM-L6-v2",
    created: 1_683_072_000,
    pooling: "mean",
    normalize: true,
    maxTokens: 256,
  },
];

/** @param modelsURL folder of the built-in models, absolute, with a slash at its end */
export function builtInEmbedding(
  modelsURL: string,
  manifest: EmbeddingManifest = __BUILT_IN_EMBEDDING__,
): EmbeddingModelRecord {
  const { version, created, maxTokens, shortestDimensions, files, reference } = manifest;
  return {
    id: BUILT_IN_ID,
    kind: "embedding",
    created,
    ownedBy: "infetch",
    contextWindow: maxTokens,
    embedding: {
      id: BUILT_IN_ID,
      sourceURL: new URL(`${BUILT_IN_ID}/`, modelsURL).href,
      version,
      known: files,
      pooling: "mean",
      normalize: true,
      maxTokens,
      shortestDimensions,
      // Its full form is small enough for any device, and the most exact.
      dtypes: { webgpu: ["fp32"], wasm: ["fp32"] },
      reference,
    },
  };
}

/** The serverless models of the hub that this package knows by name. */
export function catalogueEmbeddings(hubURL: string): EmbeddingModelRecord[] {
  return CATALOGUE.map(({ hubId, created, ...option }) => ({
    ...embeddingRecord({ ...option, hubId }, hubURL, created),
    ownedBy: hubId.split("/")[0] ?? "infetch",
  }));
}

/** The record of a model that the options name. */
export function embeddingRecord(
  option: EmbeddingModelOption,
  hubURL: string,
  created: number,
): EmbeddingModelRecord {
  const { id, hubId = id, revision = "main", sourceURL, dtypes, ...rules } = option;
  return {
    id,
    kind: "embedding",
    created,
    ownedBy: hubId.split("/")[0] ?? "infetch",
    contextWindow: rules.maxTokens,
    embedding: {
      ...rules,
      id,
      sourceURL: sourceURL ?? new URL(`${hubId}/resolve/${revision}/`, hubURL).href,
      version: revision,
      known: [],
      dtypes: { webgpu: dtypes?.webgpu ?? HUB_DTYPES.webgpu, wasm: dtypes?.wasm ?? HUB_DTYPES.wasm },
    },
  };
}
