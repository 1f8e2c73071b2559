/** A browser that refuses memory for an embedding model, whose worker is replaced. */

import { afterEach, expect, test, vi } from "vitest";
import { embeddingRecord } from "../../../../../worker/catalog/embeddings/embedding-models.ts";
import { EngineError } from "../../../../../worker/engine-api/engine-error.ts";
import { RemoteEmbeddingEngine } from "../../../../../worker/engines/embeddings/remote-embedding-engine.ts";
import type { GgufEmbeddingLoad } from "../../../../../worker/engines/llamacpp/embeddings/gguf-embedding-engine.ts";
import { startGgufEmbedding } from "../../../../../worker/engines/llamacpp/embeddings/start-gguf-embedding.ts";

afterEach(() => vi.restoreAllMocks());

const ENGINE = {
  info: { maxTokens: 512, notes: [] },
  probes: [new Float32Array([1, 0]), new Float32Array([0, 1])],
} as unknown as RemoteEmbeddingEngine;
const TIGHT = new EngineError("out_of_memory", "the browser refused memory");

/** Starts a model whose first worker gets no memory. */
async function start(maxTokens?: number) {
  const loads: GgufEmbeddingLoad[] = [];
  vi.spyOn(RemoteEmbeddingEngine, "start").mockImplementation(async (_, load) => {
    loads.push(load as GgufEmbeddingLoad);
    if (loads.length === 1) throw TIGHT;
    return ENGINE;
  });
  const row = { id: "m", hubId: "acme/embed-GGUF", file: "m.gguf", ...(maxTokens ? { maxTokens } : {}) };
  const { embedding } = embeddingRecord(row, "https://hub.test/", 0);
  const notes: string[] = [];
  const room = { freeBytes: 1, idleBytes: 0, mostBytes: 2 };
  const started = startGgufEmbedding(
    {
      workerURL: "worker.js",
      serverLock: "lock",
      hubToken: undefined,
      onNote: (_, note) => notes.push(note),
      roomFor: () => room,
    },
    { ...embedding, gguf: embedding.gguf! },
    { onProgress: () => {}, onEnd: () => {}, signal: new AbortController().signal },
  );
  return { started, loads, notes };
}

test("it starts once more, for inputs of 512 tokens, with a note", async () => {
  const { started, loads, notes } = await start();
  expect(await started).toBe(ENGINE);
  expect(loads.map(({ mostTokens }) => mostTokens)).toEqual([undefined, 512]);
  expect(notes).toEqual(["Inputs have at most 512 tokens: the browser refused memory for more."]);
});

test("a length that the record states is not changed", async () => {
  const { started, loads } = await start(2048);
  await expect(started).rejects.toBe(TIGHT);
  expect(loads).toHaveLength(1);
});
