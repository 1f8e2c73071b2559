/**
 * Models that sentence-transformers 6.0 saved, and files of its earlier versions, which it loads alike; the references
 * are its own vectors (`encode_query`, `encode_document`). `npm run build` first.
 */

import { createRuntime, type EngineEvent, type Runtime } from "infetch";
import { afterAll, beforeAll, expect, test } from "vitest";
import { embed, largestDifference, postEmbeddings } from "./support/client.ts";

/** A BERT with Dense, its files of earlier versions, a Qwen3 that pools the last token, and static embeddings. */
const MODELS = ["saved-embed", "legacy-embed", "last-embed", "static-embed", "static-folder-embed"] as const;

let runtime: Runtime;
const events: EngineEvent[] = [];

beforeAll(async () => {
  runtime = await createRuntime({
    embeddings: { device: "wasm" },
    hub: { url: "/fixtures/hub/" },
    models: [...MODELS, "cut-embed", "task-embed"].map((id) => ({
      kind: "embedding" as const,
      id,
      hubId: `acme/${id}`,
      dtypes: { wasm: ["fp32" as const] },
      ...(id === "cut-embed" ? { pooling: "sentence_embedding" as const } : {}),
    })),
  });
  runtime.on("engine", (event) => events.push(event));
});
afterAll(() => runtime.close());

interface Reference {
  text: string;
  query: number[];
  vector: number[];
  clustering: number[];
}

async function references(model: string): Promise<Reference[]> {
  return (await fetch(`/fixtures/hub/acme/${model}/resolve/main/reference.json`)).json();
}

test.each(MODELS)(
  "%s: the vectors are those of sentence-transformers, alone and in a batch",
  async (model) => {
    const items = await references(model);
    const input = items.map(({ text }) => text);
    const batch = await embed(runtime, { model, input });
    const queries = await embed(runtime, { model, input, input_type: "query" });
    for (const [at, { text, query, vector }] of items.entries()) {
      expect(largestDifference(batch.data[at]!.embedding, vector), text).toBeLessThan(1e-5);
      expect(largestDifference(queries.data[at]!.embedding, query), text).toBeLessThan(1e-5);
      const alone = await embed(runtime, { model, input: text });
      expect(largestDifference(alone.data[0]!.embedding, batch.data[at]!.embedding), text).toBeLessThan(1e-6);
    }
    expect(events).not.toContainEqual(expect.objectContaining({ model, state: "fallback" }));
  },
);

test("another prompt of the files is chosen by its name", async () => {
  const items = await references("legacy-embed");
  const input = items.map(({ text }) => text);
  const { data } = await embed(runtime, { model: "legacy-embed", input, input_type: "Clustering" });
  for (const [at, { text, clustering }] of items.entries())
    expect(largestDifference(data[at]!.embedding, clustering), text).toBeLessThan(1e-5);
});

test("static embeddings have no special tokens, and texts without any token are zero", async () => {
  for (const model of ["static-embed", "static-folder-embed"]) {
    const { data, usage } = await embed(runtime, { model, input: ["x", " "] });
    expect(usage.prompt_tokens).toBe(1);
    expect(data[1]!.embedding).toEqual(data[0]!.embedding.map(() => 0));
    const [blank] = (await embed(runtime, { model, input: " " })).data;
    expect(blank!.embedding).toEqual(data[1]!.embedding);
    const tokens = await embed(runtime, { model, input: [[28, 30], [28]] });
    expect(tokens.usage.prompt_tokens).toBe(3);
  }
});

test("weights whose second file is missing end the load with its name", async () => {
  const response = await postEmbeddings(runtime, { model: "cut-embed", input: "a" });
  expect(response.status).toBe(404);
  expect((await response.json()).error).toMatchObject({
    code: "hub_file_not_found",
    message: expect.stringMatching(/has no onnx\/model\.onnx_data: .* was not found/),
  });
});

test("a network with an input of its own is refused by its name, without another backend", async () => {
  const response = await postEmbeddings(runtime, { model: "task-embed", input: "a" });
  expect(response.status).toBe(400);
  expect((await response.json()).error).toMatchObject({
    code: "unsupported_model",
    param: "model",
    message: expect.stringMatching(/inputs that are not supported \(task_id\)/),
  });
  expect(events).not.toContainEqual(expect.objectContaining({ model: "task-embed", state: "fallback" }));
});
