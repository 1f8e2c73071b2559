/** How well-known embedding models are used, by their authors' cards: conversions often lack `1_Pooling`. */

import type { EmbeddingRules } from "../../engine-api/embedding-model.ts";

const MEAN: EmbeddingRules = { pooling: "mean", normalize: true };
const CLS: EmbeddingRules = { pooling: "cls", normalize: true };
const LAST: EmbeddingRules = { pooling: "last_token", normalize: true };
/** Paraphrase models were not trained on unit vectors. */
const PARAPHRASE: EmbeddingRules = { pooling: "mean", normalize: false, maxTokens: 128 };

const withQuery = (rules: EmbeddingRules, query: string, document = ""): EmbeddingRules => ({
  ...rules,
  prefixes: { query, document },
});
const cutTo = (rules: EmbeddingRules, shortestDimensions: number): EmbeddingRules => ({
  ...rules,
  shortestDimensions,
});
const SEARCH = withQuery(CLS, "Represent this sentence for searching relevant passages: ");
const E5 = withQuery(MEAN, "query: ", "passage: ");
const NOMIC = withQuery(MEAN, "search_query: ", "search_document: ");
/** A task of the cards of models that take one, with their words. */
const INSTRUCTION = "Instruct: Given a web search query, retrieve relevant passages that answer the query";
/** Its dense layers are in the network. It does not run in fp16. */
const EMBEDDING_GEMMA: EmbeddingRules = {
  pooling: "sentence_embedding",
  normalize: true,
  prefixes: { query: "task: search result | query: ", document: "title: none | text: " },
  maxTokens: 2048,
  shortestDimensions: 128,
  dtypes: { webgpu: ["q4", "fp32"], wasm: ["q8", "fp32"] },
};

/** Its token vectors are averaged in the network. */
const STATIC: EmbeddingRules = { pooling: "sentence_embedding", normalize: false, shortestDimensions: 32 };

/** Names without organisation, in lower case; the first match applies. */
const KNOWN: readonly (readonly [name: RegExp, rules: EmbeddingRules])[] = [
  [/^all-minilm-l6-v2$/, { ...MEAN, maxTokens: 256 }],
  [/^all-minilm-l12-v[12]$/, { ...MEAN, maxTokens: 128 }],
  [/^all-mpnet-base-v2$/, { ...MEAN, maxTokens: 384 }],
  [/^all-distilroberta-v1$/, { ...MEAN, maxTokens: 512 }],
  [/^paraphrase-(multilingual-)?(minilm-l\d+|mpnet-base|albert-small)-v[12]$/, PARAPHRASE],
  [/^multi-qa-minilm-l6-cos-v1$/, { ...MEAN, maxTokens: 512 }],
  [/^multi-qa-mpnet-base-dot-v1$/, { pooling: "cls", normalize: false, maxTokens: 512 }],
  [/^bge-(small|base|large)-en(-v1\.5)?$/, { ...SEARCH, maxTokens: 512 }],
  [/^bge-(small|base|large)-zh(-v1\.5)?$/, withQuery(CLS, "为这个句子生成表示以用于检索相关文章：")],
  [/^bge-m3$/, CLS],
  [/^gte-(small|base|large)$/, { ...MEAN, maxTokens: 512 }],
  [/^gte-(base|large)-en-v1\.5$|^gte-modernbert-base$/, CLS],
  [/^gte-multilingual-base$/, cutTo(CLS, 128)],
  [/^(multilingual-)?e5-(small|base|large)(-v2)?$/, { ...E5, maxTokens: 512 }],
  [/^multilingual-e5-large-instruct$/, { ...withQuery(MEAN, `${INSTRUCTION}\nQuery: `), maxTokens: 512 }],
  [/^snowflake-arctic-embed-(xs|s|m|l)$/, { ...SEARCH, maxTokens: 512 }],
  [/^snowflake-arctic-embed-m-v1\.5$/, cutTo({ ...SEARCH, maxTokens: 512 }, 256)],
  [/^snowflake-arctic-embed-[ml]-v2\.0$/, cutTo(withQuery(CLS, "query: "), 256)],
  [/^granite-embedding-((30m|125m)-english|(107m|278m)-multilingual)$/, { ...CLS, maxTokens: 512 }],
  [/^granite-embedding-((small-)?english|97m-multilingual)-r2$/, CLS],
  [/^granite-embedding-311m-multilingual-r2$/, cutTo(CLS, 128)],
  [/^mxbai-embed-large-v1$/, cutTo({ ...SEARCH, normalize: false, maxTokens: 512 }, 512)],
  [/^uae-large-v1$/, { ...SEARCH, normalize: false, maxTokens: 512 }],
  [/^nomic-embed-text-v1$/, NOMIC],
  [/^nomic-embed-text-v1\.5$/, { ...cutTo(NOMIC, 64), isCentered: true }],
  [/^nomic-embed-text-v2-moe$/, cutTo({ ...NOMIC, maxTokens: 512 }, 256)],
  [/^modernbert-embed-(base|large)$/, cutTo(NOMIC, 256)],
  [/^jina-embeddings-v2-(small|base)-(en|de|es|zh|code)$/, MEAN],
  [/^jina-embeddings-v3$/, cutTo({ ...MEAN, maxTokens: 8192 }, 32)],
  [/^qwen3-embedding-(0\.6b|4b|8b)$/, cutTo(withQuery(LAST, `${INSTRUCTION}\nQuery:`), 32)],
  [/^embeddinggemma-300m$/, EMBEDDING_GEMMA],
  [/^embeddinggemma-2$/, { ...EMBEDDING_GEMMA, maxTokens: 8192 }],
  [/^static-(retrieval-mrl-en|similarity-mrl-multilingual)-v1$/, STATIC],
];

/**
 * The rules of a hub model, by the name of the model that it is a conversion of.
 *
 * @param hubId `<org>/<name>`
 * @param file of a GGUF model, which names it where the repository does not
 */
export function knownRules(hubId: string, file?: string): (EmbeddingRules & { of: string }) | undefined {
  const names = [hubId.replace(/-(onnx|gguf)$/i, "")];
  if (file !== undefined) names.push(file.replace(/\.gguf$/i, "").replace(/[.-](i?q\d\w*|b?f\d+)$/i, ""));
  for (const path of names) {
    const of = path.replace(/^.*\//, "");
    const rules = KNOWN.find(([name]) => name.test(of.toLowerCase()))?.[1];
    if (rules) return { ...rules, of };
  }
  return undefined;
}
