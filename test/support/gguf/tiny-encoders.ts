/** Embedding models for tests, in GGUF and in plain arithmetic. Their weights are deterministic noise. */

import { encodeTensor } from "../../../models/gguf/encode-tensor.ts";
import type { GgufTensor, MetadataValue } from "../../../models/gguf/gguf-file.ts";
import type { GgufContents } from "../../../models/gguf/llama-gguf.ts";

/** A model with the vectors that it should give to each token. */
export interface TinyEncoder {
  contents: GgufContents;
  /** Of each token, before pooling. */
  states(tokens: readonly number[]): Float64Array[];
}

type Matrix = { rows: number; columns: number; values: Float32Array };

export const text = (value: string): MetadataValue => ({ type: "string", value });
export const uint32 = (value: number): MetadataValue => ({ type: "uint32", value });
export const flag = (value: boolean): MetadataValue => ({ type: "bool", value });
export const float32 = (value: number): MetadataValue => ({ type: "float32", value });
export const strings = (values: readonly string[]): MetadataValue => ({
  type: "array",
  of: "string",
  values,
});
export const int32s = (values: readonly number[]): MetadataValue => ({ type: "array", of: "int32", values });

/** Tensors by name, made as they are asked for. */
export class Tensors {
  readonly all: GgufTensor[] = [];
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  matrix(name: string, rows: number, columns: number): Matrix {
    return {
      rows,
      columns,
      values: this.#add(name, [rows, columns], () => this.#noise() / Math.sqrt(columns)),
    };
  }

  bias(name: string, length: number): Float32Array {
    return this.#add(name, [length], () => this.#noise() / 4);
  }

  tensor(name: string, shape: number[]): Float32Array {
    return this.#add(name, shape, () => this.#noise() / 4);
  }

  norm(name: string, length: number): Float32Array {
    return this.#add(name, [length], () => 1 + this.#noise() / 4);
  }

  #add(name: string, shape: number[], make: () => number): Float32Array {
    const values = Float32Array.from({ length: shape.reduce((product, one) => product * one) }, make);
    this.all.push({ name, shape, encoding: "f32", bytes: encodeTensor(values, "f32") });
    return values;
  }

  /** Of a linear congruential generator, about as wide as a normal distribution. */
  #noise(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return (this.#state / 2 ** 32 - 0.5) * 3.4;
  }
}

const SIZES = { hidden: 64, heads: 4, layers: 2, inner: 96 };
const EPSILON = 1e-6;

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
const SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];
/** As `convert_hf_to_gguf.py` writes WordPiece: the beginnings of words are marked. */
export const BERT_TOKENS = [
  ...SPECIAL,
  ..."parcel hello world the on tuesday query : , . ? ! '".split(" ").map((word) => `▁${word}`),
  ...LETTERS.map((letter) => `▁${letter}`),
  ...LETTERS,
  "ing",
  "▁中",
];
export const CLS = 2;
export const SEP = 3;

