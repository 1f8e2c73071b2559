/** An RWKV-7 of two layers for tests. Its weights are deterministic noise. */

import type { MetadataValue } from "../../../models/gguf/gguf-file.ts";
import type { GgufContents } from "../../../models/gguf/llama-gguf.ts";
import { float32, int32s, strings, Tensors, text, uint32 } from "./tiny-encoders.ts";

const SIZES = { hidden: 64, headSize: 32, layers: 2, inner: 96, rank: 8 };

/** A byte as Python's `repr` writes it. */
function escaped(byte: number): string {
  const named: Readonly<Record<number, string>> = { 9: "\\t", 10: "\\n", 13: "\\r", 39: "\\'", 92: "\\\\" };
  const isPrintable = byte >= 32 && byte < 127;
  return (
    named[byte] ?? (isPrintable ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`)
  );
}

/** As `convert_hf_to_gguf.py` writes them. */
export const RWKV_TOKENS = [
  "<s>",
  ...Array.from({ length: 256 }, (_, byte) => escaped(byte)),
  ...["System", "User", "Assistant", "hello", " hello", "  ", "\\n\\n", "\\xc3\\xa9", "\\xe2\\x82"],
];
const END_OF_TURN = RWKV_TOKENS.indexOf("\\n\\n");

export function tinyRwkv(changes: Record<string, MetadataValue> = {}): GgufContents {
  const { hidden, headSize, layers, inner, rank } = SIZES;
  const make = new Tensors(3);
  const norm = (name: string): void => {
    make.norm(`${name}.weight`, hidden);
    make.bias(`${name}.bias`, hidden);
  };
  make.matrix("token_embd.weight", RWKV_TOKENS.length, hidden);
  norm("token_embd_norm");
  norm("output_norm");
  make.matrix("output.weight", RWKV_TOKENS.length, hidden);
  for (let layer = 0; layer < layers; layer++) {
    const block = `blk.${layer}`;
    norm(`${block}.attn_norm`);
    norm(`${block}.attn_norm_2`);
    for (const part of ["w", "a", "v", "g"]) {
      if (part !== "g") make.bias(`${block}.time_mix_${part}0.weight`, hidden);
      make.matrix(`${block}.time_mix_${part}1.weight`, rank, hidden);
      make.matrix(`${block}.time_mix_${part}2.weight`, hidden, rank);
    }
    make.tensor(`${block}.time_mix_lerp_fused.weight`, [6, 1, 1, hidden]);
    for (const part of ["k_k", "k_a", "r_k"]) make.bias(`${block}.time_mix_${part}.weight`, hidden);
    for (const part of ["key", "value", "receptance", "output"])
      make.matrix(`${block}.time_mix_${part}.weight`, hidden, hidden);
    norm(`${block}.time_mix_ln`);
    make.tensor(`${block}.channel_mix_lerp_k.weight`, [1, 1, hidden]);
    make.matrix(`${block}.channel_mix_key.weight`, inner, hidden);
    make.matrix(`${block}.channel_mix_value.weight`, hidden, inner);
  }
  const metadata: Record<string, MetadataValue> = {
    "general.architecture": text("rwkv7"),
    "general.file_type": uint32(0),
    "rwkv7.context_length": uint32(1_048_576),
    "rwkv7.embedding_length": uint32(hidden),
    "rwkv7.block_count": uint32(layers),
    "rwkv7.feed_forward_length": uint32(inner),
    "rwkv7.attention.head_count": uint32(0),
    "rwkv7.attention.layer_norm_epsilon": float32(1e-5),
    "rwkv7.wkv.head_size": uint32(headSize),
    "rwkv7.attention.decay_lora_rank": uint32(rank),
    "rwkv7.attention.iclr_lora_rank": uint32(rank),
    "rwkv7.attention.value_residual_mix_lora_rank": uint32(rank),
    "rwkv7.attention.gate_lora_rank": uint32(rank),
    "tokenizer.ggml.model": text("rwkv"),
    "tokenizer.ggml.tokens": strings(RWKV_TOKENS),
    "tokenizer.ggml.token_type": int32s(RWKV_TOKENS.map((_, id) => (id === 0 ? 3 : 1))),
    "tokenizer.ggml.bos_token_id": uint32(0),
    "tokenizer.ggml.eos_token_id": uint32(0),
    "tokenizer.ggml.eot_token_id": uint32(END_OF_TURN),
    "tokenizer.chat_template": text("rwkv-world"),
    ...changes,
  };
  return { metadata, tensors: make.all };
}
