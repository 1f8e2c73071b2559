/**
 * Reads pooling, normalization and prefixes from the sentence-transformers files: `modules.json`,
 * `1_Pooling/config.json`, `sentence_bert_config.json`, `config_sentence_transformers.json`.
 */

import { isObject } from "../../../src/protocol/is-object.ts";
import type { EmbeddingModel, Pooling, Prefixes, TokenPooling } from "../api/embedding-model.ts";
import { EngineError } from "../api/engine-error.ts";
import { manyVectors, unknownPooling } from "./unknown-pooling.ts";

export interface ModuleConfiguration {
  pooling: Pooling;
  /** Whether the record states the pooling. */
  isPoolingStated?: boolean;
  /** Folders of the Dense modules that follow the pooling, in order. @default none */
  dense?: readonly string[];
  /** Folder of the StaticEmbedding module that takes the place of a transformer, and has the tokenizer. */
  staticFolder?: string;
  /** Why only the network's own `sentence_embedding` is right: a step that is not computed here. */
  ownOutputFor?: string;
  normalize: boolean;
  prefixes: Prefixes;
  /** Prefixes for other uses, by their names in the model's files. @default none */
  prompts?: Readonly<Record<string, string>>;
  /** Whether texts are converted to lower case before they are tokenized. @default false */
  isLowerCase?: boolean;
  /** Longest input that the model's files allow; undefined if not stated. */
  maxTokens: number | undefined;
  /** What is assumed, because no file says it. */
  note?: string;
}

/** Reads one JSON file of the model; undefined if it does not exist. */
type ReadJson = (name: string) => Promise<unknown>;

interface ModuleEntry {
  path?: string;
  type: string;
}

function isModules(value: unknown): value is ModuleEntry[] {
  const isText = (one: unknown): boolean => typeof one === "string";
  return (
    Array.isArray(value) && value.every((one) => isObject(one) && isText(one.type) && isText(one.path ?? ""))
  );
}

const NO_PREFIXES: Prefixes = { query: "", document: "" };

/**
 * Uses the model's record, then the model's own files for fields that it omits, then the rules of a well-known model.
 *
 * @param architecture the first of `config.json`
 * @throws {EngineError} because the vectors would be wrong: `unknown_pooling`, `model_load_failed` for an unsupported
 * one, `unsupported_model` for a model of another kind
 */
export async function readModuleConfiguration(
  model: Pick<
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
  >,
  architecture: string | undefined,
  read: ReadJson,
): Promise<ModuleConfiguration> {
  if (model.isComplete && model.pooling !== undefined && model.normalize !== undefined) {
    const { pooling, normalize, prefixes = NO_PREFIXES, maxTokens } = model;
    return { pooling, normalize, prefixes, maxTokens };
  }
  const modules = await read("modules.json");
  if (modules !== undefined && !isModules(modules))
    throw unsupported(model.id, "its modules.json does not list modules with their types");
  const prompts = await read("config_sentence_transformers.json");
  const limits = await read("sentence_bert_config.json");
  const {
    poolingFolder = "1_Pooling",
    staticFolder,
    dense,
    normalizes,
    foreign,
  } = readModules(modules ?? []);
  const poolingFile = `${poolingFolder}/config.json`;
  const stated = model.pooling === undefined ? await read(poolingFile) : undefined;
  const kind = otherKindOf(prompts);
  if (model.pooling === undefined && kind !== undefined)
    throw manyVectors(model, `its config_sentence_transformers.json says ${kind}`);
  const isUnstated = model.pooling === undefined && stated === undefined && foreign === undefined;
  if (isUnstated && dense.length > 0)
    throw manyVectors(model, "its modules.json has a Dense module for each token, as ColBERT models do");
  const known = isUnstated ? model.knownRules : undefined;
  if (isUnstated && !known) throw unknownPooling(model, architecture, poolingFile);
  const modes = stated === undefined ? [] : modesOf(stated);
  const computed = model.pooling ?? known?.pooling ?? poolingOf(modes);
  const ownOutputFor = foreign ?? (computed ? undefined : `its pooling mode (${modes.join(" and ")})`);
  const pooling = ownOutputFor === undefined ? computed! : "sentence_embedding";
  // Authors of models that are older than prompts name these in their cards only.
  const named = known ?? (model.knownRules?.pooling === computed ? model.knownRules : undefined);
  const stating = model.prefixes ?? prefixesOf(prompts);
  const prefixes = stating ?? named?.prefixes ?? NO_PREFIXES;
  const { query: _, document: __, ...others } = promptsOf(prompts);
  const isPrefixPooled =
    (stated as { include_prompt?: unknown } | undefined)?.include_prompt !== false ||
    pooling === "last_token";
  if (!isPrefixPooled && (prefixes.query || prefixes.document))
    throw new EngineError(
      "unsupported_model",
      `The embedding model ${model.id} cannot be run: its pooling leaves out the prefix ('include_prompt'), which is not supported.`,
      { param: "model" },
    );
  const note = known
    ? `The model has no ${poolingFile}: pooling, normalization and prefixes are those of ${known.of}.`
    : named?.prefixes &&
      !stating &&
      `The model's files name no prompts: its prefixes are those of ${named.of}.`;
  return {
    pooling,
    ...(model.pooling === undefined ? {} : { isPoolingStated: true }),
    ...(dense.length > 0 ? { dense } : {}),
    ...(staticFolder === undefined ? {} : { staticFolder }),
    ...(ownOutputFor ? { ownOutputFor } : {}),
    normalize: model.normalize ?? (modules ? normalizes : (known?.normalize ?? true)),
    prefixes,
    ...(isPrefixPooled && Object.keys(others).length > 0 ? { prompts: others } : {}),
    ...(isObject(limits) && limits.do_lower_case === true ? { isLowerCase: true } : {}),
    maxTokens: model.maxTokens ?? limitOf(limits) ?? named?.maxTokens,
    ...(note ? { note } : {}),
  };
}

