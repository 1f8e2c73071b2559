/** Prompts for a model with a projector, which llama.cpp takes as one text with a marker for each image. */

import { EngineError } from "../api/engine-error.ts";
import { atImages, type PromptImage } from "../api/prompt-image.ts";
import { SEAM } from "../api/seam.ts";

export interface MediaPrompt {
  prompt: string;
  /** The images, in the order of their markers. */
  files: Uint8Array[];
}

/** Invisible, and in no special token: llama.cpp takes no list of texts beside images, so this breaks tokens instead. */
const BREAK = "\u200B";

/** @param marker llama.cpp's; where the prompt itself spells it, it is removed */
export function mediaPrompt(prompt: string, images: readonly PromptImage[], marker: string): MediaPrompt {
  const { texts, ids } = atImages(prompt);
  const [first = "", ...rest] = texts.map((text) => withBreaks(without(text, marker)));
  const files: Uint8Array[] = [];
  const pieces = rest.map((text, at) => {
    const image = images.find(({ id }) => id === ids[at]);
    if (!image) return text;
    files.push(image.bytes);
    return marker + text;
  });
  return { prompt: first + pieces.join(""), files };
}

/** As {@link mediaPrompt} writes a text without images. */
export function withBreaks(text: string): string {
  return text.replaceAll(SEAM, BREAK);
}

function without(text: string, marker: string): string {
  let left = text;
  // Repeated, as what remains may spell it again.
  while (marker !== "" && left.includes(marker)) left = left.replaceAll(marker, "");
  return left;
}

/** @throws {EngineError} for what llama.cpp refuses before it reads the prompt; the instance goes on */
export function refuseMedia(error: unknown, contextWindow: number): void {
  const { message } = error as Error;
  const tokens = /request \((\d+) tokens\) exceeds/.exec(message)?.[1];
  if (tokens !== undefined) {
    throw new EngineError(
      "context_length_exceeded",
      `This model's maximum context length is ${contextWindow} tokens. However, your prompt and its images resulted in ${tokens} tokens. Please send fewer or smaller images, or less text.`,
      { cause: error },
    );
  }
  if (!/Failed to (load image|format input|tokenize)/.test(message)) return;
  throw new EngineError("invalid_request", "The model's projector cannot read an image of the request.", {
    cause: error,
  });
}
