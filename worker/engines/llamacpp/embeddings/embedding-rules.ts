/** How the vectors of a GGUF model are made: by its record, else its file, else the rules of a well-known model. */

import type { EmbeddingModel, Prefixes } from "../../../engine-api/embedding-model.ts";
import { EngineError } from "../../../engine-api/engine-error.ts";
import type { GgufValues } from "../../../model-store/gguf/metadata.ts";
import {
  architectureOf,
  poolingTypeOf,
  requireEmbeddingModel,
} from "../../../model-store/gguf/model-kind.ts";
import type { EmbeddingParameters } from "../load-parameters.ts";

/** The fields of a record that decide it. */
export type RuledModel = Pick<
  EmbeddingModel,
  "id" | "hub" | "pooling" | "normalize" | "prefixes" | "maxTokens" | "shortestDimensions" | "knownRules"
>;

export interface GgufEmbeddingRules {
  pooling: EmbeddingParameters["pooling"];
  normalize: boolean;
  prefixes: Prefixes;
  /** The longest input, as the record states it. */
  contextWindow?: number;
  /** The longest input, as the well-known model is run. */
  maxContextWindow?: number;
  shortestDimensions?: number;
  isCentered?: boolean;
  /** What is assumed, because the file does not say it. */
  notes: string[];
}

/** Our names of what llama.cpp computes. */
const COMPUTED = { mean: "mean", cls: "cls", last_token: "last" } as const;

/** @throws {EngineError} for a model of another kind; `unknown_pooling`, `unsupported_model` for a stated one */
export function embeddingRules(metadata: GgufValues, model: RuledModel): GgufEmbeddingRules {
  const { knownRules: known } = model;
  requireEmbeddingModel(metadata, model.pooling !== undefined || isComputed(known?.pooling));
  const { pooling, isAssumed } = findPooling(metadata, model);
  const prefixes = model.prefixes ?? known?.prefixes;
  const named = known?.prefixes && !model.prefixes;
  const shortestDimensions = model.shortestDimensions ?? known?.shortestDimensions;
  return {
    pooling,
    normalize: model.normalize ?? true,
    prefixes: prefixes ?? { query: "", document: "" },
    ...(model.maxTokens === undefined ? {} : { contextWindow: model.maxTokens }),
    ...(known?.maxTokens === undefined ? {} : { maxContextWindow: known.maxTokens }),
    ...(shortestDimensions === undefined ? {} : { shortestDimensions }),
    ...(known?.isCentered ? { isCentered: true } : {}),
    notes: [
      ...(isAssumed ? [`The file does not say its pooling: it is that of ${known!.of}.`] : []),
      ...(named ? [`GGUF files name no prompts: the prefixes are those of ${known.of}.`] : []),
      ...(lacksDense(metadata) ? [WITHOUT_DENSE] : []),
    ],
  };
}

function findPooling(
  metadata: GgufValues,
  { id, hub, pooling: stated, knownRules: known }: RuledModel,
): { pooling: EmbeddingParameters["pooling"]; isAssumed?: true } {
  if (isComputed(stated)) return { pooling: COMPUTED[stated] };
  if (stated !== undefined) {
    throw new EngineError(
      "unsupported_model",
      `The embedding model '${id}' cannot be run: the pooling '${stated}' is for ONNX models. A GGUF file has 'mean', 'cls' or 'last_token'.`,
      { param: "model" },
    );
  }
  const own = poolingTypeOf(metadata);
  if (own !== undefined && own !== "rank") return { pooling: own };
  if (isComputed(known?.pooling)) return { pooling: COMPUTED[known!.pooling as "mean"], isAssumed: true };
  const name = hub?.repository ?? id;
  const option = hub
    ? `to its entry in the option models, or, for deployments and batches, an entry { kind: 'embedding', id: '${name}', pooling: '…' }`
    : "to its entry in the option models, or to its manifest";
  throw new EngineError(
    "unknown_pooling",
    `The embedding model '${name}' does not say how its vectors are pooled: its GGUF file has no ${architectureOf(metadata)}.pooling_type. Add pooling ('mean', 'cls' or 'last_token', see its card) ${option}.`,
    { param: "model" },
  );
}

function isComputed(pooling: string | undefined): pooling is keyof typeof COMPUTED {
  return pooling !== undefined && Object.hasOwn(COMPUTED, pooling);
}

const WITHOUT_DENSE =
  "The file lacks the model's dense layers: its vectors differ from those of sentence-transformers.";

/** EmbeddingGemma ends with two dense layers, which not all conversions have. */
function lacksDense(metadata: GgufValues): boolean {
  const architecture = architectureOf(metadata);
  return architecture === "gemma-embedding" && metadata.get(`${architecture}.dense_2_feat_out`) === undefined;
}