/** A BERT of two layers. */
export function tinyBert(changes: Record<string, MetadataValue> = {}, context = 128): TinyEncoder {
  const { hidden, heads, layers, inner } = SIZES;
  const make = new Tensors(1);
  const linear = (name: string, rows: number, columns: number) => ({
    weight: make.matrix(`${name}.weight`, rows, columns),
    bias: make.bias(`${name}.bias`, rows),
  });
  const norm = (name: string) => ({
    weight: make.norm(`${name}.weight`, hidden),
    bias: make.bias(`${name}.bias`, hidden),
  });
  const words = make.matrix("token_embd.weight", BERT_TOKENS.length, hidden);
  const types = make.matrix("token_types.weight", 2, hidden);
  const positions = make.matrix("position_embd.weight", context, hidden);
  const first = norm("token_embd_norm");
  const blocks = Array.from({ length: layers }, (_, at) => ({
    q: linear(`blk.${at}.attn_q`, hidden, hidden),
    k: linear(`blk.${at}.attn_k`, hidden, hidden),
    v: linear(`blk.${at}.attn_v`, hidden, hidden),
    out: linear(`blk.${at}.attn_output`, hidden, hidden),
    attentionNorm: norm(`blk.${at}.attn_output_norm`),
    up: linear(`blk.${at}.ffn_up`, inner, hidden),
    down: linear(`blk.${at}.ffn_down`, hidden, inner),
    outputNorm: norm(`blk.${at}.layer_output_norm`),
  }));
  const apply = ({ weight, bias }: ReturnType<typeof linear>, x: Float64Array) =>
    times(weight, x).map((value, at) => value + bias[at]!);
  const normed = (x: Float64Array, { weight, bias }: ReturnType<typeof norm>): Float64Array => {
    const mean = x.reduce((sum, value) => sum + value, 0) / x.length;
    const variance = x.reduce((sum, value) => sum + (value - mean) ** 2, 0) / x.length;
    return x.map((value, at) => ((value - mean) / Math.sqrt(variance + EPSILON)) * weight[at]! + bias[at]!);
  };
  const states = (tokens: readonly number[]): Float64Array[] => {
    let x = tokens.map((token, at) =>
      normed(plus(plus(row(words, token), row(types, 0)), row(positions, at)), first),
    );
    for (const block of blocks) {
      const [q, k, v] = [block.q, block.k, block.v].map((one) => x.map((state) => apply(one, state)));
      const mixed = attention(q!, k!, v!, { heads, kvHeads: heads, isCausal: false });
      const attended = x.map((state, at) =>
        normed(plus(state, apply(block.out, mixed[at]!)), block.attentionNorm),
      );
      x = attended.map((state) =>
        normed(plus(state, apply(block.down, apply(block.up, state).map(gelu))), block.outputNorm),
      );
    }
    return x;
  };
  const metadata: Record<string, MetadataValue> = {
    "general.architecture": text("bert"),
    "general.file_type": uint32(0),
    "bert.context_length": uint32(context),
    "bert.embedding_length": uint32(hidden),
    "bert.block_count": uint32(layers),
    "bert.feed_forward_length": uint32(inner),
    "bert.attention.head_count": uint32(heads),
    "bert.attention.layer_norm_epsilon": float32(EPSILON),
    "bert.attention.causal": flag(false),
    "bert.pooling_type": uint32(1),
    "tokenizer.ggml.model": text("bert"),
    "tokenizer.ggml.pre": text("jina-v2-en"),
    "tokenizer.ggml.token_type_count": uint32(2),
    "tokenizer.ggml.tokens": strings(BERT_TOKENS),
    "tokenizer.ggml.token_type": int32s(BERT_TOKENS.map((token) => (SPECIAL.includes(token) ? 3 : 1))),
    "tokenizer.ggml.scores": { type: "array", of: "float32", values: BERT_TOKENS.map(() => -1000) },
    "tokenizer.ggml.padding_token_id": uint32(0),
    "tokenizer.ggml.unknown_token_id": uint32(1),
    "tokenizer.ggml.bos_token_id": uint32(CLS),
    "tokenizer.ggml.cls_token_id": uint32(CLS),
    "tokenizer.ggml.seperator_token_id": uint32(SEP),
    "tokenizer.ggml.mask_token_id": uint32(4),
    ...changes,
  };
  return { contents: { metadata, tensors: make.all }, states };
}

/** Printable ASCII, and the space as GPT-2 writes it. */
const CHARACTERS = [...Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)), "Ġ", "Ċ"];
const MERGES = ["h e", "Ġ t", "Ġt he", "p a", "pa r", "i n"];
export const QWEN_TOKENS = [...CHARACTERS, ...MERGES.map((merge) => merge.replace(" ", "")), "<|endoftext|>"];
export const END = QWEN_TOKENS.length - 1;

