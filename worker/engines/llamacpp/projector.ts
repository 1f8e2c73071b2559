/** The file beside a GGUF model that turns images into tokens (`mmproj-*.gguf`, run by llama.cpp's mtmd). */

import type { GgufValues } from "../../model-store/gguf/metadata.ts";
import { EngineError } from "../api/engine-error.ts";

/** @throws {EngineError} `model_load_failed` if the file is no projector, or one for sound only */
export function requireProjector(metadata: GgufValues, name: string): void {
  const architecture = metadata.get("general.architecture");
  const why =
    architecture !== "clip"
      ? `its architecture is '${architecture}', not 'clip'`
      : metadata.get("clip.has_vision_encoder") !== true
        ? "it has no encoder for images"
        : undefined;
  if (why === undefined) return;
  throw new EngineError("model_load_failed", `The file '${name}' is no projector for images: ${why}.`);
}

/** What an encoder needs for one image. */
export interface EncoderPlan {
  /** Memory of the encoder at work. */
  bytes: number;
  /** Limit for encoders that take images in their own size; absent for those that scale them to a fixed one. */
  maxImageTokens?: number;
}

/** Qwen's take up to 4,096 tokens, whose attention would need 17 GB. */
const OWN_SIZE = /^qwen/;
const MAX_ATTENTION_BYTES = 512 * 2 ** 20;

/** The attention of a layer over all patches of an image, and its widest layer, in f32. */
export function planEncoder(metadata: GgufValues): EncoderPlan {
  const number = (key: string, otherwise = 0): number =>
    Number(metadata.get(`clip.vision.${key}`) ?? otherwise);
  const type = String(metadata.get("clip.vision.projector_type") ?? metadata.get("clip.projector_type"));
  const heads = Math.max(1, number("attention.head_count"));
  const isOwnSize = OWN_SIZE.test(type);
  const patches = isOwnSize
    ? Math.floor(Math.sqrt(MAX_ATTENTION_BYTES / 4 / heads))
    : (number("image_size") / Math.max(1, number("patch_size"))) ** 2;
  const widest = Math.max(number("feed_forward_length"), number("embedding_length") * 4);
  const bytes = (patches * patches * heads + patches * widest * 2) * 4;
  const merged = number("spatial_merge_size", 2) ** 2;
  return {
    bytes: Number.isFinite(bytes) ? bytes : 0,
    ...(isOwnSize ? { maxImageTokens: Math.floor(patches / merged) } : {}),
  };
}
