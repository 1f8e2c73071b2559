/** Prompts for a model with a projector, which llama.cpp takes as one text with a marker for each image. */

import { EngineError } from "../../engine-api/engine-error.ts";
import { MAX_IMAGES, type PromptImage, splitAtImages } from "../../engine-api/prompt-image.ts";
import { TOKEN_BOUNDARY } from "../../engine-api/token-boundary.ts";

interface MediaPrompt {
  prompt: string;
  /** The images, in the order of their markers. */
  files: Uint8Array[];
}

/** Invisible, and in no special token: wllama takes one text and no list of texts, so this breaks tokens instead. */
const BREAK = "\u200B";

/**
 * @param marker llama.cpp's; where the prompt itself spells it, it is removed
 * @throws {EngineError} `invalid_request` for more placeholders than a request may have: the template repeats them
 */
export function mediaPrompt(prompt: string, images: readonly PromptImage[], marker: string): MediaPrompt {
  const { texts, ids } = splitAtImages(prompt);
  const known = new Map(images.map(({ id, bytes }) => [id, bytes]));
  const files: Uint8Array[] = [];
  const pieces = [texts[0]!];
  for (const [at, id] of ids.entries()) {
    const file = known.get(id);
    const text = texts[at + 1]!;
    // Texts around an unknown placeholder are one text, which may spell the marker.
    if (!file) pieces.push(pieces.pop()! + text);
    else {
      files.push(file);
      pieces.push(text);
    }
  }
  if (files.length > MAX_IMAGES) {
    const message = `The model's chat template repeats images: ${files.length} are in the prompt, and at most ${MAX_IMAGES} may be.`;
    throw new EngineError("invalid_request", message, { param: "prompt" });
  }
  const shown = pieces.map((text) => withBreaks(without(text, marker)));
  // llama.cpp aborts if no token follows an image.
  if (files.length > 0 && shown.at(-1) === "") shown[shown.length - 1] = BREAK;
  return { prompt: shown.join(marker), files };
}

/** A text as llama.cpp gets it, without images. */
export function withBreaks(text: string): string {
  return text.replaceAll(TOKEN_BOUNDARY, BREAK);
}

function without(text: string, marker: string): string {
  let left = text;
  // Repeated, as what remains may spell it again.
  while (marker !== "" && left.includes(marker)) left = left.replaceAll(marker, "");
  // Not removed entirely: `PromptCacheTracker` must know which images are adjacent.
  return left === "" && text !== "" ? BREAK : left;
}

/** @throws {EngineError} for what llama.cpp refuses before it reads the prompt; the instance stays usable */
export function refuseMedia(error: unknown, contextWindow: number): void {
  const { message } = error as Error;
  const tokens = /request \((\d+) tokens\) exceeds/.exec(message)?.[1];
  if (tokens !== undefined) requireWindow(Number(tokens), contextWindow, error);
  if (!/Failed to (load image|format input|tokenize)/.test(message)) return;
  throw new EngineError("invalid_request", "The model's projector cannot read an image of the request.", {
    param: "prompt",
    cause: error,
  });
}

/**
 * @param tokens of a prompt with images, which only llama.cpp knows
 * @throws {EngineError} `context_length_exceeded` without room for a token of a reply
 */
export function requireWindow(tokens: number, contextWindow: number, cause?: unknown): void {
  if (tokens < contextWindow) return;
  throw new EngineError(
    "context_length_exceeded",
    `This model's maximum context length is ${contextWindow} tokens. However, your prompt and its images resulted in ${tokens} tokens. Please send fewer or smaller images, or less text.`,
    { cause },
  );
}
