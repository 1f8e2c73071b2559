/** What is read of the network beside its pooling: its length, its folder, the length of its vectors, its routes. */

import { expect, test } from "vitest";
import { readModuleConfiguration } from "../../../../worker/engines/transformers/modules/module-configuration.ts";

const BERT = { architectures: ["BertModel"], model_type: "bert" };
const MEAN = { "1_Pooling/config.json": { pooling_mode_mean_tokens: true } };
const model = { id: "m", sourceURL: "https://models.test/m/" };

const modules = (...kinds: string[]) =>
  kinds.map((kind) => ({
    path: kind === "Pooling" ? "1_Pooling" : "",
    type: `sentence_transformers.models.${kind}`,
  }));

const read = (files: Record<string, unknown>) => async (name: string) => files[name];

test.each([
  ["xlm-roberta", "sentence_xlm-roberta_config.json"],
  ["distilbert", "sentence_distilbert_config.json"],
  ["mpnet", "sentence_bert_config.json"],
])("the length of a network of the type %s is in %s", async (model_type, name) => {
  const files = { ...MEAN, [name]: { max_seq_length: 77 } };
  expect((await readModuleConfiguration(model, { model_type }, read(files))).maxTokens).toBe(77);
});

test.each([
  [256, 256],
  [null, undefined],
  ["256", undefined],
])("vectors are cut to a truncate_dim of %j", async (truncate_dim, expected) => {
  const files = { ...MEAN, "config_sentence_transformers.json": { truncate_dim } };
  expect((await readModuleConfiguration(model, BERT, read(files))).truncateTo).toBe(expected);
});

test("the folder of the network is that of its module", async () => {
  const list = modules("Transformer", "Pooling").map((one, at) => ({
    ...one,
    path: ["0_BERT/", "1_Pooling"][at]!,
  }));
  const files = {
    ...MEAN,
    "modules.json": list,
    "0_BERT/sentence_bert_config.json": { max_seq_length: 7 },
  };
  expect(await readModuleConfiguration(model, BERT, read(files))).toMatchObject({
    transformerFolder: "0_BERT",
    maxTokens: 7,
  });
});

test.each(["Router", "Asym"])(
  "a %s module is refused, unless an option says that the network has it",
  async (kind) => {
    const files = { "modules.json": modules(kind, "Normalize") };
    await expect(readModuleConfiguration(model, {}, read(files))).rejects.toMatchObject({
      code: "unsupported_model",
      param: "model",
      message: expect.stringMatching(
        /other networks for queries than for documents.*pooling: 'sentence_embedding'/,
      ),
    });
    const stated = { ...model, pooling: "sentence_embedding" } as const;
    expect(await readModuleConfiguration(stated, {}, read(files))).toMatchObject({
      pooling: "sentence_embedding",
    });
  },
);
