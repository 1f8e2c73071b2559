/**
 * Reads pooling, normalization and prefixes from the sentence-transformers files: `modules.json`,
 * `1_Pooling/config.json`, `sentence_bert_config.json`, `config_sentence_transformers.json`.
 */

import { isObject } from "../../../src/protocol/is-object.ts";
import { EngineError } from "../api/engine-error.ts";
import type { EmbeddingModel, Pooling, Prefixes, TokenPooling } from "../api/types.ts";

export interface ModuleConfiguration {
  pooling: Pooling;
  /** Whether the record states the pooling. */
  isPoolingStated?: boolean;
  /** Folders of the Dense modules that follow the pooling, in order. @default none */
  dense?: readonly string[];
  /** Why only the network's own `sentence_embedding` is right: a step that is not computed here. */
  ownOutputFor?: string;
  normalize: boolean;
  prefixes: Prefixes;
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

/** Neither the model's files nor its record say how it pools. */
export class UnknownPoolingError extends EngineError {
  /** Name of the file that would state it. */
  readonly file: string;

  constructor(message: string, file: string) {
    super("unknown_pooling", message, { param: "model" });
    this.file = file;
  }
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
  const { poolingFolder, dense, normalizes, foreign } = readModules(modules ?? []);
  const poolingFile = `${poolingFolder}/config.json`;
  const stated = model.pooling === undefined ? await read(poolingFile) : undefined;
  const isUnstated = model.pooling === undefined && stated === undefined && foreign === undefined;
  const known = isUnstated ? model.knownRules : undefined;
  if (isUnstated && !known) throw unknownPooling(model, architecture, poolingFile);
  const modes = stated === undefined ? [] : modesOf(stated);
  const computed = model.pooling ?? known?.pooling ?? poolingOf(modes);
  const ownOutputFor = foreign ?? (computed ? undefined : `its pooling mode (${modes.join(" and ")})`);
  const pooling = ownOutputFor === undefined ? computed! : "sentence_embedding";
  const prefixes =
    model.prefixes ??
    prefixesOf(await read("config_sentence_transformers.json")) ??
    known?.prefixes ??
    NO_PREFIXES;
  const leavesOutPrefixes = (stated as { include_prompt?: unknown } | undefined)?.include_prompt === false;
  if (leavesOutPrefixes && pooling !== "last_token" && (prefixes.query || prefixes.document))
    throw unsupported(
      model.id,
      "its pooling leaves out the prefix ('include_prompt'), which is not supported",
    );
  return {
    pooling,
    ...(model.pooling === undefined ? {} : { isPoolingStated: true }),
    ...(dense.length > 0 ? { dense } : {}),
    ...(ownOutputFor ? { ownOutputFor } : {}),
    normalize: model.normalize ?? (modules ? normalizes : (known?.normalize ?? true)),
    prefixes,
    maxTokens: model.maxTokens ?? limitOf(await read("sentence_bert_config.json")) ?? known?.maxTokens,
    ...(known ? { note: noteOf(known.of, poolingFile) } : {}),
  };
}

/** Modules that are computed here, in this order. */
const COMPUTED = ["Transformer", "Pooling", "Dense", "Normalize"];

function readModules(modules: readonly ModuleEntry[]) {
  const steps = modules.map(({ type, path = "" }) => ({
    kind: type.split(".").at(-1) ?? "",
    folder: path.replace(/\/$/, ""),
  }));
  const order = steps.map(({ kind }) => COMPUTED.indexOf(kind));
  const foreign = steps.find((_, at) => order[at] === -1 || order[at]! < (order[at - 1] ?? 0));
  return {
    poolingFolder: steps.find(({ kind }) => kind === "Pooling")?.folder ?? "1_Pooling",
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
  pooling_mode_mean_tokens: "mean",
  pooling_mode_cls_token: "cls",
  pooling_mode_lasttoken: "last_token",
};

/** Architectures of models that generate or classify. Some embedding models have one, but then state their pooling. */
const OTHER_KINDS = /For(?!MaskedLM$|PreTraining$)[A-Z]\w*$|LMHeadModel$/;
/** Names of classes are shorter; the pattern takes quadratic time. */
const MAX_NAME_LENGTH = 200;

function unknownPooling(
  { id, hub, sourceURL }: Pick<EmbeddingModel, "id" | "hub" | "sourceURL">,
  architecture: string | undefined,
  file: string,
): EngineError {
  const name = hub?.repository ?? id;
  if (architecture && architecture.length <= MAX_NAME_LENGTH && OTHER_KINDS.test(architecture)) {
    return new EngineError(
      "unsupported_model",
      `The model '${name}' is not an embedding model: its config.json says ${architecture}. A chat model needs an MLC build of web-llm's list, or a GGUF file, which 'file' of a deployment names.`,
      { param: "model" },
    );
  }
  const option = hub
    ? `to its entry in the option models, or, for deployments and batches, an entry { kind: 'embedding', id: '${name}', pooling: '…' }`
    : "to its entry in the option models, or to its manifest";
  return new UnknownPoolingError(
    `The embedding model '${name}' does not say how its vectors are pooled: ${sourceURL}${file} was not found. Add pooling ('mean', 'cls' or 'last_token', see its card) ${option}.`,
    file,
  );
}

function noteOf(known: string, file: string): string {
  return `The model has no ${file}: pooling, normalization and prefixes are those of ${known}.`;
}

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

/** As `encode_query` and `encode_document` of sentence-transformers choose them; undefined if the file names none. */
function prefixesOf(configuration: unknown): Prefixes | undefined {
  const { prompts, default_prompt_name: usual } = isObject(configuration) ? configuration : {};
  const named = isObject(prompts) ? prompts : {};
  const first = (...names: unknown[]): string =>
    names.map((name) => named[String(name)]).find((prompt) => typeof prompt === "string") ?? "";
  const query = first("query", usual);
  const document = first("document", "passage", "corpus", usual);
  return query || document ? { query, document } : undefined;
}

function unsupported(id: string, why: string): EngineError {
  return new EngineError("model_load_failed", `The embedding model ${id} cannot be run: ${why}.`);
}
