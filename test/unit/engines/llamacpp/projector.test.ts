/** Projectors: what a file says, and the memory of its encoder, also in llama.cpp itself. */

import { expect, test } from "vitest";
import { writeGguf } from "../../../../models/gguf/gguf-file.ts";
import { completionRequest } from "../../../../worker/engines/llamacpp/completion-request.ts";
import type { CompletionStep } from "../../../../worker/engines/llamacpp/llama-instance.ts";
import { limitPixels, planEncoder, requireProjector } from "../../../../worker/engines/llamacpp/projector.ts";
import { writeBmp } from "../../../../worker/generation/images/bmp.ts";
import { ownSizeProjector, TOKEN_SIDE } from "../../../support/gguf/own-size-projector.ts";
import { ggufVariant } from "../../../support/gguf/variants.ts";
import { neutralSampling } from "../../../support/neutral-sampling.ts";
import { loadLlamaInstance } from "../../../support/node-llamacpp.ts";

const MIB = 2 ** 20;

/** The plan for a file with these fields of `clip.vision`. */
function plan(type: string, fields: Record<string, number>) {
  const vision = {
    patch_size: 14,
    "attention.head_count": 16,
    embedding_length: 1024,
    feed_forward_length: 4096,
    ...fields,
  };
  const entries = Object.entries(vision).map(([key, value]) => [`clip.vision.${key}`, value] as const);
  return planEncoder(new Map<string, number | string>([...entries, ["clip.vision.projector_type", type]]));
}

test("an encoder with a fixed size needs the attention over its patches", () => {
  const smol = {
    patch_size: 16,
    "attention.head_count": 12,
    embedding_length: 768,
    feed_forward_length: 3072,
  };
  expect(plan("idefics3", { ...smol, image_size: 512 })).toEqual({
    bytes: (1024 * 1024 * 12 + 1024 * 3072 * 2) * 4,
  });
  expect(planEncoder(new Map()).bytes).toBe(0);
});

test.each([
  ["qwen2.5vl_merger", { image_size: 560 }, 724],
  ["qwen3vl_merger", { image_size: 768, patch_size: 16, "attention.head_count": 12 }, 836],
  ["glm4v", { image_size: 336 }, 724],
  ["pixtral", { image_size: 1540, spatial_merge_size: 2 }, 724],
  ["lightonocr", { image_size: 1540, spatial_merge_size: 2 }, 724],
  ["kimivl", { image_size: 448, "projector.scale_factor": 2 }, 724],
  ["youtuvl", { image_size: 448 }, 724],
])("%s takes images in their own size, up to the memory for their attention", (type, fields, tokens) => {
  const { bytes, maxImageTokens, maxPixels } = plan(type, fields);
  expect(maxImageTokens).toBe(tokens);
  expect(maxPixels).toBeUndefined();
  expect(bytes).toBeGreaterThan(500 * MIB);
  expect(bytes).toBeLessThan(640 * MIB);
});

test.each([
  ["gemma4v", { image_size: 768, patch_size: 16 }, 2520],
  ["lfm2", { image_size: 256, patch_size: 16 }, 1024],
])("%s takes images in their own size, none of which needs too much", (type, fields, patches) => {
  expect(plan(type, fields)).toEqual({ bytes: (patches * patches * 16 + patches * 4096 * 2) * 4 });
});

test.each(["paddleocr", "dots_ocr", "hunyuanvl", "of-tomorrow"])(
  "%s states the largest image in pixels, of which the file has fewer where that is too much",
  (type) => {
    const { maxImageTokens, maxPixels } = plan(type, { image_size: 384, image_max_pixels: 2_822_400 });
    expect(maxImageTokens).toBe(724);
    expect(maxPixels).toBe(2896 * 14 * 14);
  },
);

test("a stated number that needs little stays", () => {
  expect(plan("phi4", { image_size: 384, image_max_pixels: 512 * 14 * 14 })).toEqual({
    bytes: (512 * 512 * 16 + 512 * 4096 * 2) * 4,
  });
});

const fileOf = (maxPixels: number, heads: number): Blob => {
  const { metadata, tensors } = ownSizeProjector(192, heads, maxPixels);
  return new Blob([new Uint8Array(writeGguf(metadata, tensors))]);
};

test("a file with another number of pixels differs in nothing else", async () => {
  const [file, other] = [fileOf(1_000_000, 4), fileOf(4_000, 4)];
  expect(await (await limitPixels(file, 4_000)).arrayBuffer()).toEqual(await other.arrayBuffer());
  const unstated = new Blob(["GGUF"]);
  expect(await limitPixels(unstated, 4_000)).toBe(unstated);
});

test("llama.cpp scales a larger image to it", { timeout: 60_000 }, async () => {
  const contextWindow = 512;
  const model = new Blob([new Uint8Array((await ggufVariant("tiny-q8_0.gguf"))!.bytes)]);
  const projector = await limitPixels(fileOf(2_048 * 2_048, 4), 64 * TOKEN_SIDE ** 2);
  const instance = await loadLlamaInstance([model], { contextWindow, projector });
  const side = 12 * TOKEN_SIDE;
  const image = writeBmp(side, side, new Uint8Array(side * side * 4).fill(100));
  const request = {
    prompt: `a${instance.mediaMarker}b`,
    cacheScope: "any",
    sampling: { ...neutralSampling, maxTokens: 1 },
    randomState: 1n,
    reader: { stop: [] },
  };
  const steps: CompletionStep[] = [];
  await instance.complete(
    completionRequest(request.prompt, request, { contextWindow }, { mayReuse: false }),
    [image],
    (step) => steps.push(step),
    new AbortController().signal,
  );
  const { promptTokens } = steps.at(-1)!;
  expect(promptTokens).toBeGreaterThanOrEqual(64);
  expect(promptTokens).toBeLessThan(64 + 20);
});

test("a projector says that it is one, and that it sees", () => {
  const described = (values: Record<string, string | boolean>) => () =>
    requireProjector(new Map(Object.entries(values)), "x.gguf");
  expect(described({ "general.architecture": "llama" })).toThrow(/'x.gguf' is no projector.*'llama'/);
  expect(described({ "general.architecture": "clip", "clip.has_audio_encoder": true })).toThrow(/no encoder/);
  expect(described({ "general.architecture": "clip", "clip.has_vision_encoder": true })).not.toThrow();
});
