/** A projector that takes images in their own size, as that of dots.ocr; its weights are deterministic noise. */

import { encodeTensor } from "../../../models/gguf/encode-tensor.ts";
import type { GgufTensor, MetadataValue } from "../../../models/gguf/gguf-file.ts";
import type { GgufContents } from "../../../models/gguf/llama-gguf.ts";

/** Pixels on a side of a token: two patches. */
export const TOKEN_SIDE = 16;
const PATCH = TOKEN_SIDE / 2;
const HIDDEN = 256;
const WIDE = 64;

/**
 * @param textHidden width of the text model's residual stream
 * @param heads how many scores each pair of patches has
 */
export function ownSizeProjector(textHidden: number, heads: number, maxPixels: number): GgufContents {
  const uint32 = (value: number): MetadataValue => ({ type: "uint32", value });
  const text = (value: string): MetadataValue => ({ type: "string", value });
  const metadata: Record<string, MetadataValue> = {
    "general.architecture": text("clip"),
    "general.type": text("mmproj"),
    "clip.has_vision_encoder": { type: "bool", value: true },
    "clip.projector_type": text("dots_ocr"),
    "clip.use_silu": { type: "bool", value: true },
    "clip.vision.image_size": uint32(64),
    "clip.vision.image_min_pixels": uint32(TOKEN_SIDE * TOKEN_SIDE),
    "clip.vision.image_max_pixels": uint32(maxPixels),
    "clip.vision.patch_size": uint32(PATCH),
    "clip.vision.embedding_length": uint32(HIDDEN),
    "clip.vision.feed_forward_length": uint32(WIDE),
    "clip.vision.block_count": uint32(1),
    "clip.vision.attention.head_count": uint32(heads),
    "clip.vision.attention.layer_norm_epsilon": { type: "float32", value: 1e-5 },
    "clip.vision.projection_dim": uint32(textHidden),
    "clip.vision.projector.scale_factor": uint32(2),
    "clip.vision.image_mean": { type: "array", of: "float32", values: [0.5, 0.5, 0.5] },
    "clip.vision.image_std": { type: "array", of: "float32", values: [0.5, 0.5, 0.5] },
  };
  let state = 1;
  const tensor = (name: string, ...shape: number[]): GgufTensor => {
    const values = Float32Array.from({ length: shape.reduce((all, size) => all * size, 1) }, () => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647 - 0.5;
    });
    return { name, shape, encoding: "f32", bytes: encodeTensor(values, "f32") };
  };
  const linear = (name: string, rows: number, columns: number) => [
    tensor(`${name}.weight`, rows, columns),
    tensor(`${name}.bias`, rows),
  ];
  const tensors = [
    tensor("v.patch_embd.weight", HIDDEN, 3, PATCH, PATCH),
    tensor("v.blk.0.ln1.weight", HIDDEN),
    ...["attn_q", "attn_k", "attn_v", "attn_out"].map((name) =>
      tensor(`v.blk.0.${name}.weight`, HIDDEN, HIDDEN),
    ),
    tensor("v.blk.0.ln2.weight", HIDDEN),
    tensor("v.blk.0.ffn_gate.weight", WIDE, HIDDEN),
    tensor("v.blk.0.ffn_up.weight", WIDE, HIDDEN),
    tensor("v.blk.0.ffn_down.weight", HIDDEN, WIDE),
    tensor("mm.post_norm.weight", HIDDEN),
    tensor("mm.input_norm.weight", HIDDEN),
    tensor("mm.input_norm.bias", HIDDEN),
    ...linear("mm.0", textHidden, 4 * HIDDEN),
    ...linear("mm.2", textHidden, textHidden),
  ];
  return { metadata, tensors };
}
