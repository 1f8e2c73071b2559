/** Validates the shape of options in lists, for plain JavaScript callers. */

import { findUnknownNames } from "../../../src/protocol/options/option-names.ts";
import {
  type EmbeddingModelOption,
  type FolderModelOption,
  POOLINGS,
} from "../../../src/protocol/options/own-models.ts";
import type { ServerOptions } from "../../../src/protocol/options/server-options.ts";
import type { UpstreamModel, UpstreamOptions } from "../../../src/protocol/options/upstream.ts";
import { isParallel, PARALLEL_VALUES } from "../../../src/protocol/parallel.ts";
import { isObject } from "../../../src/shared/is-object.ts";
import { isFileName } from "../../engine-api/file-name.ts";
import { isGgufName } from "../../engine-api/gguf-name.ts";

/** What is wrong with a value, in words that follow its name. */
type Check = (value: unknown) => string | undefined;
type Fields = Record<string, Check>;

const of =
  (must: string, holds: (value: unknown) => boolean): Check =>
  (value) =>
    holds(value) ? undefined : `must be ${must}`;

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
const text = of("a non-empty string", isText);
const anyText = of("a string", (value) => typeof value === "string");
const address = of("a URL", (value) => isText(value) && URL.canParse(value as string));
const flag = of("true or false", (value) => typeof value === "boolean");
const count = of(
  "a whole number of at least 1",
  (value) => Number.isSafeInteger(value) && (value as number) >= 1,
);
const object = of("an object", isObject);

const FOLDER_MODEL: Record<keyof FolderModelOption, Check> = {
  id: text,
  url: address,
  sha256: text,
  contextWindow: count,
  parallel: of(PARALLEL_VALUES, isParallel),
};
const UPSTREAM: Record<keyof UpstreamOptions, Check> = {
  baseURL: address,
  apiKey: text,
  models: () => undefined,
};
const UPSTREAM_MODEL: Record<keyof UpstreamModel, Check> = { id: text, model: text };
const PREFIXES = { query: anyText, document: anyText };
const DTYPES = ["fp32", "fp16", "q8", "q4", "q4f16"];
const dtypes = of(
  `a non-empty array of ${DTYPES.join(", ")}`,
  (value) => Array.isArray(value) && value.length > 0 && value.every((one) => DTYPES.includes(one)),
);
const EMBEDDING_MODEL: Record<keyof EmbeddingModelOption, Check> = {
  kind: () => undefined,
  id: text,
  hubId: text,
  revision: text,
  url: address,
  file: of(
    "the path of a .gguf file",
    (value) => isText(value) && isGgufName(value as string) && isFileName(value as string),
  ),
  pooling: of(`"mean", "cls", "last_token" or "sentence_embedding"`, (value) =>
    POOLINGS.some((pooling) => pooling === value),
  ),
  normalize: flag,
  prefixes: object,
  maxTokens: count,
  shortestDimensions: count,
  dtypes: object,
};

/** @returns what is wrong, for a TypeError that names the option and its position; undefined if valid */
export function findShapeFault({
  models,
  upstream,
}: Pick<ServerOptions, "models" | "upstream">): string | undefined {
  return (
    eachOf(models, (model, at) => modelFault(`models[${at}]`, model)) ??
    (upstream && fieldsFault("upstream", upstream, UPSTREAM, ["baseURL", "apiKey", "models"])) ??
    (Array.isArray(upstream?.models)
      ? eachOf(
          upstream.models.filter((model) => typeof model !== "string"),
          (model, at) => fieldsFault(`upstream.models[${at}]`, model, UPSTREAM_MODEL, ["id"]),
        )
      : undefined)
  );
}

function modelFault(where: string, model: unknown): string | undefined {
  if (!isObject(model)) return `${where} must be an object.`;
  const { kind } = model;
  if (kind === "embedding") return embeddingFault(where, model);
  if (kind !== undefined) {
    return `${where}.kind must be "embedding", or absent for a folder whose manifest has the kind.`;
  }
  const rule = Object.keys(model).find(
    (name) => Object.hasOwn(EMBEDDING_MODEL, name) && !Object.hasOwn(FOLDER_MODEL, name),
  );
  if (rule)
    return `${where}.${rule} is for embedding models: add kind: "embedding". A chat model of the hub is a deployment: call runtime.deployments.create({ name, model }).`;
  return fieldsFault(where, model, FOLDER_MODEL, ["id", "url"]);
}

function embeddingFault(where: string, model: Record<string, unknown>): string | undefined {
  const { prefixes, dtypes: forms } = model;
  return (
    fieldsFault(where, model, EMBEDDING_MODEL, ["id"]) ??
    (prefixes ? fieldsFault(`${where}.prefixes`, prefixes, PREFIXES, ["query", "document"]) : undefined) ??
    (forms ? fieldsFault(`${where}.dtypes`, forms, { webgpu: dtypes, wasm: dtypes }, []) : undefined)
  );
}

/** The first fault of a list. */
function eachOf(
  values: readonly unknown[],
  faultOf: (value: unknown, at: number) => string | undefined,
): string | undefined {
  return values.map(faultOf).find((fault) => fault !== undefined);
}

function fieldsFault(where: string, value: unknown, fields: Fields, required: string[]): string | undefined {
  if (!isObject(value)) return `${where} must be an object.`;
  const unknown = findUnknownNames(`${where}.`, value, Object.keys(fields));
  if (unknown) return unknown;
  const wrong = Object.keys(fields).find(
    (name) => (value[name] !== undefined || required.includes(name)) && fields[name]!(value[name]),
  );
  return wrong && `${where}.${wrong} ${fields[wrong]!(value[wrong])}.`;
}
