/** The file beside a GGUF model that turns images into tokens (`mmproj-*.gguf`, run by llama.cpp's mtmd). */

import type { GgufValue } from "../../model-store/gguf/metadata.ts";
import { EngineError } from "../api/engine-error.ts";
import { isProjectorName } from "../api/file-name.ts";

type Metadata = ReadonlyMap<string, GgufValue>;

/** Smaller files first, but no precision that WebAssembly is slow at. */
const PREFERRED = [/q8_0/i, /(^|[^b])f16/i, /bf16/i];

/** The projector of a repository; undefined if it has none. */
export function chooseProjector<File extends { name: string }>(files: readonly File[]): File | undefined {
  const all = files.filter(({ name }) => isProjectorName(name));
  const best = PREFERRED.map((form) => all.find(({ name }) => form.test(name)));
  return best.find((file) => file !== undefined) ?? all[0];
}

/** @throws {EngineError} `model_load_failed` if the file is no projector, or one for sound only */
export function requireProjector(metadata: Metadata, name: string): void {
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

/** Memory of the encoder at work: the attention of a layer over all patches of an image, and its widest layer. */
export function encoderBytes(metadata: Metadata): number {
  const number = (key: string): number => Number(metadata.get(`clip.vision.${key}`) ?? 0);
  const patches = (number("image_size") / (number("patch_size") || 1)) ** 2;
  const widest = Math.max(number("feed_forward_length"), number("embedding_length") * 4);
  const bytes = (patches * patches * number("attention.head_count") + patches * widest * 2) * 4;
  return Number.isFinite(bytes) && bytes > 0 ? bytes : 0;
}
