/** Reads the prompts of `config_sentence_transformers.json`: texts before the input, by its use. */

import { isObject } from "../../../../src/shared/is-object.ts";
import type { EmbeddingModel, Pooling, Prefixes } from "../../../engine-api/embedding-model.ts";
import { EngineError } from "../../../engine-api/engine-error.ts";

export const NO_PREFIXES: Prefixes = { query: "", document: "" };

interface PromptSources {
  /** Content of `config_sentence_transformers.json`, if there is one. */
  prompts: unknown;
  /** Content of the pooling's file, if it was read. */
  stated: unknown;
  pooling: Pooling;
  /** The rules of a well-known model with this pooling. */
  named: EmbeddingModel["knownRules"];
}

interface ChosenPrefixes {
  prefixes: Prefixes;
  /** Prompts for other uses, by name. */
  others: Record<string, string>;
  /** Whether the record or the model's files state the prefixes. */
  isStated: boolean;
}

/**
 * Chooses the prefixes of the record, of the model's files, or of a well-known model.
 *
 * @throws {EngineError} `unsupported_model` if the pooling leaves out the prefix
 */
export function choosePrefixes(
  { id, prefixes: own }: Pick<EmbeddingModel, "id" | "prefixes">,
  { prompts, stated, pooling, named }: PromptSources,
): ChosenPrefixes {
  const stating = own ?? prefixesOf(prompts);
  const prefixes = stating ?? named?.prefixes ?? NO_PREFIXES;
  const { query: _, document: __, ...others } = promptsOf(prompts);
  const { include_prompt: isIncluded } = isObject(stated) ? stated : {};
  const isPooled = isIncluded !== false || pooling === "last_token";
  if (!isPooled && (prefixes.query || prefixes.document))
    throw new EngineError(
      "unsupported_model",
      `The embedding model ${id} cannot be run: its pooling leaves out the prefix ('include_prompt'), which is not supported.`,
      { param: "model" },
    );
  return { prefixes, others: isPooled ? others : {}, isStated: stating !== undefined };
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
