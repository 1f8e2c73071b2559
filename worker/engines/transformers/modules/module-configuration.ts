/**
 * Reads pooling, normalization and prefixes from the sentence-transformers files: `modules.json`,
 * `1_Pooling/config.json`, `sentence_bert_config.json`, `config_sentence_transformers.json`.
 */

import { isObject } from "../../../../src/shared/is-object.ts";
import type { EmbeddingModel, Pooling, Prefixes } from "../../../engine-api/embedding-model.ts";
import { EngineError } from "../../../engine-api/engine-error.ts";
import { countOf, isCount } from "../counts.ts";
import type { NetworkConfiguration } from "../network-configuration.ts";
import { choosePooling } from "./choose-pooling.ts";
import { isModules, type ModuleStep, readModules } from "./module-list.ts";
import { choosePrefixes, NO_PREFIXES } from "./prompts.ts";

export interface ModuleConfiguration {
  pooling: Pooling;
  /** Whether the record states the pooling. */
  isPoolingStated?: boolean;
  /** Modules between the pooling and {@link normalize}, in order. @default none */
  steps?: readonly ModuleStep[];
  /** Folder of the Transformer module, if it is not the repository's: it has the network's own files. */
  transformerFolder?: string;
  /** Folder of the StaticEmbedding module that takes the place of a transformer, and has the tokenizer. */
  staticFolder?: string;
  /** Length to which vectors are cut before they are normalized. @default they are not */
  truncateTo?: number;
  normalize: boolean;
  prefixes: Prefixes;
  /** Prefixes for other uses, by their names in the model's files. @default none */
  prompts?: Readonly<Record<string, string>>;
  /** Numbers of the network's adapters, by use. @default none */
  tasks?: Readonly<Record<string, number>>;
  /** Whether texts are converted to lower case before they are tokenized. @default false */
  isLowerCase?: boolean;
  /** Longest input that the model's files allow; undefined if not stated. */
  maxTokens: number | undefined;
  /** What is assumed, because no file says it. */
  note?: string;
}

/** What the model's record states. */
type StatedModel = Pick<
  EmbeddingModel,
  | "id"
  | "hub"
  | "sourceURL"
  | "pooling"
  | "normalize"
  | "prefixes"
  | "maxTokens"
  | "isComplete"
  | "knownRules"
>;

/** Reads one JSON file of the model; undefined if it does not exist. */
type ReadJson = (name: string) => Promise<unknown>;

/**
 * Uses the model's record, then the model's own files for fields that it omits, then the rules of a well-known model.
 *
 * @param network its `config.json`
 * @throws {EngineError} because the vectors would be wrong: `unknown_pooling`, `model_load_failed` for files that cannot
 * be read, `unsupported_model` for a model of another kind, or with a step that is not computed here
 */
export async function readModuleConfiguration(
  model: StatedModel,
  network: NetworkConfiguration,
  read: ReadJson,
): Promise<ModuleConfiguration> {
  if (model.isComplete && model.pooling !== undefined && model.normalize !== undefined) {
    const { pooling, normalize, prefixes = NO_PREFIXES, maxTokens } = model;
    return { pooling, normalize, prefixes, maxTokens };
  }
  const files = await readFiles(model, network, read);
  const { prompts, stated, limits, poolingFile } = files;
  const { staticFolder, transformerFolder, steps, normalizes } = files.modules;
  const chosen = choosePooling(model, files);
  const { pooling, known, named } = chosen;
  const { prefixes, others, isStated } = choosePrefixes(model, { prompts, stated, pooling, named });
  const { truncate_dim: truncateTo } = isObject(prompts) ? prompts : {};
  const note = assumption(chosen, poolingFile, isStated);
  return {
    pooling,
    ...(model.pooling === undefined ? {} : { isPoolingStated: true }),
    ...(steps.length > 0 ? { steps } : {}),
    ...(staticFolder === undefined ? {} : { staticFolder }),
    ...(transformerFolder === undefined ? {} : { transformerFolder }),
    ...(isCount(truncateTo) ? { truncateTo } : {}),
    normalize: model.normalize ?? (files.hasModules ? normalizes : (known?.normalize ?? true)),
    prefixes,
    ...(Object.keys(others).length > 0 ? { prompts: others } : {}),
    ...(isObject(limits) && limits.do_lower_case === true ? { isLowerCase: true } : {}),
    maxTokens: model.maxTokens ?? limitOf(limits) ?? named?.maxTokens,
    ...(note === undefined ? {} : { note }),
  };
}

/** @throws {EngineError} `model_load_failed` for a `modules.json` that lists no modules */
async function readFiles(
  { id, pooling }: Pick<EmbeddingModel, "id" | "pooling">,
  network: NetworkConfiguration,
  read: ReadJson,
) {
  const listed = await read("modules.json");
  if (listed !== undefined && !isModules(listed))
    throw unsupported(id, "its modules.json does not list modules with their types");
  const prompts = await read("config_sentence_transformers.json");
  const modules = readModules(listed ?? []);
  const limits = await readLimits(read, network, modules.transformerFolder);
  const poolingFile = `${modules.poolingFolder ?? "1_Pooling"}/config.json`;
  const stated = pooling === undefined ? await read(poolingFile) : undefined;
  return { network, hasModules: listed !== undefined, modules, prompts, limits, poolingFile, stated };
}

/** What no file says. @param hasPrompts whether the files name prompts */
function assumption(
  { known, named }: ReturnType<typeof choosePooling>,
  poolingFile: string,
  hasPrompts: boolean,
): string | undefined {
  if (known)
    return `The model has no ${poolingFile}: pooling, normalization and prefixes are those of ${known.of}.`;
  if (!named?.prefixes || hasPrompts) return undefined;
  return `The model's files name no prompts: its prefixes are those of ${named.of}.`;
}

/** Before its version 0.3, sentence-transformers named the file after the type of the network. */
async function readLimits(
  read: ReadJson,
  { model_type: type }: NetworkConfiguration,
  folder: string | undefined,
): Promise<unknown> {
  const inFolder = (name: string): string => (folder ? `${folder}/${name}` : name);
  const limits = await read(inFolder("sentence_bert_config.json"));
  const isNamed = limits === undefined && typeof type === "string" && /^(?!bert$)[a-z-]{1,40}$/.test(type);
  return isNamed ? await read(inFolder(`sentence_${type}_config.json`)) : limits;
}

/** Undefined if the file states none. */
function limitOf(configuration: unknown): number | undefined {
  const { max_seq_length: limit } = isObject(configuration) ? configuration : {};
  return countOf(limit);
}

function unsupported(id: string, why: string): EngineError {
  return new EngineError("model_load_failed", `The embedding model ${id} cannot be run: ${why}.`);
}
