/** GGUF files that are no models are refused as a chat and as an embedding model, in words that say what they are. */

import { expect, test } from "vitest";
import type { GgufValue } from "../../../../worker/model-store/gguf/metadata.ts";
import { requireChatModel, requireEmbeddingModel } from "../../../../worker/model-store/gguf/model-kind.ts";

test.each<[Record<string, GgufValue>, string]>([
  [{ "general.type": "adapter", "general.architecture": "llama", "adapter.type": "lora" }, "LoRA adapter"],
  [{ "general.type": "imatrix" }, "importance matrix"],
  [{ "general.type": "mmproj", "general.architecture": "clip" }, "Name it with 'projector'"],
  [{ "general.architecture": "clip" }, "projector"],
])("%j", (values, words) => {
  const metadata = new Map(Object.entries(values));
  const refusal = expect.objectContaining({
    code: "model_load_failed",
    message: expect.stringContaining(words),
  });
  expect(() => requireChatModel(metadata)).toThrow(refusal);
  expect(() => requireEmbeddingModel(metadata, true)).toThrow(refusal);
});

test.each(["model", "constructor", 1])("the type %j says nothing", (type) => {
  const metadata = new Map<string, GgufValue>([
    ["general.type", type],
    ["general.architecture", "llama"],
  ]);
  expect(() => requireChatModel(metadata)).not.toThrow();
});
