/** Turns an image into what engines take: decoded, scaled, as BMP. Runs in the image worker. */

import { toHex } from "../../../src/shared/hex.ts";
import type { PromptImage } from "../../engine-api/prompt-image.ts";
import { writeBmp } from "./bmp.ts";
import { decodeDataURL } from "./data-url.ts";
import { type DecodePixels, decodePixels } from "./decode-pixels.ts";
import { ImageFault, type ImageRefusal, refusal } from "./image-fault.ts";
import { inspectImage } from "./inspect-image.ts";

export interface ImageRequest {
  url: string;
  /** OpenAI's: how large the image is given to the model. */
  detail: "auto" | "low" | "high" | "original";
  /** Whether `http:` and `https:` are fetched. */
  allowsRemote: boolean;
}

/** What the image worker is sent. */
export interface ImageTask extends Pick<ImageRequest, "detail"> {
  /** A data URL, or the file. */
  source: string | Uint8Array<ArrayBuffer>;
  /** A secret of the server: without it, the id of an image cannot be computed. */
  key: Uint8Array<ArrayBuffer>;
}

export type ImageResult = { ok: true; image: PromptImage } | ImageRefusal;

/** Time that a request has left for its images; waiting for those of other requests is not counted. */
export interface ImageTimeBudget {
  leftMs: number;
}

/** Loads one image: downloads, decodes and scales it. Never rejects for an invalid one. */
export type LoadImage = (
  request: ImageRequest,
  signal: AbortSignal,
  time: ImageTimeBudget,
) => Promise<ImageResult>;

/** Longest side, as at OpenAI. Models scale it further. */
const LONGEST_SIDE = { low: 512, high: 2_048, auto: 2_048, original: 2_048 };

/** Never throws for an invalid image. */
export async function preprocessImage(
  { source, detail, key }: ImageTask,
  draw: DecodePixels = decodePixels,
): Promise<ImageResult> {
  try {
    const file = typeof source === "string" ? decodeDataURL(source) : source;
    const { data, width, height } = await draw(file, inspectImage(file), LONGEST_SIDE[detail]);
    const bytes = writeBmp(width, height, data);
    return { ok: true, image: { id: await idOf(bytes, key), bytes } };
  } catch (error) {
    // Engines throw it for buffers and canvases that they cannot allocate.
    return refusal(error instanceof RangeError ? needsMemory(error) : error);
  }
}

function needsMemory(cause: RangeError): ImageFault {
  const message = "The image needs more memory than the browser has for it. Send a smaller one.";
  return new ImageFault("image_too_large", message, { cause });
}

/** Hexadecimal HMAC-SHA-256. */
async function idOf(bytes: BufferSource, key: BufferSource): Promise<string> {
  const { subtle } = crypto;
  const imported = await subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return toHex(new Uint8Array(await subtle.sign("HMAC", imported, bytes)));
}
