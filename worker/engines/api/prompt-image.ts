/** Images in prompts: a mark in the text for each image, and the images beside the text. */

/** An image as engines take it. */
export interface PromptImage {
  /** Hexadecimal SHA-256 of `bytes`: equal images share the KV cache. */
  id: string;
  /** A BMP file. */
  bytes: Uint8Array<ArrayBuffer>;
}

/** Encloses an id. A noncharacter, like `SEAM`: templates do not change it. */
const EDGE = "\uFDD1";
const MARK = new RegExp(`${EDGE}([0-9a-f]{64})${EDGE}`);

/** Stands for the image in a prompt. */
export function imageMark({ id }: Pick<PromptImage, "id">): string {
  return EDGE + id + EDGE;
}

/** The text without what could be read as a mark. */
export function withoutImageMarks(text: string): string {
  return text.includes(EDGE) ? text.replaceAll(EDGE, "") : text;
}

/** A prompt as texts with an image between each two. */
export function atImages(prompt: string): { texts: string[]; ids: string[] } {
  const pieces = prompt.split(MARK);
  return {
    texts: pieces.filter((_, at) => at % 2 === 0),
    ids: pieces.filter((_, at) => at % 2 === 1),
  };
}

/** The prompt for people: each image as `<image>`. */
export function showImages(prompt: string): string {
  return atImages(prompt).texts.join("<image>");
}
