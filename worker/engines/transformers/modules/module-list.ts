/** Reads `modules.json` and the configuration of the pooling, as sentence-transformers does. */

import { isObject } from "../../../../src/shared/is-object.ts";
import type { Pooling, TokenPooling } from "../../../engine-api/embedding-model.ts";

/** A module that follows the pooling. */
export interface ModuleStep {
  kind: "Dense" | "LayerNorm" | "Normalize";
  /** Without a trailing slash. */
  folder: string;
}

interface ModuleEntry {
  path?: string | null;
  type: string;
}

export function isModules(value: unknown): value is ModuleEntry[] {
  const isText = (one: unknown): boolean => typeof one === "string";
  return (
    Array.isArray(value) && value.every((one) => isObject(one) && isText(one.type) && isText(one.path ?? ""))
  );
}

/** Modules that are computed here: those with a higher number follow those with a lower one. */
const COMPUTED: Readonly<Record<string, number>> = {
  Transformer: 0,
  Pooling: 1,
  Dense: 2,
  LayerNorm: 2,
  Normalize: 2,
  /** Only in training. */
  Dropout: 2,
};

export function readModules(modules: readonly ModuleEntry[]) {
  const all = modules.map(({ type, path }) => ({
    kind: type.split(".").at(-1) ?? "",
    folder: (path ?? "").replace(/^\.$|\/$/, ""),
  }));
  const order = all.map(({ kind }) => (Object.hasOwn(COMPUTED, kind) ? COMPUTED[kind]! : -1));
  const foreign = all.find(
    ({ kind }, at) =>
      (order[at] === -1 && kind !== "StaticEmbedding") ||
      order.slice(at + 1).some((later) => later >= 0 && later < order[at]!),
  );
  const folderOf = (name: string) => all.find(({ kind }) => kind === name)?.folder;
  const steps = all.filter((one): one is ModuleStep =>
    ["Dense", "LayerNorm", "Normalize"].includes(one.kind),
  );
  const last = steps.findLastIndex(({ kind }) => kind !== "Normalize");
  return {
    poolingFolder: folderOf("Pooling"),
    staticFolder: folderOf("StaticEmbedding"),
    transformerFolder: folderOf("Transformer") || undefined,
    /** In order, up to the last that is no Normalize. */
    steps: steps.slice(0, last + 1),
    normalizes: last < steps.length - 1,
    /** The first that is not computed here. */
    foreign: foreign && `its ${foreign.kind} module`,
    /** Whether the network depends on the use of a text. */
    routes: all.some(({ kind }) => kind === "Router" || kind === "Asym"),
  };
}

/** By the names of sentence-transformers; flags are joined in this order, which had no names before its version 5.4. */
const POOLING: Readonly<Record<string, TokenPooling>> = {
  pooling_mode_cls_token: "cls",
  pooling_mode_max_tokens: "max",
  pooling_mode_mean_tokens: "mean",
  pooling_mode_mean_sqrt_len_tokens: "mean_sqrt_len",
  pooling_mode_weightedmean_tokens: "weighted_mean",
  pooling_mode_lasttoken: "last_token",
  cls: "cls",
  max: "max",
  mean: "mean",
  mean_sqrt_len_tokens: "mean_sqrt_len",
  weightedmean: "weighted_mean",
  lasttoken: "last_token",
};

/** Modes that the configuration of the pooling names, in the order in which they are joined. */
export function modesOf(configuration: unknown): string[] {
  const fields = isObject(configuration) ? configuration : {};
  const flags = Object.keys(fields).filter((name) => /^pooling_mode_/.test(name) && fields[name] === true);
  const places = Object.keys(POOLING);
  flags.sort((a, b) => places.indexOf(a) - places.indexOf(b));
  // A file that states none means the mean, as for sentence-transformers.
  const stated = fields.pooling_mode ?? (flags.length > 0 ? flags : "mean");
  return (Array.isArray(stated) ? stated : [stated]).map(asText);
}

function asText(mode: unknown): string {
  return typeof mode === "string" ? mode : JSON.stringify(mode);
}

/** Undefined for a mode that is not computed here, or none. */
export function poolingOf(modes: readonly string[]): Exclude<Pooling, "sentence_embedding"> | undefined {
  const names = modes.map((mode) => (Object.hasOwn(POOLING, mode) ? POOLING[mode] : undefined));
  if (names.length === 0 || names.includes(undefined)) return undefined;
  return names.join("+") as Exclude<Pooling, "sentence_embedding">;
}
