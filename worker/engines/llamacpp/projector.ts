/** The file beside a GGUF model that turns images into tokens (`mmproj-*.gguf`, run by llama.cpp's mtmd). */

import { EngineError } from "../../engine-api/engine-error.ts";
import type { GgufValues } from "../../model-store/gguf/metadata.ts";

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
  /** Limit for encoders whose images would need too much memory. */
  maxImageTokens?: number;
  /** The same in pixels, where the file states a number that {@link limitPixels} changes. */
  maxPixels?: number;
}

/**
 * Projectors that take images in their own size: the most tokens that an image has, and the patches on a side of a token
 * where the file does not say it (llama.cpp's clip.cpp). Files of others state the largest image in pixels.
 */
const OWN_SIZE: readonly { names: RegExp; tokens: number; side: number }[] = [
  { names: /^qwen|^(glm4v|kimik25|muse-glimmer)$/, tokens: 4_096, side: 2 },
  { names: /^(hunyuanvl|youtuvl)$/, tokens: 16_384, side: 2 },
  { names: /^kimivl$/, tokens: 1_024, side: 2 },
  { names: /^pixtral$/, tokens: 1_024, side: 1 },
  { names: /^lightonocr$/, tokens: Number.POSITIVE_INFINITY, side: 1 },
  { names: /^minimax_m3$/, tokens: 576, side: 2 },
  { names: /^gemma4u?v$/, tokens: 280, side: 3 },
  { names: /^lfm2$/, tokens: 256, side: 2 },
];
/** Images of requests are scaled to it. */
const LONGEST_SIDE = 2_048;
/** An image of 4,096 tokens would need 17 GB. */
const MAX_ATTENTION_BYTES = 512 * 2 ** 20;

/** The attention of a layer over all patches of an image, and its widest layer, in f32. */
export function planEncoder(metadata: GgufValues): EncoderPlan {
  const number = (key: string): number => Number(metadata.get(`clip.vision.${key}`) ?? 0);
  const type = String(metadata.get("clip.vision.projector_type") ?? metadata.get("clip.projector_type"));
  const heads = Math.max(1, number("attention.head_count"));
  const patchPixels = Math.max(1, number("patch_size")) ** 2;
  const statedPixels = number("image_max_pixels");
  const known = OWN_SIZE.find(({ names }) => names.test(type));
  const perToken =
    (number("spatial_merge_size") || number("projector.scale_factor") || (known?.side ?? 2)) ** 2;
  const isOwnSize = known !== undefined || statedPixels > 0;
  const largest = isOwnSize
    ? Math.min(known ? known.tokens * perToken : statedPixels / patchPixels, LONGEST_SIDE ** 2 / patchPixels)
    : number("image_size") ** 2 / patchPixels;
  const most = Math.floor(Math.sqrt(MAX_ATTENTION_BYTES / 4 / heads));
  const isLimited = isOwnSize && largest > most;
  const patches = isLimited ? Math.max(most, number("image_min_pixels") / patchPixels) : largest;
  const widest = Math.max(number("feed_forward_length"), number("embedding_length") * 4);
  const bytes = (patches * patches * heads + patches * widest * 2) * 4;
  return {
    bytes: Number.isFinite(bytes) ? bytes : 0,
    ...(isLimited ? { maxImageTokens: Math.floor(patches / perToken) } : {}),
    ...(isLimited && statedPixels > 0 ? { maxPixels: Math.floor(patches * patchPixels) } : {}),
  };
}

const MAX_PIXELS = "clip.vision.image_max_pixels";
const UINT32 = 4;
/** Contains a projector's metadata. */
const HEAD_BYTES = 2 ** 20;

/** The projector's file with another number of pixels: llama.cpp's option for tokens does not change one that it states. */
export async function limitPixels(file: Blob, pixels: number): Promise<Blob> {
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const entry = new Uint8Array(8 + MAX_PIXELS.length + 4);
  const view = new DataView(entry.buffer);
  view.setBigUint64(0, BigInt(MAX_PIXELS.length), true);
  entry.set(new TextEncoder().encode(MAX_PIXELS), 8);
  view.setUint32(8 + MAX_PIXELS.length, UINT32, true);
  const start = head.findIndex((_, at) => entry.every((byte, offset) => head[at + offset] === byte));
  if (start < 0) return file;
  const at = start + entry.length;
  const value = new DataView(new ArrayBuffer(4));
  value.setUint32(0, pixels, true);
  return new Blob([file.slice(0, at), value, file.slice(at + 4)]);
}
