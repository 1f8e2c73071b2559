import type { PreTrainedTokenizer } from "@huggingface/transformers";
import type { EmbeddingModelInfo } from "../../engine-api/embedding-engine.ts";
import type { EmbeddingDtype, EmbeddingModel } from "../../engine-api/embedding-model.ts";
import { longestToken } from "../chat/text-bytes.ts";
import type { EmbeddingAttempt } from "./attempts.ts";
import { countOf } from "./counts.ts";
import { type LoadedNetwork, namesOf } from "./load-network.ts";
import type { ModuleConfiguration } from "./modules/module-configuration.ts";
import { TASK_INPUT } from "./modules/tasks.ts";
import { type NetworkConfiguration, positionsOf, widthOf } from "./network-configuration.ts";
import { hasFixedBatch, type TextVectors } from "./text-vectors.ts";

/** Graphs of these dtypes quantise activations over the whole batch (DynamicQuantizeLinear). */
const DYNAMIC: ReadonlySet<EmbeddingDtype> = new Set<EmbeddingDtype>(["q8"]);

interface LoadedModel {
  model: EmbeddingModel;
  attempt: EmbeddingAttempt;
  configuration: NetworkConfiguration;
  modules: ModuleConfiguration;
  loaded: LoadedNetwork;
  vectors: TextVectors;
  /** Name of the adapter, if the model runs on WebGPU. */
  gpu: string | undefined;
  downloadBytes: number;
}

/** Describes a loaded model to the server. */
export function modelInfo({
  model,
  attempt,
  configuration,
  modules,
  loaded: { tokenizer, network, threads },
  vectors,
  gpu,
  downloadBytes,
}: LoadedModel): EmbeddingModelInfo {
  const vocabulary = vocabularyOf(tokenizer);
  const names = namesOf(network);
  return {
    dimensions: widthOf(configuration),
    maxTokens: Math.min(
      modules.maxTokens ?? Number.POSITIVE_INFINITY,
      countOf(tokenizer.model_max_length) ?? Number.POSITIVE_INFINITY,
      positionsOf(configuration) ?? Number.POSITIVE_INFINITY,
    ),
    vocabularySize: countOf(configuration.vocab_size) ?? vocabulary.length,
    longestTokenBytes: longestToken(vocabulary, "raw"),
    ...attempt,
    ...(gpu === undefined ? {} : { gpu }),
    threads,
    pooling: vectors.pooling,
    normalized: modules.normalize,
    prefixes: modules.prefixes,
    ...(modules.prompts ? { prompts: modules.prompts } : {}),
    ...(modules.tasks && names.inputNames.includes(TASK_INPUT) ? { tasks: modules.tasks } : {}),
    ...shortestDimensions(model, configuration.matryoshka_dimensions),
    ...(model.knownRules?.isCentered ? { isCentered: true } : {}),
    downloadBytes,
    runsAlone: DYNAMIC.has(attempt.dtype) || hasFixedBatch(names),
    ...(modules.note === undefined ? {} : { notes: [modules.note] }),
  };
}

/** Returns a Map or an object, depending on the library's version. */
function vocabularyOf(tokenizer: PreTrainedTokenizer): string[] {
  const vocabulary: unknown = tokenizer.get_vocab();
  return vocabulary instanceof Map ? [...vocabulary.keys()] : Object.keys(vocabulary as object);
}

function shortestDimensions(model: EmbeddingModel, trained: unknown): { shortestDimensions?: number } {
  const listed = Array.isArray(trained) ? trained.filter((one) => Number.isSafeInteger(one) && one > 0) : [];
  const ofFile = listed.length > 0 ? Math.min(...listed) : undefined;
  const shortest = model.shortestDimensions ?? ofFile ?? model.knownRules?.shortestDimensions;
  return shortest === undefined ? {} : { shortestDimensions: shortest };
}
