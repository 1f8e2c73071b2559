/** The weights of llama2.c by MLC's names and layout. */

import type { Weights } from "../../../models/gguf/read-weights.ts";
import type { Llama2c } from "./llama2c.ts";

/** llama2.c rotates adjacent rows, MLC row `i` with row `i + headDim / 2`. */
export function mlcWeights({ architecture, tensors }: Llama2c): Weights {
  const { layers, headDim, hidden } = architecture;
  return (name) => {
    const [, number, part] = /^model\.layers\.(\d+)\.(.+)\.weight$/.exec(name) ?? [];
    const layer = Number(number);
    const of = (tensor: keyof Llama2c["tensors"]): Float32Array => {
      const values = tensors[tensor];
      const length = values.length / layers;
      return values.subarray(layer * length, (layer + 1) * length);
    };
    switch (part ?? name) {
      case "model.embed_tokens.weight":
        return tensors.embed;
      case "model.norm.weight":
        return tensors.norm;
      case "input_layernorm":
        return of("attention_norm");
      case "self_attn.qkv_proj":
        return joined(halved(of("q"), headDim, hidden), halved(of("k"), headDim, hidden), of("v"));
      case "self_attn.o_proj":
        return of("o");
      case "post_attention_layernorm":
        return of("ffn_norm");
      case "mlp.gate_up_proj":
        return joined(of("gate"), of("up"));
      case "mlp.down_proj":
        return of("down");
      default:
        throw new Error(`stories15M has no ${name}.`);
    }
  };
}

function halved(rows: Float32Array, headDim: number, width: number): Float32Array {
  const moved = new Float32Array(rows.length);
  for (let row = 0; row * width < rows.length; row++) {
    const within = row % headDim;
    const target = row - within + (within % 2 === 0 ? within / 2 : headDim / 2 + (within - 1) / 2);
    moved.set(rows.subarray(row * width, (row + 1) * width), target * width);
  }
  return moved;
}

function joined(...parts: Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
