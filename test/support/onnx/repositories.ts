/** Embedding models in the layouts of the hub's conversions, with random weights. */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { HubRepository } from "../../../scripts/hub/repository.ts";
import { safetensors } from "./safetensors.ts";
import { ADAPTED, DENSE_WEIGHT, NORM, QUANTIZED, RESIDUAL_WEIGHT, ROBERTA, TASKS } from "./settings.ts";
import { VOCABULARY, WIDTH } from "./tiny-network.ts";
import { networkFile } from "./tiny-network-file.ts";

const tokenizerFolder = resolve(import.meta.dirname, "../../fixtures/hub/acme/cls-embed/resolve/main");
const TOKENIZER = {
  "tokenizer.json": readFileSync(resolve(tokenizerFolder, "tokenizer.json"), "utf8"),
  "tokenizer_config.json": readFileSync(resolve(tokenizerFolder, "tokenizer_config.json"), "utf8"),
};

type Files = Record<string, Uint8Array | string>;

const json = (value: object): string => JSON.stringify(value);

/** The files beside the weights: a BERT whose vectors are the mean of its tokens. */
function files(more: Files, configuration: object = {}): Files {
  const bert = { model_type: "bert", architectures: ["BertModel"], pad_token_id: 0 };
  const sizes = { hidden_size: WIDTH, vocab_size: VOCABULARY, max_position_embeddings: 64 };
  return {
    ...TOKENIZER,
    "config.json": json({ ...bert, ...sizes, ...configuration }),
    "1_Pooling/config.json": json({ pooling_mode_mean_tokens: true }),
    "modules.json": modules("Transformer", "Pooling"),
    ...more,
  };
}

function modules(...kinds: string[]): string {
  return json(
    kinds.map((kind, idx) => ({
      idx,
      path: kind === "Transformer" ? "" : `${idx}_${kind}`,
      type: `sentence_transformers.models.${kind}`,
    })),
  );
}

