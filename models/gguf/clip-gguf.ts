/**
 * Writes the vision encoder of a model for llama.cpp: a vision transformer and its projector in one GGUF (`mmproj`) of
 * the type `mlp`, that of LLaVA 1.5. A picture becomes a square of `imageSize` pixels and one token for each patch,
 * without text around them.
 *
 *   npx tsx models/gguf/clip-gguf.ts f32|q8_0 out.gguf
 */

import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { encodeTensor } from "./encode-tensor.ts";
import { type GgufTensor, type MetadataValue, type TensorEncoding, writeGguf } from "./gguf-file.ts";
import { FILE_TYPE, type GgufContents } from "./llama-gguf.ts";
import { readWeights, type Weights } from "./read-weights.ts";

/** The field `vision` of `architecture.json`. */
export interface VisionArchitecture {
  /** Side of the square that every picture is resized to, in pixels. */
  imageSize: number;
  /** Side of a patch in pixels; divides `imageSize`. */
  patchSize: number;
  /** Width of the residual stream. */
  hidden: number;
  layers: number;
  heads: number;
  /** Width of the feed-forward part; differs from `hidden`, or llama.cpp swaps its matrices. */
  intermediate: number;
  layerNormEps: number;
  /** Of red, green and blue, where 0 is black and 1 is full. */
  imageMean: readonly number[];
  imageStd: readonly number[];
}

/** @param folder like `models/tiny-vision` */
export async function exportProjector(folder: string, encoding: TensorEncoding): Promise<Uint8Array> {
  const architecture = JSON.parse(await readFile(join(folder, "architecture.json"), "utf8")) as {
    hidden: number;
    vision: VisionArchitecture;
  };
  const weights = await readWeights(folder);
  const { metadata, tensors } = describeClip(architecture.vision, architecture.hidden, weights, encoding);
  return writeGguf(metadata, tensors);
}

/** @param textHidden width of the text model's residual stream */
export function describeClip(
  of: VisionArchitecture,
  textHidden: number,
  weights: Weights,
  encoding: TensorEncoding,
): GgufContents {
  const uint32 = (value: number): MetadataValue => ({ type: "uint32", value });
  const text = (value: string): MetadataValue => ({ type: "string", value });
  const metadata: Record<string, MetadataValue> = {
    "general.architecture": text("clip"),
    "general.type": text("mmproj"),
    "general.name": text("infetch-tiny-vision"),
    "general.license": text("apache-2.0"),
    "general.file_type": uint32(FILE_TYPE[encoding]),
    "clip.has_vision_encoder": { type: "bool", value: true },
    "clip.projector_type": text("mlp"),
    "clip.use_gelu": { type: "bool", value: true },
    "clip.vision.image_size": uint32(of.imageSize),
    "clip.vision.patch_size": uint32(of.patchSize),
    "clip.vision.embedding_length": uint32(of.hidden),
    "clip.vision.feed_forward_length": uint32(of.intermediate),
    "clip.vision.block_count": uint32(of.layers),
    "clip.vision.attention.head_count": uint32(of.heads),
    "clip.vision.attention.layer_norm_epsilon": { type: "float32", value: of.layerNormEps },
    "clip.vision.projection_dim": uint32(textHidden),
    // Without it, llama.cpp leaves out the last layer, as LLaVA does.
    "clip.vision.feature_layer": { type: "array", of: "int32", values: [of.layers] },
    "clip.vision.image_mean": { type: "array", of: "float32", values: of.imageMean },
    "clip.vision.image_std": { type: "array", of: "float32", values: of.imageStd },
  };
  return { metadata, tensors: tensorsOf(of, textHidden, weights, encoding) };
}

function tensorsOf(
  of: VisionArchitecture,
  textHidden: number,
  weights: Weights,
  encoding: TensorEncoding,
): GgufTensor[] {
  const exact = (name: string, shape: number[], values: Float32Array): GgufTensor => ({
    name,
    shape,
    encoding: "f32",
    bytes: encodeTensor(values, "f32"),
  });
  const linear = (name: string, rows: number, columns: number, weight: Float32Array, bias: Float32Array) => [
    { name: `${name}.weight`, shape: [rows, columns], encoding, bytes: encodeTensor(weight, encoding) },
    exact(`${name}.bias`, [rows], bias),
  ];
  const norm = (name: string, source: string) =>
    ["weight", "bias"].map((part) => exact(`${name}.${part}`, [of.hidden], weights(`${source}.${part}`)));
  const layers = Array.from({ length: of.layers }, (_, layer) => {
    const source = `vision.layers.${layer}`;
    const from = (name: string) =>
      [weights(`${source}.${name}.weight`), weights(`${source}.${name}.bias`)] as const;
    const [qkv, qkvBias] = from("qkv_proj");
    const third = (values: Float32Array, at: number): Float32Array =>
      values.subarray((at * values.length) / 3, ((at + 1) * values.length) / 3);
    const to = `v.blk.${layer}`;
    return [
      ...norm(`${to}.ln1`, `${source}.ln1`),
      ...["attn_q", "attn_k", "attn_v"].flatMap((name, at) =>
        linear(`${to}.${name}`, of.hidden, of.hidden, third(qkv, at), third(qkvBias, at)),
      ),
      ...linear(`${to}.attn_out`, of.hidden, of.hidden, ...from("o_proj")),
      ...norm(`${to}.ln2`, `${source}.ln2`),
      ...linear(`${to}.ffn_up`, of.intermediate, of.hidden, ...from("up_proj")),
      ...linear(`${to}.ffn_down`, of.hidden, of.intermediate, ...from("down_proj")),
    ];
  });
  const { patchSize, imageSize, hidden } = of;
  const projector = (at: number) =>
    [weights(`vision.projector.${at}.weight`), weights(`vision.projector.${at}.bias`)] as const;
  return [
    exact("v.patch_embd.weight", [hidden, 3, patchSize, patchSize], weights("vision.patch_embedding.weight")),
    exact(
      "v.position_embd.weight",
      [(imageSize / patchSize) ** 2, hidden],
      weights("vision.position_embedding.weight"),
    ),
    ...layers.flat(),
    ...norm("v.post_ln", "vision.post_layernorm"),
    ...linear("mm.0", textHidden, hidden, ...projector(0)),
    ...linear("mm.2", textHidden, textHidden, ...projector(2)),
  ];
}

if (process.argv[1] && import.meta.url === pathToFileURL(resolve(process.argv[1])).href) {
  const [encoding = "q8_0", out = "infetch-tiny-vision-mmproj.gguf"] = process.argv.slice(2);
  const bytes = await exportProjector(
    resolve(import.meta.dirname, "../tiny-vision"),
    encoding as TensorEncoding,
  );
  await writeFile(out, bytes);
  console.log(`${out}: ${bytes.byteLength} bytes`);
}
