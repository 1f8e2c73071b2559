/**
 * Reads pooling, normalization and prefixes from the sentence-transformers files: `modules.json`,
 * `1_Pooling/config.json`, `sentence_bert_config.json`, `config_sentence_transformers.json`.
 */

import { EngineError } from "../api/engine-error.ts";
import type { EmbeddingModel, Pooling, Prefixes } from "../api/types.ts";

export interface ModuleConfiguration {
  pooling: Pooling;
  normalize: boolean;
  prefixes: Prefixes;
  /** Longest input that the model's files allow; undefined if not stated. */
  maxTokens: number | undefined;
}

/** Reads one JSON file of the model; undefined if it does not exist. */
export type ReadJson = (name: string) => Promise<unknown>;

/** The error for a file that the model needs and does not have. */
export type MissingFile = (name: string, message: string) => EngineError;

interface ModuleEntry {
  path: string;
  type: string;
}

const NO_PREFIXES: Prefixes = { query: "", document: "" };

/**
 * Uses the model's record and falls back to the model's own files for fields that it omits.
 *
 * @param missing @default `model_load_failed` with that message
 * @throws {EngineError} `model_load_failed` if the pooling is unknown or unsupported, because the vectors would be
 * wrong
 */
export async function readModuleConfiguration(
  model: Pick<EmbeddingModel, "id" | "sourceURL" | "pooling" | "normalize" | "prefixes" | "maxTokens">,
  read: ReadJson,
  missing: MissingFile = (_, message) => new EngineError("model_load_failed", message),
): Promise<ModuleConfiguration> {
  if (model.pooling !== undefined && model.normalize !== undefined && model.maxTokens !== undefined) {
    return {
      pooling: model.pooling,
      normalize: model.normalize,
      prefixes: model.prefixes ?? NO_PREFIXES,
      maxTokens: model.maxTokens,
    };
  }
  const modules = (await read("modules.json")) as ModuleEntry[] | undefined;
  const kinds = (modules ?? []).map((entry) => entry.type.split(".").at(-1) ?? "");
  const foreign = kinds.find((kind) => !["Transformer", "Pooling", "Normalize"].includes(kind));
  if (foreign) throw unsupported(model.id, `its ${foreign} module is not supported`);
  const poolingPath = modules?.[kinds.indexOf("Pooling")]?.path ?? "1_Pooling";
  const poolingFile = `${poolingPath}/config.json`;
  const pooling = model.pooling ?? poolingOf(model, poolingFile, await read(poolingFile), missing);
  const limits = (await read("sentence_bert_config.json")) as { max_seq_length?: number } | undefined;
  return {
    pooling,
    normalize: model.normalize ?? (modules === undefined || kinds.includes("Normalize")),
    prefixes: model.prefixes ?? prefixesOf(await read("config_sentence_transformers.json")),
    maxTokens: model.maxTokens ?? limits?.max_seq_length ?? undefined,
  };
}

const POOLING_FLAGS: Record<string, Pooling> = {
  pooling_mode_mean_tokens: "mean",
  pooling_mode_cls_token: "cls",
  pooling_mode_lasttoken: "last_token",
};

function poolingOf(
  { id, sourceURL }: Pick<EmbeddingModel, "id" | "sourceURL">,
  file: string,
  configuration: unknown,
  missing: MissingFile,
): Pooling {
  if (configuration === undefined) {
    const why = `${sourceURL}${file} was not found; add it, or set 'pooling' in the model's options or manifest`;
    throw missing(file, unsupported(id, why).message);
  }
  const set = Object.entries(configuration as Record<string, unknown>)
    .filter(([name, value]) => name.startsWith("pooling_mode_") && value === true)
    .map(([name]) => name);
  const pooling = set.length === 1 ? POOLING_FLAGS[set[0]!] : undefined;
  if (!pooling) throw unsupported(id, `its pooling mode (${set.join(" and ") || "none"}) is not supported`);
  return pooling;
}

function prefixesOf(configuration: unknown): Prefixes {
  const prompts = (configuration as { prompts?: Record<string, string> } | undefined)?.prompts ?? {};
  return { query: prompts.query ?? "", document: prompts.document ?? prompts.passage ?? "" };
}

function unsupported(id: string, why: string): EngineError {
  return new EngineError("model_load_failed", `The embedding model ${id} cannot be run: ${why}.`);
}
