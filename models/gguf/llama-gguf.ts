/**
 * Exports the built-in chat model for llama.cpp from the files that web-llm loads: the same weights, other names.
 * Also the text part of the model that sees.
 *
 *   npx tsx models/gguf/llama-gguf.ts f32|q8_0 out.gguf
 */

import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Architecture, readArchitecture } from "../library/build.ts";
import { encodeTensor } from "./encode-tensor.ts";
import { type GgufTensor, type MetadataValue, type TensorEncoding, writeGguf } from "./gguf-file.ts";
import { readWeights, type Weights } from "./read-weights.ts";

interface TokenizerFile {
  model: { vocab: Record<string, number>; merges: (string | [string, string])[] };
  added_tokens: { id: number; content: string; special: boolean }[];
}

/** ggml's token types: control tokens are omitted from replies, user-defined ones are text. */
const TOKEN_KIND = { normal: 1, control: 3, userDefined: 4 } as const;
/** `general.file_type`. */
export const FILE_TYPE: Record<TensorEncoding, number> = { f32: 0, q8_0: 7 };

/**
 * @param folder like `models/tiny-chat`
 * @param name of the model, in the metadata
 */
export async function exportGguf(
  folder: string,
  encoding: TensorEncoding,
  name = "infetch-tiny",
): Promise<Uint8Array> {
  const architecture = readArchitecture(join(folder, "architecture.json"));
  const tokenizer = await readTokenizer(folder);
  const weights = await readWeights(folder);
  const chatTemplate = await readChatTemplate(folder);
  const description = { tokenizer, chatTemplate, name };
  const { metadata, tensors } = describeLlama(architecture, description, weights, encoding);
  return writeGguf(metadata, tensors);
}

export async function readTokenizer(folder: string): Promise<TokenizerFile> {
  return JSON.parse(await readFile(join(folder, "tokenizer.json"), "utf8")) as TokenizerFile;
}

/** The template that the runtime renders with, in every engine. */
export async function readChatTemplate(folder: string): Promise<string> {
  const config = JSON.parse(await readFile(join(folder, "tokenizer_config.json"), "utf8"));
  return (config as { chat_template: string }).chat_template;
}

export interface GgufContents {
  metadata: Record<string, MetadataValue>;
  tensors: GgufTensor[];
}

/** Metadata and tensors of a Llama in GGUF. */
export function describeLlama(
  architecture: Architecture,
  {
    tokenizer,
    chatTemplate,
    name = "infetch-tiny",
  }: { tokenizer: TokenizerFile; chatTemplate: string; name?: string },
  weights: Weights,
  encoding: TensorEncoding,
): GgufContents {
  if (!architecture.tiedEmbedding) throw new Error("Only models with a tied embedding are exported.");
  const metadata: Record<string, MetadataValue> = {
    "general.architecture": text("llama"),
    "general.name": text(name),
    "general.license": text("apache-2.0"),
    "general.file_type": uint32(FILE_TYPE[encoding]),
    ...dimensions(architecture),
    ...vocabulary(tokenizer),
    "tokenizer.chat_template": text(chatTemplate),
  };
  return { metadata, tensors: tensorsOf(architecture, weights, encoding) };
}

function dimensions(of: Architecture): Record<string, MetadataValue> {
  return {
    "llama.context_length": uint32(of.contextWindow),
    "llama.embedding_length": uint32(of.hidden),
    "llama.block_count": uint32(of.layers),
    "llama.feed_forward_length": uint32(of.intermediate),
    "llama.attention.head_count": uint32(of.heads),
    "llama.attention.head_count_kv": uint32(of.kvHeads),
    "llama.attention.key_length": uint32(of.headDim),
    "llama.attention.value_length": uint32(of.headDim),
    "llama.attention.layer_norm_rms_epsilon": { type: "float32", value: of.rmsEps },
    "llama.rope.freq_base": { type: "float32", value: of.ropeTheta },
    "llama.rope.dimension_count": uint32(of.headDim),
    "llama.vocab_size": uint32(of.vocab),
  };
}

