/** How GGUF embedding models are run, by their record, file and name; and how long their inputs may be. */

import { afterEach, expect, test, vi } from "vitest";
import { knownRules } from "../../../../../worker/catalog/embeddings/known-embeddings.ts";
import { embeddingRules } from "../../../../../worker/engines/llamacpp/embeddings/embedding-rules.ts";
import { planEmbeddings } from "../../../../../worker/engines/llamacpp/embeddings/plan-embeddings.ts";
import type { GgufValue, GgufValues } from "../../../../../worker/model-store/gguf/metadata.ts";
import { makesVectors } from "../../../../../worker/model-store/gguf/model-kind.ts";

afterEach(() => vi.unstubAllGlobals());

const valuesOf = (architecture: string, values: Record<string, GgufValue> = {}): GgufValues =>
  new Map<string, GgufValue>([
    ["general.architecture", architecture],
    ...Object.entries(values).map(([key, value]) => [`${architecture}.${key}`, value] as const),
  ]);
const QWEN = "Qwen/Qwen3-Embedding-0.6B-GGUF";
const NOMIC = "nomic-ai/nomic-embed-text-v1.5-GGUF";
const hub = { url: "https://hub.test/", repository: QWEN, revision: "main" };

test.each([
  ["the file's", valuesOf("bert", { pooling_type: 2 }), { knownRules: knownRules(NOMIC)! }, "cls"],
  ["the record's", valuesOf("bert", { pooling_type: 2 }), { pooling: "mean" as const }, "mean"],
  ["the well-known model's", valuesOf("nomic-bert"), { knownRules: knownRules(NOMIC)! }, "mean"],
  ["the well-known model's", valuesOf("qwen3"), { knownRules: knownRules(QWEN)! }, "last"],
  ["the record's, of any decoder", valuesOf("llama"), { pooling: "last_token" as const }, "last"],
])("the pooling is %s", (_, values, model, pooling) => {
  expect(embeddingRules(values, { id: "m", ...model }).pooling).toBe(pooling);
});

test.each([
  [valuesOf("llama"), {}, "model_not_allowed", /\(llama\) is not an embedding model/],
  [valuesOf("qwen3", { pooling_type: 4 }), {}, "unsupported_model", /reranker \(qwen3\)/],
  [valuesOf("bert", { pooling_type: 0 }), {}, "unknown_pooling", /no bert\.pooling_type/],
  [valuesOf("bert"), { hub }, "unknown_pooling", /id: 'Qwen\/Qwen3-Embedding-0.6B-GGUF', pooling: '…'/],
  [valuesOf("bert"), { pooling: "sentence_embedding" as const }, "unsupported_model", /is for ONNX models/],
])("%j with %j is refused as %s", (values, model, code, message) => {
  const check = () => embeddingRules(values, { id: "m", ...model });
  expect(check).toThrow(expect.objectContaining({ code, param: "model" }));
  expect(check).toThrow(message);
});

test("a well-known model has its prefixes and shortest vectors, and unit length whatever its card says", () => {
  const rules = embeddingRules(valuesOf("nomic-bert", { pooling_type: 1 }), {
    id: "m",
    knownRules: knownRules(NOMIC)!,
  });
  expect(rules).toMatchObject({
    normalize: true,
    prefixes: { query: "search_query: ", document: "search_document: " },
    shortestDimensions: 64,
    isCentered: true,
    notes: ["GGUF files name no prompts: the prefixes are those of nomic-embed-text-v1.5."],
  });
  const mixed = knownRules("mixedbread-ai/mxbai-embed-large-v1")!;
  expect(
    embeddingRules(valuesOf("bert", { pooling_type: 2 }), { id: "m", knownRules: mixed }).normalize,
  ).toBe(true);
});

test("a file of EmbeddingGemma without dense layers has a note", () => {
  const notesOf = (values: Record<string, GgufValue>) =>
    embeddingRules(valuesOf("gemma-embedding", { pooling_type: 1, ...values }), { id: "m" }).notes;
  expect(notesOf({})).toEqual([expect.stringContaining("lacks the model's dense layers")]);
  expect(notesOf({ dense_2_feat_out: 3072 })).toEqual([]);
});

