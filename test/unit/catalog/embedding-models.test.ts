import { expect, test } from "vitest";
import { catalogueEmbeddings, embeddingRecord } from "../../../worker/catalog/embeddings/embedding-models.ts";
import { knownRules } from "../../../worker/catalog/embeddings/known-embeddings.ts";
import { versionFolder } from "../../../worker/engines/transformers/files/with-embedding-files.ts";

const HUB = "https://hub.test/";

test("a model of the hub lies at its identifier and revision", () => {
  const record = embeddingRecord({ id: "org/name", revision: "v2" }, HUB, 7);
  expect(record).toMatchObject({ id: "org/name", kind: "embedding", created: 7, ownedBy: "org" });
  expect(record.embedding).toMatchObject({
    sourceURL: "https://hub.test/org/name/resolve/v2/",
    version: "v2",
    dtypes: { webgpu: ["fp16", "fp32"], wasm: ["q8", "fp32"] },
  });
  // Fields absent from the record are read from the model's files.
  expect(record.embedding).not.toHaveProperty("pooling");
});

test("a name and an address of one's own", () => {
  const option = { id: "ours", url: "https://app.test/ours/", pooling: "cls" } as const;
  expect(embeddingRecord(option, HUB, 7).embedding).toMatchObject({
    id: "ours",
    sourceURL: "https://app.test/ours/",
    pooling: "cls",
  });
});

test("the catalogue's own have the service's prefix and their rules written out", () => {
  for (const { id, embedding } of catalogueEmbeddings(HUB)) {
    expect(id).toMatch(/^infetch-/);
    expect(embedding.pooling).toMatch(/^(mean|cls|sentence_embedding)$/);
    expect(embedding).toMatchObject({ isComplete: true, normalize: expect.any(Boolean) });
    expect(embedding.maxTokens).toBeGreaterThanOrEqual(128);
    expect(embedding.sourceURL).toMatch(/^https:\/\/hub\.test\/[^/]+\/[^/]+\/resolve\/main\/$/);
  }
});

test.each([
  ["Xenova/bge-base-en", "bge-base-en", "cls", "Represent this sentence for searching relevant passages: "],
  ["onnx-community/Qwen3-Embedding-0.6B-ONNX", "Qwen3-Embedding-0.6B", "last_token", /^Instruct: /],
  ["Xenova/e5-large-v2", "e5-large-v2", "mean", "query: "],
  [
    "intfloat/multilingual-e5-large-instruct",
    "multilingual-e5-large-instruct",
    "mean",
    "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ",
  ],
  ["onnx-community/jina-embeddings-v3-ONNX", "jina-embeddings-v3", "mean", undefined],
  ["nomic-ai/nomic-embed-text-v1.5", "nomic-embed-text-v1.5", "mean", "search_query: "],
  ["lightonai/modernbert-embed-large", "modernbert-embed-large", "mean", "search_query: "],
  [
    "ibm-granite/granite-embedding-97m-multilingual-r2",
    "granite-embedding-97m-multilingual-r2",
    "cls",
    undefined,
  ],
  [
    "ibm-granite/granite-embedding-311m-multilingual-r2",
    "granite-embedding-311m-multilingual-r2",
    "cls",
    undefined,
  ],
  ["onnx-community/gte-multilingual-base", "gte-multilingual-base", "cls", undefined],
])("%s is known by its name", (hubId, of, pooling, query) => {
  const { knownRules: rules } = embeddingRecord({ id: hubId }, HUB, 7).embedding;
  expect(rules).toMatchObject({ of, pooling });
  if (query === undefined) expect(rules?.prefixes).toBeUndefined();
  else expect(rules?.prefixes?.query).toMatch(query);
});

test.each([
  ["nomic-ai/nomic-embed-text-v1.5", { shortestDimensions: 64, isCentered: true }],
  ["onnx-community/gte-multilingual-base", { shortestDimensions: 128 }],
  ["mixedbread-ai/mxbai-embed-large-v1", { shortestDimensions: 512 }],
  ["ibm-granite/granite-embedding-311m-multilingual-r2", { shortestDimensions: 128 }],
  ["sentence-transformers/static-retrieval-mrl-en-v1", { shortestDimensions: 32 }],
])("%s may be cut as its card says", (hubId, rules) => expect(knownRules(hubId)).toMatchObject(rules));

test("EmbeddingGemma makes its vectors itself, in the weights that it can run with", () => {
  const { embedding } = embeddingRecord({ id: "onnx-community/embeddinggemma-300m-ONNX" }, HUB, 7);
  expect(embedding.knownRules).toMatchObject({
    pooling: "sentence_embedding",
    prefixes: { query: "task: search result | query: ", document: "title: none | text: " },
    shortestDimensions: 128,
  });
  expect(embedding.dtypes).toEqual({ webgpu: ["q4", "fp32"], wasm: ["q8", "fp32"] });
});

test.each([
  "org/some-model",
  "org/my-bge-small-en-v1.5-finetune",
  "org/paraphrase-MiniLM-L6-v2-legal",
  "onnx-community/Qwen3-0.6B-ONNX",
  "bge",
])("%s is not: a fine-tune may pool in another way", (hubId) => expect(knownRules(hubId)).toBeUndefined());

test("a folder of one's own is not known by the name that it has here", () => {
  const option = { id: "gte-small", url: "https://app.test/ours/" };
  expect(embeddingRecord(option, HUB, 7).embedding).not.toHaveProperty("knownRules");
});

test("another repository, revision or folder under the same name takes none of the earlier files", () => {
  const folders = [
    { hubId: "org/one" },
    { hubId: "org/two" },
    { hubId: "org/two", revision: "v2" },
    { hubId: "org/two@v3" },
    { url: "https://app.test/v1/" },
    { url: "https://app.test/v2/" },
  ].map((where) => versionFolder(embeddingRecord({ id: "ours", ...where }, HUB, 7).embedding));
  expect(new Set(folders).size).toBe(folders.length);
  for (const folder of folders) expect(folder).toMatch(/^https:\/\/infetch\.invalid\/ours\/[^/]+\/$/);
});

test("downloads of the catalogue's own stay where they are", () => {
  const [first] = catalogueEmbeddings(HUB);
  expect(versionFolder(first!.embedding)).toBe("https://infetch.invalid/infetch-all-minilm-l6-v2/main/");
});