/** Modules that are computed here, in this order. */
const COMPUTED = ["Transformer", "Pooling", "Dense", "Normalize"];

function readModules(modules: readonly ModuleEntry[]) {
  const steps = modules.map(({ type, path = "" }) => ({
    kind: type.split(".").at(-1) ?? "",
    folder: path.replace(/^\.$|\/$/, ""),
  }));
  const order = steps.map(({ kind }) => COMPUTED.indexOf(kind));
  const foreign = steps.find((_, at) => order[at] === -1 || order[at]! < (order[at - 1] ?? 0));
  return {
    poolingFolder: steps.find(({ kind }) => kind === "Pooling")?.folder,
    staticFolder: steps.find(({ kind }) => kind === "StaticEmbedding")?.folder,
    /** Folders of the Dense modules. */
    dense: steps.filter(({ kind }) => kind === "Dense").map(({ folder }) => folder),
    normalizes: steps.some(({ kind }) => kind === "Normalize"),
    /** The first that only the network can compute. */
    foreign: foreign && `its ${foreign.kind} module`,
  };
}

/** By the names of sentence-transformers: modes, and the flags that files had before its version 5.4. */
const POOLING: Readonly<Record<string, TokenPooling>> = {
  mean: "mean",
  cls: "cls",
  lasttoken: "last_token",
  max: "max",
  mean_sqrt_len_tokens: "mean_sqrt_len",
  weightedmean: "weighted_mean",
  pooling_mode_mean_tokens: "mean",
  pooling_mode_cls_token: "cls",
  pooling_mode_lasttoken: "last_token",
  pooling_mode_max_tokens: "max",
  pooling_mode_mean_sqrt_len_tokens: "mean_sqrt_len",
  pooling_mode_weightedmean_tokens: "weighted_mean",
};

/** Modes that the configuration of the pooling names. */
function modesOf(configuration: unknown): string[] {
  const fields = configuration as Record<string, unknown>;
  const flags = Object.keys(fields).filter((name) => /^pooling_mode_/.test(name) && fields[name] === true);
  // A file that states none means the mean, as for sentence-transformers.
  const stated = fields.pooling_mode ?? (flags.length > 0 ? flags : "mean");
  return (Array.isArray(stated) ? stated : [stated]).map(String);
}

/** Undefined for a mode, or several, that are not computed here. */
function poolingOf(modes: readonly string[]): TokenPooling | undefined {
  return modes.length === 1 && Object.hasOwn(POOLING, modes[0]!) ? POOLING[modes[0]!] : undefined;
}

/** Undefined if the file states none. */
function limitOf(configuration: unknown): number | undefined {
  const { max_seq_length: limit } = isObject(configuration) ? configuration : {};
  return Number.isSafeInteger(limit) && (limit as number) > 0 ? (limit as number) : undefined;
}

/** Classes of sentence-transformers and PyLate that make scores, sparse vectors, or a vector for each token. */
const OTHER_KINDS: readonly unknown[] = ["CrossEncoder", "SparseEncoder", "MultiVectorEncoder", "ColBERT"];

/** The class that saved the files, if it is one of those. */
function otherKindOf(configuration: unknown): string | undefined {
  const { model_type: type } = isObject(configuration) ? configuration : {};
  return OTHER_KINDS.includes(type) ? String(type) : undefined;
}

/**
 * The names are those of `encode_query` and `encode_document` of sentence-transformers. In its version 6.0, an empty
 * `document` comes before a `passage` there, against models' cards. Undefined if the file names none.
 */
function prefixesOf(configuration: unknown): Prefixes | undefined {
  const { default_prompt_name: usual } = isObject(configuration) ? configuration : {};
  const named = promptsOf(configuration);
  const first = (...names: unknown[]): string =>
    names.map((name) => named[String(name)]).find((prompt) => typeof prompt === "string") ?? "";
  const query = first("query", usual);
  const document = first("document", "passage", "corpus", usual);
  return query || document ? { query, document } : undefined;
}

function promptsOf(configuration: unknown): Record<string, string> {
  const { prompts } = isObject(configuration) ? configuration : {};
  const entries = isObject(prompts) ? Object.entries(prompts) : [];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function unsupported(id: string, why: string): EngineError {
  return new EngineError("model_load_failed", `The embedding model ${id} cannot be run: ${why}.`);
}
