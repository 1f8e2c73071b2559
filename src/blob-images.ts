/** Images of the page in requests: the server cannot read a page's blob URLs in every case, so the page does. */

/** Where requests have the URL of an image (`image_url: { url }`, `image_url`); inside a text, quotes are escaped. */
const BLOB_URL = /"(?:url|image_url)"\s*:\s*"(blob:[^"\\]*)"/g;

/** Beyond the server's limit, 20 MiB: it refuses the rest. */
const MOST_BYTES = 21 * 2 ** 20;

/** The body with data URLs instead of blob URLs. What cannot be read stays: the server refuses it by name. */
export async function withBlobImages(body: string): Promise<string> {
  const urls = new Set([...body.matchAll(BLOB_URL)].map(([, url]) => url!));
  const read = new Map<string, string>();
  for (const url of urls) {
    const blob = await fetch(url)
      .then((response) => response.blob())
      .catch(() => undefined);
    if (blob) read.set(url, await asDataURL(blob.slice(0, MOST_BYTES, blob.type)));
  }
  return body.replace(BLOB_URL, (match, url: string) => {
    const data = read.get(url);
    return data === undefined ? match : match.replace(url, () => data);
  });
}

function asDataURL(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
