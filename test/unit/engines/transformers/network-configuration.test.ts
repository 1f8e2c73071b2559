import { expect, test } from "vitest";
import type { ModuleConfiguration } from "../../../../worker/engines/transformers/modules/module-configuration.ts";
import { withTasks } from "../../../../worker/engines/transformers/modules/tasks.ts";
import {
  isEncoderOnly,
  positionsOf,
  widthOf,
} from "../../../../worker/engines/transformers/network-configuration.ts";

test.each([
  [{ model_type: "bert", max_position_embeddings: 512, pad_token_id: 0 }, 512],
  // Positions begin after that of the padding: a text of 513 tokens has none for its last.
  [{ model_type: "xlm-roberta", max_position_embeddings: 514, pad_token_id: 1 }, 512],
  [{ model_type: "xlm-roberta", max_position_embeddings: 8194, pad_token_id: 1 }, 8192],
  [{ model_type: "mpnet", max_position_embeddings: 514 }, 512],
  [{ model_type: "camembert", max_position_embeddings: 514, pad_token_id: null }, 512],
  [{ model_type: "roberta" }, undefined],
  [{}, undefined],
])("%j has positions for %s tokens", (configuration, expected) => {
  expect(positionsOf(configuration)).toBe(expected);
});

test.each([
  [{ hidden_size: 384, dim: 7 }, 384],
  [{ dim: 768 }, 768],
  [{ n_embd: 768 }, 768],
  [{ d_model: 512 }, 512],
  [{}, 0],
])("the width of %j is %i", (configuration, expected) => {
  expect(widthOf(configuration)).toBe(expected);
});

test.each(["512", null, -1, 0, 1.5, [512], {}, true])(
  "%j is no number of positions or of a width",
  (value) => {
    const count = value as number;
    expect(positionsOf({ max_position_embeddings: count })).toBeUndefined();
    expect(positionsOf({ model_type: "roberta", max_position_embeddings: count })).toBeUndefined();
    expect(widthOf({ hidden_size: count, dim: 8 })).toBe(8);
  },
);

test("as many positions as come before the first token are none", () => {
  expect(positionsOf({ model_type: "roberta", max_position_embeddings: 2 })).toBeUndefined();
});

test.each([
  [{ architectures: ["T5EncoderModel"], is_encoder_decoder: true }, true],
  [{ architectures: ["UMT5EncoderModel"] }, true],
  [{ architectures: ["BertModel"] }, false],
  [{ architectures: [5] as never }, false],
  [{}, false],
])("only the encoder of %j runs: %s", (configuration, expected) => {
  expect(isEncoderOnly(configuration)).toBe(expected);
});

const MODULES: ModuleConfiguration = {
  pooling: "mean",
  normalize: true,
  prefixes: { query: "", document: "" },
  maxTokens: undefined,
};

test("adapters are for the uses of their names; query and document are those of retrieval", () => {
  const network = {
    lora_adaptations: ["retrieval.query", "retrieval.passage", "separation"],
    task_instructions: { "retrieval.query": "q: ", "retrieval.passage": "p: ", separation: "" },
  };
  expect(withTasks(MODULES, network)).toEqual({
    ...MODULES,
    prefixes: { query: "q: ", document: "p: " },
    prompts: { "retrieval.query": "q: ", "retrieval.passage": "p: ", separation: "" },
    tasks: { query: 0, document: 1, "retrieval.query": 0, "retrieval.passage": 1, separation: 2 },
  });
  const stated = { ...MODULES, prefixes: { query: "own: ", document: "" }, prompts: { separation: "s: " } };
  expect(withTasks(stated, network)).toMatchObject({
    prefixes: { query: "own: ", document: "" },
    prompts: { separation: "s: " },
  });
  // A record that states no prefixes means none.
  expect(withTasks(MODULES, network, true).prefixes).toEqual({ query: "", document: "" });
});

test("without names for retrieval the first adapter is used; without adapters nothing changes", () => {
  expect(withTasks(MODULES, { lora_adaptations: ["sts", "classification"] }).tasks).toEqual({
    query: 0,
    document: 0,
    sts: 0,
    classification: 1,
  });
  expect(withTasks(MODULES, { lora_adaptations: "sts" })).toBe(MODULES);
  expect(withTasks(MODULES, undefined)).toBe(MODULES);
});
