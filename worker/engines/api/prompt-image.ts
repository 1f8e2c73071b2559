/** Images in prompts: a mark in the text for each image, and the images beside the text. */

/** An image as engines take it. */
export interface PromptImage {
  /** Hexadecimal HMAC-SHA-256 of `bytes`, with a key of the server: equal images share the KV cache. */
  id: string;
  /** A BMP file. */
  bytes: Uint8Array<ArrayBuffer>;
}

/** Maximum images of one request; each takes up to 12 MiB. */
export const MAX_IMAGES = 32;

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

/** The JSON value with every text and key in it {@link withoutImageMarks}. */
export function withoutImageMarksInside<T>(value: T): T {
  if (typeof value === "string") return withoutImageMarks(value) as T;
  if (Array.isArray(value)) return value.map(withoutImageMarksInside) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, inside]) => [withoutImageMarks(key), withoutImageMarksInside(inside)]),
  ) as T;
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
