/** Images of the page in requests: the server cannot read a page's blob URLs in every case, so the page does. */

/** Where requests have the URL of an image (`image_url: { url }`, `image_url`); inside a text, quotes are escaped. */
const BLOB_URL = /"(?:url|image_url)"\s*:\s*"(blob:[^"\\]*)"/g;

/** Beyond the server's limit, 20 MiB: it refuses the rest. */
const MOST_BYTES = 21 * 2 ** 20;
/** The server's limit. */
const MOST_URLS = 32;
/** Of all images, each as often as it is used: their base64 must fit into one string, of 512 Mi characters in V8. */
const MOST_BYTES_IN_ALL = 256 * 2 ** 20;

/**
 * The body with data URLs instead of blob URLs. What cannot be read, or is beyond the limits, stays: the server
 * refuses it by name.
 *
 * @throws the reason of `signal`, once it aborts
 */
export async function withBlobImages(body: string, signal?: AbortSignal | null): Promise<string> {
  const uses = new Map<string, number>();
  for (const [, url] of body.matchAll(BLOB_URL)) uses.set(url!, (uses.get(url!) ?? 0) + 1);
  const read = new Map<string, string>();
  let room = MOST_BYTES_IN_ALL;
  for (const [url, times] of [...uses].slice(0, MOST_URLS)) {
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
  return body.replace(BLOB_URL, (match, url: string) => {
    const data = read.get(url);
    return data === undefined ? match : match.replace(url, () => data);
  });
}

async function blobOf(url: string, signal: AbortSignal | null = null): Promise<Blob> {
  const blob = await (await fetch(url, { signal })).blob();
  return blob.slice(0, MOST_BYTES, blob.type);
}

function asDataURL(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