/** A Qwen3 of two layers that pools the last token, as Qwen3-Embedding. */
export function tinyQwen(changes: Record<string, MetadataValue> = {}): TinyEncoder {
  const { hidden, heads, layers, inner } = SIZES;
  const kvHeads = heads / 2;
  const width = hidden / heads;
  const make = new Tensors(2);
  const words = make.matrix("token_embd.weight", QWEN_TOKENS.length, hidden);
  const last = make.norm("output_norm.weight", hidden);
  const blocks = Array.from({ length: layers }, (_, at) => ({
    attentionNorm: make.norm(`blk.${at}.attn_norm.weight`, hidden),
    q: make.matrix(`blk.${at}.attn_q.weight`, hidden, hidden),
    k: make.matrix(`blk.${at}.attn_k.weight`, kvHeads * width, hidden),
    v: make.matrix(`blk.${at}.attn_v.weight`, kvHeads * width, hidden),
    qNorm: make.norm(`blk.${at}.attn_q_norm.weight`, width),
    kNorm: make.norm(`blk.${at}.attn_k_norm.weight`, width),
    out: make.matrix(`blk.${at}.attn_output.weight`, hidden, hidden),
    inputNorm: make.norm(`blk.${at}.ffn_norm.weight`, hidden),
    gate: make.matrix(`blk.${at}.ffn_gate.weight`, inner, hidden),
    up: make.matrix(`blk.${at}.ffn_up.weight`, inner, hidden),
    down: make.matrix(`blk.${at}.ffn_down.weight`, hidden, inner),
  }));
  const normed = (x: Float64Array, weight: Float32Array): Float64Array => {
    const mean = x.reduce((sum, value) => sum + value ** 2, 0) / x.length;
    return x.map((value, at) => (value / Math.sqrt(mean + EPSILON)) * weight[at]!);
  };
  /** Each head is normed and turned by its position. */
  const placed = (x: Float64Array, weight: Float32Array, position: number): Float64Array => {
    const turned = new Float64Array(x.length);
    for (let start = 0; start < x.length; start += width) {
      const head = normed(x.slice(start, start + width), weight);
      for (let at = 0; at < width / 2; at++) {
        const angle = position * 10_000 ** ((-2 * at) / width);
        const [a, b] = [head[at]!, head[at + width / 2]!];
        turned[start + at] = a * Math.cos(angle) - b * Math.sin(angle);
        turned[start + at + width / 2] = a * Math.sin(angle) + b * Math.cos(angle);
      }
    }
    return turned;
  };
  const states = (tokens: readonly number[]): Float64Array[] => {
    let x = tokens.map((token) => row(words, token));
    for (const block of blocks) {
      const read = x.map((state) => normed(state, block.attentionNorm));
      const q = read.map((state, at) => placed(times(block.q, state), block.qNorm, at));
      const k = read.map((state, at) => placed(times(block.k, state), block.kNorm, at));
      const v = read.map((state) => times(block.v, state));
      const mixed = attention(q, k, v, { heads, kvHeads, isCausal: true });
      const attended = x.map((state, at) => plus(state, times(block.out, mixed[at]!)));
      x = attended.map((state) => {
        const input = normed(state, block.inputNorm);
        const up = times(block.up, input);
        const gated = times(block.gate, input).map((value, at) => (value / (1 + Math.exp(-value))) * up[at]!);
        return plus(state, times(block.down, gated));
      });
    }
    return x.map((state) => normed(state, last));
  };
  const metadata: Record<string, MetadataValue> = {
    "general.architecture": text("qwen3"),
    "general.file_type": uint32(0),
    "qwen3.context_length": uint32(512),
    "qwen3.embedding_length": uint32(hidden),
    "qwen3.block_count": uint32(layers),
    "qwen3.feed_forward_length": uint32(inner),
    "qwen3.attention.head_count": uint32(heads),
    "qwen3.attention.head_count_kv": uint32(kvHeads),
    "qwen3.attention.key_length": uint32(width),
    "qwen3.attention.value_length": uint32(width),
    "qwen3.attention.layer_norm_rms_epsilon": float32(EPSILON),
    "qwen3.rope.freq_base": float32(10_000),
    "qwen3.pooling_type": uint32(3),
    "tokenizer.ggml.model": text("gpt2"),
    "tokenizer.ggml.pre": text("qwen2"),
    "tokenizer.ggml.tokens": strings(QWEN_TOKENS),
    "tokenizer.ggml.token_type": int32s(QWEN_TOKENS.map((_, id) => (id === END ? 3 : 1))),
    "tokenizer.ggml.merges": strings(MERGES),
    "tokenizer.ggml.bos_token_id": uint32(END),
    "tokenizer.ggml.eos_token_id": uint32(END),
    "tokenizer.ggml.add_bos_token": flag(false),
    "tokenizer.ggml.add_eos_token": flag(true),
    ...changes,
  };
  return { contents: { metadata, tensors: make.all }, states };
}

/** The vector of a text of unit length. */
export function pooled(states: readonly Float64Array[], pooling: "mean" | "cls" | "last"): number[] {
  const sum = { cls: states[0]!, last: states.at(-1)!, mean: states.reduce(plus) }[pooling];
  const length = Math.hypot(...sum);
  return Array.from(sum, (value) => value / length);
}

function row({ values, columns }: Matrix, at: number): Float64Array {
  return Float64Array.from(values.subarray(at * columns, (at + 1) * columns));
}

function plus(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, at) => value + b[at]!);
}

function times({ rows, columns, values }: Matrix, x: Float64Array): Float64Array {
  return Float64Array.from({ length: rows }, (_, at) => {
    let sum = 0;
    for (let i = 0; i < columns; i++) sum += values[at * columns + i]! * x[i]!;
    return sum;
  });
}

/** The form with tanh, as ggml computes it. */
function gelu(x: number): number {
  return 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));
}

interface Heads {
  heads: number;
  kvHeads: number;
  isCausal: boolean;
}

function attention(
  q: readonly Float64Array[],
  k: readonly Float64Array[],
  v: readonly Float64Array[],
  { heads, kvHeads, isCausal }: Heads,
): Float64Array[] {
  const width = q[0]!.length / heads;
  return q.map((query, position) => {
    const mixed = new Float64Array(query.length);
    for (let head = 0; head < heads; head++) {
      const own = head * width;
      const shared = Math.floor((head * kvHeads) / heads) * width;
      const seen = isCausal ? k.slice(0, position + 1) : k;
      const scores = seen.map((key) => {
        let dot = 0;
        for (let i = 0; i < width; i++) dot += query[own + i]! * key[shared + i]!;
        return Math.exp(dot / Math.sqrt(width));
      });
      const total = scores.reduce((sum, score) => sum + score, 0);
      for (const [at, score] of scores.entries())
        for (let i = 0; i < width; i++) mixed[own + i]! += (score / total) * v[at]![shared + i]!;
    }
    return mixed;
  });
}
