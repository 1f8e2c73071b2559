import { describe, expect, test } from "vitest";
import { readModuleConfiguration } from "../../../../../worker/engines/transformers/modules/module-configuration.ts";

const MODULE = "sentence_transformers.models.";
const modules = (...kinds: string[]) =>
  kinds.map((kind, at) => ({ idx: at, path: kind === "Pooling" ? "1_Pooling" : "", type: MODULE + kind }));

const BERT = { architectures: ["BertModel"], model_type: "bert" };
const model = { id: "m", sourceURL: "https://models.test/m/" };

function read(files: Record<string, unknown>) {
  return async (name: string): Promise<unknown> => files[name];
}

describe("readModuleConfiguration", () => {
  test("reads pooling, normalisation, prefixes and length from the model's own files", async () => {
    const files = {
      "modules.json": modules("Transformer", "Pooling", "Normalize"),
      "1_Pooling/config.json": { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false },
      "sentence_bert_config.json": { max_seq_length: 512 },
      "config_sentence_transformers.json": { prompts: { query: "query: ", passage: "passage: " } },
    };
    expect(await readModuleConfiguration(model, BERT, read(files))).toEqual({
      pooling: "cls",
      normalize: true,
      prefixes: { query: "query: ", document: "passage: " },
      prompts: { passage: "passage: " },
      maxTokens: 512,
    });
  });

  // `Pooling.load_config` of sentence-transformers 5.4.
  test.each([
    ["mean", { embedding_dimension: 8, pooling_mode: "mean", include_prompt: true }],
    ["cls", { pooling_mode: ["cls"] }],
    ["last_token", { pooling_mode: "lasttoken", pooling_mode_mean_tokens: true }],
    ["mean", { word_embedding_dimension: 8 }],
    ["mean", { pooling_mode_cls_token: false, pooling_mode_max_tokens: false }],
    ["max", { pooling_mode_max_tokens: true }],
    ["mean_sqrt_len", { pooling_mode: "mean_sqrt_len_tokens" }],
    ["weighted_mean", { pooling_mode: "weightedmean" }],
  ])("pooling is %s for %j", async (pooling, configuration) => {
    const types = ["base.modules.transformer.Transformer", "sentence_transformer.modules.pooling.Pooling"];
    const files = {
      "modules.json": types.map((type, at) => ({
        path: at === 1 ? "1_Pooling" : "",
        type: `sentence_transformers.${type}`,
      })),
      "1_Pooling/config.json": configuration,
    };
    expect(await readModuleConfiguration(model, BERT, read(files))).toMatchObject({ pooling });
  });

  test.each([[{}], [[null]], [[{ path: "" }]], [[{ path: 7, type: `${MODULE}Pooling` }]]])(
    "a modules.json of %j is refused by name",
    async (list) => {
      const files = { "modules.json": list, "1_Pooling/config.json": { pooling_mode: "mean" } };
      await expect(readModuleConfiguration(model, BERT, read(files))).rejects.toMatchObject({
        code: "model_load_failed",
        message: expect.stringContaining("modules.json does not list modules"),
      });
    },
  );

  test("the folder of the pooling may end with a slash", async () => {
    const files = {
      "modules.json": [{ path: "1_Pooling/", type: `${MODULE}Pooling` }],
      "1_Pooling/config.json": { pooling_mode: "cls" },
    };
    expect(await readModuleConfiguration(model, BERT, read(files))).toMatchObject({ pooling: "cls" });
  });

  test("a prefix of null is none", async () => {
    const prefixes = async (prompts: unknown) => {
      const files = {
        "1_Pooling/config.json": { pooling_mode_cls_token: true },
        "config_sentence_transformers.json": { prompts },
      };
      return (await readModuleConfiguration(model, BERT, read(files))).prefixes;
    };
    expect(await prefixes({ query: "q: ", document: null })).toEqual({ query: "q: ", document: "" });
    expect(await prefixes({ query: null, document: null, passage: "p: " })).toEqual({
      query: "",
      document: "p: ",
    });
    expect(await prefixes(null)).toEqual({ query: "", document: "" });
  });

  test("prompts are chosen as by encode_query and encode_document of sentence-transformers", async () => {
    const prefixes = async (configuration: object) => {
      const files = { ...MEAN, "config_sentence_transformers.json": configuration };
      return (await readModuleConfiguration(model, BERT, read(files))).prefixes;
    };
    const usual = { prompts: { query: "q: ", corpus: "c: ", sts: "s: " }, default_prompt_name: "sts" };
    expect(await prefixes(usual)).toEqual({ query: "q: ", document: "c: " });
    expect(await prefixes({ ...usual, prompts: { sts: "s: " } })).toEqual({ query: "s: ", document: "s: " });
    const empty = { ...usual, prompts: { query: "q: ", document: "", passage: "p: ", sts: "s: " } };
    expect(await prefixes(empty)).toEqual({ query: "q: ", document: "" });
    const none = { prompts: { query: 7, document: {} }, default_prompt_name: "constructor" };
    expect(await prefixes(none)).toEqual({ query: "", document: "" });
  });

  test.each([["512 tokens"], [0], [1.5], [null]])("a length of %j is none", async (max_seq_length) => {
    const files = { ...MEAN, "sentence_bert_config.json": { max_seq_length } };
    expect((await readModuleConfiguration(model, BERT, read(files))).maxTokens).toBeUndefined();
  });

  test("a record that is complete wins, and then nothing is read", async () => {
    const record = { ...model, pooling: "mean", normalize: false, maxTokens: 9, isComplete: true } as const;
    const nothing = async (): Promise<never> => {
      throw new Error("read");
    };
    expect(await readModuleConfiguration(record, BERT, nothing)).toEqual({
      pooling: "mean",
      normalize: false,
      prefixes: { query: "", document: "" },
      maxTokens: 9,
    });
  });

  test("options for pooling, normalization and length leave Dense modules and prefixes as the files say", async () => {
    const record = { ...model, pooling: "cls", normalize: true, maxTokens: 9 } as const;
    const files = {
      "modules.json": modules("Transformer", "Pooling", "Dense"),
      "config_sentence_transformers.json": { prompts: { query: "q: " } },
    };
    expect(await readModuleConfiguration(record, BERT, read(files))).toEqual({
      pooling: "cls",
      isPoolingStated: true,
      steps: [{ kind: "Dense", folder: "" }],
      normalize: true,
      prefixes: { query: "q: ", document: "" },
      maxTokens: 9,
    });
  });

  test("a model without a Normalize module is left as it is", async () => {
    const files = {
      "modules.json": modules("Transformer", "Pooling"),
      "1_Pooling/config.json": { pooling_mode_lasttoken: true },
    };
    const found = await readModuleConfiguration(model, BERT, read(files));
    expect(found).toMatchObject({ pooling: "last_token", normalize: false, maxTokens: undefined });
  });

  const hub = { url: "https://hub.test/", repository: "org/m", revision: "main" };
  const bge = {
    pooling: "cls",
    normalize: true,
    prefixes: { query: "q ", document: "" },
    maxTokens: 512,
  } as const;
  const wellKnown = { ...model, hub, knownRules: { ...bge, of: "bge-small" } };

  test("a repository without a pooling configuration has the rules of the model of its name, with a note", async () => {
    expect(await readModuleConfiguration(wellKnown, BERT, read({}))).toEqual({
      ...bge,
      note: expect.stringMatching(/no 1_Pooling\/config\.json.* of bge-small\./),
    });
    const own = { ...wellKnown, normalize: false, prefixes: { query: "", document: "d " } };
    expect(await readModuleConfiguration(own, BERT, read({}))).toMatchObject({
      pooling: "cls",
      normalize: false,
      prefixes: { query: "", document: "d " },
    });
  });

  test("a model's own files and options come before its name", async () => {
    const files = { "1_Pooling/config.json": { pooling_mode_mean_tokens: true } };
    const stated = await readModuleConfiguration(wellKnown, BERT, read(files));
    expect(stated).toEqual({
      pooling: "mean",
      normalize: true,
      prefixes: { query: "", document: "" },
      maxTokens: undefined,
    });
    const chosen = await readModuleConfiguration({ ...wellKnown, pooling: "mean" }, BERT, read({}));
    expect(chosen).toEqual({ ...stated, isPoolingStated: true });
  });

  test("a well-known model whose files name no prompts has the prefixes of its card, with a note", async () => {
    const files = {
      "modules.json": modules("Transformer", "Pooling"),
      "1_Pooling/config.json": { pooling_mode_cls_token: true },
      "config_sentence_transformers.json": { prompts: { query: "", document: "" } },
    };
    expect(await readModuleConfiguration(wellKnown, BERT, read(files))).toEqual({
      pooling: "cls",
      normalize: false,
      prefixes: bge.prefixes,
      maxTokens: 512,
      note: expect.stringMatching(/name no prompts: its prefixes are those of bge-small\./),
    });
    const prompts = { "config_sentence_transformers.json": { prompts: { query: "own: " } } };
    const own = await readModuleConfiguration(wellKnown, BERT, read({ ...files, ...prompts }));
    expect(own.prefixes).toEqual({ query: "own: ", document: "" });
    expect(own).not.toHaveProperty("note");
  });

  test("texts are converted to lower case where the files say so", async () => {
    const files = { ...MEAN, "sentence_bert_config.json": { max_seq_length: 9, do_lower_case: true } };
    expect(await readModuleConfiguration(model, BERT, read(files))).toMatchObject({
      isLowerCase: true,
      maxTokens: 9,
    });
  });

  test.each([["0_StaticEmbedding"], ["."], [""]])(
    "static embeddings in %j are the network's",
    async (path) => {
      const list = [{ path, type: `${MODULE}StaticEmbedding` }, ...modules("Normalize")];
      expect(await readModuleConfiguration(model, {}, read({ "modules.json": list }))).toMatchObject({
        pooling: "sentence_embedding",
        staticFolder: path.replace(".", ""),
        normalize: true,
      });
    },
  );

  // What PyLate and sentence-transformers 6.0 save of models that make several vectors, a sparse one, or a score.
  test.each([
    [{ "modules.json": modules("Transformer", "Dense") }, /Dense module for each token, as ColBERT/],
    [
      {
        "modules.json": modules("Transformer"),
        "config_sentence_transformers.json": { model_type: "ColBERT" },
      },
      /'m' does not make one vector of a text: .*says ColBERT\. Use an embedding model that does/,
    ],
    [
      {
        "modules.json": modules("Transformer", "Dense", "MultiVectorMask", "Normalize"),
        "config_sentence_transformers.json": { model_type: "MultiVectorEncoder" },
      },
      /says MultiVectorEncoder/,
    ],
    [
      {
        "modules.json": modules("Transformer"),
        "config_sentence_transformers.json": { model_type: "CrossEncoder", prompts: {} },
      },
      /says CrossEncoder/,
    ],
    [
      {
        "modules.json": modules("MLMTransformer", "SpladePooling"),
        "config_sentence_transformers.json": { model_type: "SparseEncoder" },
      },
      /says SparseEncoder/,
    ],
  ])("another kind of model is refused: %j", async (files, message) => {
    await expect(readModuleConfiguration(model, BERT, read(files))).rejects.toMatchObject({
      code: "unsupported_model",
      param: "model",
      message: expect.stringMatching(message),
    });
  });

  test.each([
    [
      "unknown_pooling",
      "BertModel",
      /'org\/m'.*1_Pooling.*pooling.*option models.*\{ kind: 'embedding', id: 'org\/m', pooling/,
    ],
    ["unknown_pooling", "BertForMaskedLM", /option models/],
    ["unknown_pooling", undefined, /option models/],
    ["unsupported_model", "Qwen3ForCausalLM", /'org\/m' is not an embedding model.*Qwen3ForCausalLM.*GGUF/],
    ["unsupported_model", "T5ForConditionalGeneration", /T5ForConditionalGeneration/],
    [
      "unsupported_model",
      "BertForSequenceClassification",
      /BertForSequenceClassification\. Rerankers .*no endpoint: use an embedding model/,
    ],
    ["unsupported_model", "GPT2LMHeadModel", /GPT2LMHeadModel/],
    ["unsupported_model", "HF_ColBERT", /HF_ColBERT/],
  ])("%s where only the architecture is known: %s", async (code, architecture, message) => {
    const network = architecture === undefined ? {} : { architectures: [architecture] };
    const reading = readModuleConfiguration({ ...model, hub }, network, read({}));
    await expect(reading).rejects.toMatchObject({
      code,
      param: "model",
      message: expect.stringMatching(message),
    });
  });

  test("a name of hundreds of thousands of letters is read no further", async () => {
    const reading = readModuleConfiguration(
      model,
      { architectures: [`${"ForA".repeat(100_000)}-ForCausalLM`] },
      read({}),
    );
    await expect(reading).rejects.toMatchObject({ code: "unknown_pooling" });
  });

  const MEAN = { "1_Pooling/config.json": { pooling_mode_mean_tokens: true } };

  test("Dense modules follow the pooling, each from its folder", async () => {
    const list = [
      { path: "", type: `${MODULE}Transformer` },
      { path: "1_Pooling", type: `${MODULE}Pooling` },
      { path: "2_Dense", type: `${MODULE}Dense` },
      { path: "3_Dense/", type: "sentence_transformers.base.modules.dense.Dense" },
      { path: "4_Normalize", type: `${MODULE}Normalize` },
    ];
    const found = await readModuleConfiguration(model, BERT, read({ ...MEAN, "modules.json": list }));
    expect(found).toMatchObject({
      pooling: "mean",
      steps: [
        { kind: "Dense", folder: "2_Dense" },
        { kind: "Dense", folder: "3_Dense" },
      ],
      normalize: true,
    });
  });

  test.each([
    [
      { "1_Pooling/config.json": { pooling_mode_mean_tokens: true, pooling_mode_new_tokens: true } },
      "its pooling mode (pooling_mode_new_tokens and pooling_mode_mean_tokens)",
    ],
    [{ "1_Pooling/config.json": { pooling_mode: [] } }, "its pooling mode ()"],
    [{ "1_Pooling/config.json": { pooling_mode: "constructor" } }, "its pooling mode (constructor)"],
    [{ ...MEAN, "modules.json": modules("Transformer", "Pooling", "LSTM") }, "its LSTM module"],
    [{ ...MEAN, "modules.json": modules("Transformer", "Dense", "Pooling") }, "its Dense module"],
    [
      { "modules.json": modules("Transformer", "WeightedLayerPooling", "Pooling") },
      "its WeightedLayerPooling module",
    ],
  ])(
    "what is not computed here is refused by the small files, unless an option says that the network has it: %j",
    async (files, what) => {
      const refusal = {
        code: "unsupported_model",
        param: "model",
        message: expect.stringContaining(`${what} is not computed here.`),
      };
      await expect(readModuleConfiguration(model, BERT, read(files))).rejects.toMatchObject(refusal);
      const stated = { ...model, pooling: "sentence_embedding" } as const;
      expect(await readModuleConfiguration(stated, BERT, read(files))).toMatchObject({
        pooling: "sentence_embedding",
      });
    },
  );

  test("prompts that the pooling leaves out cannot be chosen", async () => {
    const files = (include_prompt: boolean) => ({
      "1_Pooling/config.json": { pooling_mode: "mean", include_prompt },
      "config_sentence_transformers.json": { prompts: { clustering: "c: " } },
    });
    expect(await readModuleConfiguration(model, BERT, read(files(true)))).toMatchObject({
      prompts: { clustering: "c: " },
    });
    expect(await readModuleConfiguration(model, BERT, read(files(false)))).not.toHaveProperty("prompts");
  });

  test.each([
    [
      "no pooling is named",
      { "modules.json": modules("Transformer") },
      /https:\/\/models\.test\/m\/1_Pooling\/config\.json was not found\. .*pooling/,
    ],
    [
      "the prefix is not pooled",
      {
        "1_Pooling/config.json": { pooling_mode: "mean", include_prompt: false },
        "config_sentence_transformers.json": { prompts: { query: "q: " } },
      },
      /include_prompt/,
    ],
  ])("right numbers or none: %s", async (_name, files, message) => {
    await expect(readModuleConfiguration(model, BERT, read(files))).rejects.toThrow(message);
  });
});