test.each([
  ["nomic-ai/nomic-embed-text-v1.5-GGUF", undefined, "nomic-embed-text-v1.5"],
  ["someone/collection-GGUF", "bge-small-en-v1.5.Q4_K_M.gguf", "bge-small-en-v1.5"],
  ["ggml-org/embeddings-GGUF", "sub/embeddinggemma-300M-Q8_0.gguf", "embeddinggemma-300M"],
  ["ggml-org/embeddinggemma-2-GGUF", "embeddinggemma-2-BF16.gguf", "embeddinggemma-2"],
  ["someone/other-GGUF", "all-MiniLM-L6-v2-ggml-model.gguf", undefined],
])("%s with %s is known as %s", (repository, file, of) => {
  expect(knownRules(repository, file)?.of).toBe(of);
});

const BGE_M3 = { context_length: 8192, embedding_length: 1024, feed_forward_length: 4096, block_count: 24 };
const bge = valuesOf("bert", { ...BGE_M3, "attention.head_count": 16 });
const decoder = valuesOf("qwen3", {
  ...{ context_length: 16_384, embedding_length: 1024, feed_forward_length: 3072, block_count: 28 },
  ...{ "attention.head_count": 16, "attention.head_count_kv": 8 },
  ...{ "attention.key_length": 128, "attention.value_length": 128 },
});
const parts = [{ size: 600e6 }];

test("an encoder computes a whole input at once, of 2,048 tokens unless more is asked for", () => {
  vi.stubGlobal("navigator", { hardwareConcurrency: 2 });
  const usual = planEmbeddings(bge, parts, {}, "cls");
  expect(usual).toMatchObject({ maxTokens: 2048, contextWindow: 2048, batchTokens: 2048 });
  expect(planEmbeddings(bge, parts, { contextWindow: 4096 }, "cls").batchTokens).toBe(4096);
  // The scores of 16 heads alone take 4 GB.
  expect(() => planEmbeddings(bge, parts, { contextWindow: 8192 }, "cls")).toThrow(
    expect.objectContaining({ code: "insufficient_memory", param: "contextWindow" }),
  );
  const small = valuesOf("bert", { ...BGE_M3, context_length: 512, "attention.head_count": 16 });
  expect(planEmbeddings(small, parts, {}, "cls").maxTokens).toBe(512);
});

test("EmbeddingGemma 2 is an encoder: nothing is cached, of a file that names its pooling or not", () => {
  vi.stubGlobal("navigator", { hardwareConcurrency: 2 });
  const sizes = {
    embedding_length: 512,
    feed_forward_length: 2048,
    block_count: 24,
    context_length: 262_144,
  };
  const values = valuesOf("gemma-embedding2", { ...sizes, "attention.head_count": 4 });
  expect(makesVectors(values)).toBe(true);
  // Its keys and values would take 64 MB and more, which are halved in f16.
  expect(planEmbeddings(values, parts, {}, "mean")).toMatchObject({ batchTokens: 2048, cacheType: "f32" });
});

test("a decoder whose last token is the vector computes parts, and leaves one token of the context", () => {
  vi.stubGlobal("navigator", { hardwareConcurrency: 2 });
  expect(planEmbeddings(decoder, parts, {}, "last")).toMatchObject({
    ...{ maxTokens: 2048, contextWindow: 2049, batchTokens: 32, cacheType: "f16" },
    maxContextWindow: 16_383,
  });
  expect(planEmbeddings(decoder, parts, { contextWindow: 40_000 }, "last")).toMatchObject({
    ...{ maxTokens: 16_383, contextWindow: 16_384 },
    notes: [expect.stringContaining("the model's own")],
  });
  expect(planEmbeddings(decoder, parts, {}, "mean").batchTokens).toBe(2048);
  const both = new Map([...decoder, ["qwen3.attention.causal", false] as const]);
  expect(planEmbeddings(both, parts, {}, "last")).toMatchObject({ batchTokens: 2048, contextWindow: 2049 });
});

test("the logits of all tokens that are computed at once count as memory, also of encoders", () => {
  vi.stubGlobal("navigator", { hardwareConcurrency: 2 });
  const tokens = Array.from({ length: 100_000 }, (_, id) => `t${id}`);
  const withTokens = (values: GgufValues) => new Map([...values, ["tokenizer.ggml.tokens", tokens] as const]);
  const addedTo = (values: GgufValues, pooling: "cls" | "last") =>
    planEmbeddings(withTokens(values), parts, {}, pooling).memoryBytes -
    planEmbeddings(values, parts, {}, pooling).memoryBytes;
  // Seen in llama.cpp's memory after an input of 2,048 tokens.
  expect(addedTo(bge, "cls")).toBe(100_000 * 2048 * 4);
  expect(addedTo(decoder, "last")).toBe(100_000 * 32 * 4);
});
