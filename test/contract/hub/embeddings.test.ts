/** Hub names that are no embedding model are refused by their small files; conversions are known by their name. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { HubRepository } from "../../../scripts/hub/repository.ts";
import { embeddingRecord } from "../../../worker/catalog/embeddings/embedding-models.ts";
import { describeModel } from "../../../worker/engines/transformers/describe-model.ts";
import { isPartOf, weightsFile } from "../../../worker/engines/transformers/files/weights-files.ts";
import { withEmbeddingFiles } from "../../../worker/engines/transformers/files/with-embedding-files.ts";
import { type HubApp, hubApp } from "../../support/hub-app.ts";

let tested: HubApp;
beforeEach(async () => {
  tested = await hubApp();
});
afterEach(() => tested.hub.close());

const config = (architecture: string) => ({
  "config.json": JSON.stringify({ architectures: [architecture] }),
});
const WEIGHTS = {
  "onnx/model_quantized.onnx": "weights",
  "tokenizer.json": "{}",
  "tokenizer_config.json": "{}",
};

/** What a load reads before the library does. */
async function describe(name: string, files: Record<string, string>) {
  const repository = new HubRepository(name);
  repository.commit(files);
  tested.hub.repositories.set(name, repository);
  const { embedding } = embeddingRecord({ id: name }, tested.hub.url, 7);
  const options = { dtype: "fp32" as const, onProgress: () => {}, environment: tested.environment };
  return withEmbeddingFiles(embedding, options, (files) => describeModel(embedding, files));
}

const read = () => tested.files().map((path) => path.replace(/^.*\/resolve\/[^/]+\//, ""));

test.each([
  [
    "a chat model in ONNX",
    "onnx-community/Qwen3-0.6B-ONNX",
    { ...config("Qwen3ForCausalLM"), ...WEIGHTS },
    "unsupported_model",
    /'onnx-community\/Qwen3-0\.6B-ONNX' is not an embedding model.*Qwen3ForCausalLM/,
  ],
  [
    "a chat model in safetensors",
    "Qwen/Qwen3-0.6B",
    { ...config("Qwen3ForCausalLM"), "model.safetensors": "weights" },
    "unsupported_model",
    /Qwen3ForCausalLM/,
  ],
  [
    "an embedding model in safetensors",
    "acme/embed",
    {
      ...config("BertModel"),
      "1_Pooling/config.json": '{"pooling_mode_cls_token":true}',
      "model.safetensors": "weights",
    },
    "unsupported_model",
    /'acme\/embed' has no ONNX weights.*onnx-community/,
  ],
  [
    "a model that does not say how it pools",
    "acme/embed",
    { ...config("BertModel"), ...WEIGHTS },
    "unknown_pooling",
    /option models.*\{ kind: 'embedding', id: 'acme\/embed', pooling/,
  ],
])("%s is refused by name", async (_, name, files, code, message) => {
  await expect(describe(name, files)).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
  });
  expect(read().filter((file) => !["config.json", "1_Pooling/config.json"].includes(file))).toEqual([]);
});

test("a conversion without 1_Pooling has the rules of its model, and says so", async () => {
  const { modules } = await describe("Xenova/bge-large-en", { ...config("BertModel"), ...WEIGHTS });
  expect(modules).toMatchObject({
    pooling: "cls",
    normalize: true,
    prefixes: { query: "Represent this sentence for searching relevant passages: ", document: "" },
    note: expect.stringMatching(/bge-large-en/),
  });
  expect(read()).toEqual(["config.json", "tokenizer_config.json"]);
});

test("weights outside onnx/ are found by the list, and the next load asks for nothing", async () => {
  const name = "acme/at-the-root";
  const repository = new HubRepository(name);
  const pooling = { "1_Pooling/config.json": '{"pooling_mode_cls_token":true}' };
  const { "tokenizer.json": tokenizer, "tokenizer_config.json": more } = WEIGHTS;
  const rest = {
    ...config("BertModel"),
    ...pooling,
    "tokenizer.json": tokenizer,
    "tokenizer_config.json": more,
  };
  repository.commit({ ...rest, "model_quantized.onnx": "weights", "model_quantized.onnx_data": "more" });
  tested.hub.repositories.set(name, repository);
  const { embedding } = embeddingRecord({ id: name }, tested.hub.url, 7);
  const load = () => {
    const options = { dtype: "q8" as const, onProgress: () => {}, environment: tested.environment };
    return withEmbeddingFiles(embedding, options, async (files, dtype) => {
      await describeModel(embedding, files);
      const weights = weightsFile(dtype, files.known);
      const parts = files.known.filter((file) => isPartOf(weights, file.name));
      const all = [weights, ...parts.map((file) => file.name)];
      return Promise.all(all.map(async (file) => (await files.fetch(file)).text()));
    });
  };
  expect(await load()).toEqual(["weights", "more"]);
  tested.hub.seen = [];
  expect(await load()).toEqual(["weights", "more"]);
  expect(tested.hub.seen).toEqual([]);
});
