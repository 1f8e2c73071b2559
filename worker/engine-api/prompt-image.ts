/** Images in prompts: a placeholder in the text for each image, and the images as a list. */

/** An image as engines take it. */
export interface PromptImage {
  /** Hexadecimal HMAC-SHA-256 of `bytes`, with a key of the server: equal images share the KV cache. */
  id: string;
  /** A BMP file. */
  bytes: Uint8Array<ArrayBuffer>;
}

/** Maximum images of one request; each takes up to 12 MiB. */
export const MAX_IMAGES = 32;

/** Encloses an id. A noncharacter, like `TOKEN_BOUNDARY`: templates do not change it. */
const EDGE = "\uFDD1";
const PLACEHOLDER = new RegExp(`${EDGE}([0-9a-f]{64})${EDGE}`);

/** Stands for the image in a prompt. */
export function imagePlaceholder({ id }: Pick<PromptImage, "id">): string {
  return EDGE + id + EDGE;
}

/** The text without what could be read as a placeholder. */
export function withoutImagePlaceholders(text: string): string {
  return text.includes(EDGE) ? text.replaceAll(EDGE, "") : text;
}

/** The JSON value with every text and key in it {@link withoutImagePlaceholders}. */
export function withoutImagePlaceholdersInside<T>(value: T): T {
  if (typeof value === "string") return withoutImagePlaceholders(value) as T;
  if (Array.isArray(value)) return value.map(withoutImagePlaceholdersInside) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, inside]) => [withoutImagePlaceholders(key), withoutImagePlaceholdersInside(inside)]),
  ) as T;
}

/** A prompt as texts with an image between each two. */
export function splitAtImages(prompt: string): { texts: string[]; ids: string[] } {
  const pieces = prompt.split(PLACEHOLDER);
  return {
    texts: pieces.filter((_, at) => at % 2 === 0),
    ids: pieces.filter((_, at) => at % 2 === 1),
  };
}

/** The prompt for people: each image as `<image>`. */
export function showImages(prompt: string): string {
  return splitAtImages(prompt).texts.join("<image>");
}