function vocabulary({ model, added_tokens: added }: TokenizerFile): Record<string, MetadataValue> {
  const tokens: string[] = [];
  for (const [token, id] of Object.entries(model.vocab)) tokens[id] = token;
  const kinds: number[] = tokens.map(() => TOKEN_KIND.normal);
  for (const { id, content, special } of added) {
    tokens[id] = content;
    kinds[id] = special ? TOKEN_KIND.control : TOKEN_KIND.userDefined;
  }
  const idOf = (content: string): MetadataValue => uint32(tokens.indexOf(content));
  const merges = model.merges.map((merge) => (typeof merge === "string" ? merge : merge.join(" ")));
  return {
    "tokenizer.ggml.model": text("gpt2"),
    // It splits text at other places than the model's own pattern, but no merge of this vocabulary spans
    // them. The other patterns split off "'s", even at the start of a quoted word.
    "tokenizer.ggml.pre": text("deepseek-llm"),
    "tokenizer.ggml.tokens": { type: "array", of: "string", values: tokens },
    "tokenizer.ggml.token_type": { type: "array", of: "int32", values: kinds },
    "tokenizer.ggml.merges": { type: "array", of: "string", values: merges },
    "tokenizer.ggml.bos_token_id": idOf("<|endoftext|>"),
    "tokenizer.ggml.eos_token_id": idOf("<|im_end|>"),
    "tokenizer.ggml.padding_token_id": idOf("<|pad|>"),
    "tokenizer.ggml.add_bos_token": { type: "bool", value: false },
  };
}

function tensorsOf(of: Architecture, weights: Weights, encoding: TensorEncoding): GgufTensor[] {
  const tensor = (name: string, rows: number, columns: number, values: Float32Array): GgufTensor => ({
    name: `${name}.weight`,
    shape: [rows, columns],
    encoding,
    bytes: encodeTensor(values, encoding),
  });
  const norm = (name: string, values: Float32Array): GgufTensor => ({
    name: `${name}.weight`,
    shape: [values.length],
    encoding: "f32",
    bytes: encodeTensor(values, "f32"),
  });
  const { hidden, intermediate } = of;
  const queries = of.heads * of.headDim;
  const keys = of.kvHeads * of.headDim;
  const layers = Array.from({ length: of.layers }, (_, layer) => {
    const part = (name: string): Float32Array => weights(`model.layers.${layer}.${name}.weight`);
    const qkv = part("self_attn.qkv_proj");
    const rows = (from: number, to: number): Float32Array => qkv.subarray(from * hidden, to * hidden);
    const gateUp = part("mlp.gate_up_proj");
    const half = intermediate * hidden;
    const at = `blk.${layer}`;
    return [
      norm(`${at}.attn_norm`, part("input_layernorm")),
      tensor(`${at}.attn_q`, queries, hidden, interleave(rows(0, queries), of.headDim, hidden)),
      tensor(`${at}.attn_k`, keys, hidden, interleave(rows(queries, queries + keys), of.headDim, hidden)),
      tensor(`${at}.attn_v`, keys, hidden, rows(queries + keys, queries + 2 * keys)),
      tensor(`${at}.attn_output`, hidden, queries, part("self_attn.o_proj")),
      norm(`${at}.ffn_norm`, part("post_attention_layernorm")),
      tensor(`${at}.ffn_gate`, intermediate, hidden, gateUp.subarray(0, half)),
      tensor(`${at}.ffn_up`, intermediate, hidden, gateUp.subarray(half)),
      tensor(`${at}.ffn_down`, hidden, intermediate, part("mlp.down_proj")),
    ];
  });
  return [
    tensor("token_embd", of.vocab, hidden, weights("model.embed_tokens.weight")),
    norm("output_norm", weights("model.norm.weight")),
    ...layers.flat(),
  ];
}

/** Reorders rows for rotary pairs: MLC rotates row `i` with row `i + headDim / 2`, llama.cpp adjacent rows. */
function interleave(rows: Float32Array, headDim: number, width: number): Float32Array {
  const half = headDim / 2;
  const moved = new Float32Array(rows.length);
  for (let row = 0; row * width < rows.length; row++) {
    const head = Math.floor(row / headDim) * headDim;
    const within = row % headDim;
    const target = head + (within < half ? 2 * within : 2 * (within - half) + 1);
    moved.set(rows.subarray(row * width, (row + 1) * width), target * width);
  }
  return moved;
}

function text(value: string): MetadataValue {
  return { type: "string", value };
}

function uint32(value: number): MetadataValue {
  return { type: "uint32", value };
}

if (process.argv[1] && import.meta.url === pathToFileURL(resolve(process.argv[1])).href) {
  const [encoding = "q8_0", out = "infetch-tiny.gguf"] = process.argv.slice(2);
  const folder = resolve(import.meta.dirname, "../tiny-chat");
  const bytes = await exportGguf(folder, encoding as TensorEncoding);
  await writeFile(out, bytes);
  console.log(`${out}: ${bytes.byteLength} bytes`);
}