/** By name; each is `acme/<name>`. */
const REPOSITORIES: Record<string, () => Files> = {
  "at-the-root": () => files({ "model.onnx": networkFile() }),
  "of-a-processor": () =>
    files({
      "onnx/model.onnx": networkFile({ seed: 2 }),
      "onnx/model_O4.onnx": networkFile({ seed: 3 }),
      "onnx/model_qint8_avx512_vnni.onnx": networkFile(QUANTIZED),
    }),
  /** As fastembed's: quantised, but not by its name. */
  optimized: () => files({ "model_optimized.onnx": networkFile(QUANTIZED) }),
  /** Takes one text at a time. */
  "one-text": () => files({ "onnx/model.onnx": networkFile({ batch: 1 }) }),
  /** The same, but only its nodes show it. */
  "traced-with-one-text": () => files({ "onnx/model.onnx": networkFile({ failsInBatch: true }) }),
  "four-bits-only": () => files({ "onnx/model_q4.onnx": networkFile() }),
  "encoder-of-two": () =>
    files(
      { "onnx/encoder_model.onnx": networkFile(), "onnx/decoder_model_merged.onnx": "no decoder" },
      { model_type: "t5", architectures: ["T5EncoderModel"], is_encoder_decoder: true },
    ),
  "in-a-folder": () => {
    const {
      "config.json": config,
      "tokenizer.json": tokenizer,
      "tokenizer_config.json": rest,
      ...others
    } = files({
      "onnx/model.onnx": networkFile(),
    });
    const list = JSON.parse(modules("Transformer", "Pooling"));
    list[0].path = "0_BERT";
    return {
      ...others,
      "modules.json": json(list),
      "0_BERT/config.json": config!,
      "0_BERT/tokenizer.json": tokenizer!,
      "0_BERT/tokenizer_config.json": rest!,
      "0_BERT/sentence_bert_config.json": json({ max_seq_length: 20 }),
    };
  },
  "two-networks": () =>
    files({ "onnx/text_model.onnx": networkFile(), "onnx/other_model.onnx": networkFile() }),
  openvino: () => files({ "openvino/openvino_model.xml": "<net/>", "model.safetensors": "weights" }),
  "many-steps": () =>
    files({
      "onnx/model.onnx": networkFile(),
      "1_Pooling/config.json": json({ pooling_mode_mean_tokens: true, pooling_mode_cls_token: true }),
      "modules.json": modules("Transformer", "Pooling", "Normalize", "Dense", "LayerNorm"),
      "3_Dense/config.json": json({
        in_features: 2 * WIDTH,
        out_features: 4,
        bias: false,
        activation_function: "torch.nn.modules.activation.Tanh",
        use_residual: true,
      }),
      "3_Dense/model.safetensors": safetensors({
        "linear.weight": { shape: [4, 2 * WIDTH], numbers: DENSE_WEIGHT },
        "residual.weight": { shape: [4, 2 * WIDTH], numbers: RESIDUAL_WEIGHT },
      }),
      "4_LayerNorm/config.json": json({ dimension: 4 }),
      "4_LayerNorm/model.safetensors": safetensors({
        "norm.weight": { shape: [4], numbers: NORM.weight },
        "norm.bias": { shape: [4], numbers: NORM.bias },
      }),
    }),
  adapted: () =>
    files(
      {
        "onnx/model.onnx": networkFile(ADAPTED),
        "modules.json": modules("Transformer", "Pooling", "Normalize").replace(
          "models.Transformer",
          "custom_st.Transformer",
        ),
      },
      {
        // As in jinaai/jina-embeddings-v3.
        model_type: undefined,
        architectures: ["XLMRobertaModel"],
        lora_adaptations: TASKS,
        task_instructions: { "retrieval.query": "query: ", "retrieval.passage": "passage: ", separation: "" },
        matryoshka_dimensions: [2, 4, WIDTH],
      },
    ),
  /** All but two of its positions are for tokens; its length has the name of versions before 0.3. */
  "after-padding": () =>
    files(
      { "onnx/model.onnx": networkFile(ROBERTA) },
      {
        model_type: "xlm-roberta",
        architectures: ["XLMRobertaModel"],
        max_position_embeddings: ROBERTA.positions,
        pad_token_id: 1,
      },
    ),
  "named-after-its-type": () =>
    files(
      { "onnx/model.onnx": networkFile(), "sentence_distilbert_config.json": json({ max_seq_length: 7 }) },
      { model_type: "distilbert", architectures: ["DistilBertModel"], hidden_size: undefined, dim: WIDTH },
    ),
  cut: () =>
    files({
      "onnx/model.onnx": networkFile(),
      "modules.json": modules("Transformer", "Pooling", "Normalize"),
      "config_sentence_transformers.json": json({ truncate_dim: 4, similarity_fn_name: "dot" }),
    }),
  router: () => {
    const { "config.json": _, ...others } = files({ "onnx/model.onnx": networkFile() });
    return { ...others, "modules.json": modules("Router", "Normalize"), "router_config.json": "{}" };
  },
  recurrent: () =>
    files({ "onnx/model.onnx": networkFile(), "modules.json": modules("Transformer", "Pooling", "LSTM") }),
  "own-output-only": () => files({ "onnx/model.onnx": networkFile({ output: "other", hasOwnOutput: true }) }),
  reranker: () =>
    files(
      { "onnx/model.onnx": networkFile(), "1_Pooling/config.json": "", "modules.json": "" },
      { architectures: ["XLMRobertaForSequenceClassification"] },
    ),
};

/** Those of {@link REPOSITORIES}, each made once. */
const made = new Map<string, HubRepository>();

export function onnxRepository(name: string): HubRepository | undefined {
  const make = Object.hasOwn(REPOSITORIES, name) ? REPOSITORIES[name] : undefined;
  if (!make) return undefined;
  const repository = made.get(name) ?? new HubRepository(`acme/${name}`);
  if (!made.has(name)) {
    const all = Object.entries(make()).filter(([, content]) => content !== "");
    repository.commit(Object.fromEntries(all));
    made.set(name, repository);
  }
  return repository;
}
