/** Reads the prompts of `config_sentence_transformers.json`: texts before the input, by its use. */

import { isObject } from "../../../src/shared/is-object.ts";
import type { Prefixes } from "../api/embedding-model.ts";

/**
 * The names are those of `encode_query` and `encode_document` of sentence-transformers. In its version 6.0, an empty
 * `document` comes before a `passage` there, against models' cards. Undefined if the file names none.
 */
export function prefixesOf(configuration: unknown): Prefixes | undefined {
  const { default_prompt_name: usual } = isObject(configuration) ? configuration : {};
  const named = promptsOf(configuration);
  const first = (...names: unknown[]): string =>
    names.map((name) => named[String(name)]).find((prompt) => typeof prompt === "string") ?? "";
  const query = first("query", usual);
  const document = first("document", "passage", "corpus", usual);
  return query || document ? { query, document } : undefined;
}

export function promptsOf(configuration: unknown): Record<string, string> {
  const { prompts } = isObject(configuration) ? configuration : {};
  const entries = isObject(prompts) ? Object.entries(prompts) : [];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
