import { expect, test } from "vitest";
import { describeClip, type VisionArchitecture } from "../../../../models/gguf/clip-gguf.ts";

const small: VisionArchitecture = {
  imageSize: 8,
  patchSize: 4,
  hidden: 32,
  layers: 2,
  heads: 2,
  intermediate: 64,
  layerNormEps: 1e-5,
  imageMean: [0.5, 0.5, 0.5],
  imageStd: [0.5, 0.5, 0.5],
};

/** Each number is its place in the tensor. */
const counted = (name: string): Float32Array => {
  const rows = /qkv/.test(name) ? 96 : /up_proj/.test(name) ? 64 : 32;
  const columns = /down_proj/.test(name) ? 64 : /patch_embedding/.test(name) ? 48 : 32;
  const length = /bias|ln|norm/.test(name) ? rows : /position/.test(name) ? 4 * 32 : rows * columns;
  return Float32Array.from({ length }, (_, at) => at);
};

test("the projector has the tensors and the keys that llama.cpp reads", () => {
  const { metadata, tensors } = describeClip(small, 32, counted, "f32");
  const shapes = Object.fromEntries(tensors.map(({ name, shape }) => [name, shape]));
  expect(tensors).toHaveLength(2 + 2 * 16 + 2 + 4);
  expect(shapes).toMatchObject({
    "v.patch_embd.weight": [32, 3, 4, 4],
    "v.position_embd.weight": [4, 32],
    "v.blk.1.attn_k.weight": [32, 32],
    "v.blk.1.ffn_up.weight": [64, 32],
    "v.blk.1.ffn_down.weight": [32, 64],
    "v.post_ln.bias": [32],
    "mm.2.weight": [32, 32],
  });
  expect(metadata["clip.vision.feature_layer"]).toEqual({ type: "array", of: "int32", values: [2] });
  for (const { name, shape, bytes } of tensors) {
    expect(bytes.byteLength, name).toBe(4 * shape.reduce((product, size) => product * size, 1));
  }
});

test("queries, keys and values are the thirds of the stored matrix", () => {
  const { tensors } = describeClip(small, 32, counted, "f32");
  const first = (name: string): number => {
    const { bytes } = tensors.find((tensor) => tensor.name === name)!;
    return new DataView(bytes.buffer, bytes.byteOffset).getFloat32(0, true);
  };
  expect(["q", "k", "v"].map((part) => first(`v.blk.0.attn_${part}.weight`))).toEqual([0, 1024, 2048]);
  expect(["q", "k", "v"].map((part) => first(`v.blk.0.attn_${part}.bias`))).toEqual([0, 32, 64]);
});
