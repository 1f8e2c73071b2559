/** Images of the page in requests: the server cannot read a page's blob URLs in every case, so the page does. */

import { type JsonString, jsonStrings } from "./json-strings.ts";

/** Paths of images in messages and in outputs of functions. Blob URLs elsewhere are data. */
const IMAGE =
  /^(?:messages\.#\.content\.#\.image_url\.url|input\.#\.(?:content\.#|output\.#|output)\.image_url)$/;
const BLOB = "blob:";

/** Beyond the server's limit, 20 MiB: it refuses the rest. */
const MAX_BYTES = 21 * 2 ** 20;
/** The server's limit. */
const MAX_URLS = 32;
/** Maximum size of all images, repeated ones included: their base64 must fit into one string, of 512 Mi characters in V8. */
const MAX_TOTAL_BYTES = 256 * 2 ** 20;

/**
 * The body with data URLs instead of blob URLs. What cannot be read, or is beyond the limits, stays: the server
 * refuses it by name.
 *
 * @throws the reason of `signal`, once it aborts
 */
export async function withBlobImages(body: string, signal?: AbortSignal | null): Promise<string> {
  const places = blobsIn(body);
  const uses = new Map<string, number>();
  for (const { text } of places) uses.set(text, (uses.get(text) ?? 0) + 1);
  const read = new Map<string, string>();
  let room = MAX_TOTAL_BYTES;
  for (const [url, times] of [...uses].slice(0, MAX_URLS)) {
    signal?.throwIfAborted();
    try {
      const blob = await blobOf(url, signal);
      if (blob.size * times > room) continue;
      read.set(url, await asDataURL(blob));
      room -= blob.size * times;
    } catch {
      // Stays.
    }
  }
  signal?.throwIfAborted();
  const pieces: string[] = [];
  let end = 0;
  for (const place of places) {
    pieces.push(body.slice(end, place.start), read.get(place.text) ?? place.text);
    end = place.end;
  }
  return [...pieces, body.slice(end)].join("");
}

function blobsIn(body: string): JsonString[] {
  const found: JsonString[] = [];
  for (const place of jsonStrings(body)) {
    const { text, path } = place;
    if (text.startsWith(BLOB) && !text.includes("\\") && IMAGE.test(path())) found.push(place);
  }
  return found;
}

async function blobOf(url: string, signal: AbortSignal | null = null): Promise<Blob> {
  const blob = await (await fetch(url, { signal })).blob();
  return blob.slice(0, MAX_BYTES, blob.type);
}

function asDataURL(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
