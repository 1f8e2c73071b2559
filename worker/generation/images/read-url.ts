/** The bytes behind the URL of an image. */

import { ImageFault } from "./image-fault.ts";

/** As at OpenAI. */
export const MAX_FILE_BYTES = 20 * 2 ** 20;
const DOWNLOAD_MS = 30_000;

/**
 * @param allowsRemote whether `http:` and `https:` are fetched
 * @throws {ImageFault}
 */
export async function readURL(url: string, allowsRemote: boolean): Promise<Uint8Array<ArrayBuffer>> {
  const [, scheme = ""] = /^([a-z][a-z0-9+.-]*):/i.exec(url) ?? [];
  switch (scheme.toLowerCase()) {
    case "data":
      return readDataURL(url);
    case "http":
    case "https":
      if (allowsRemote) return download(url);
      throw new ImageFault(
        "invalid_image_url",
        "Images are not downloaded, so that requests stay in the browser. Send a data URL, or set the runtime's option 'remoteImages'.",
      );
    case "blob":
      throw new ImageFault(
        "invalid_image_url",
        "The blob URL cannot be read: only runtime.fetch of the page that made it reads it, while it is not revoked. Send a data URL.",
      );
    default:
      throw new ImageFault(
        "invalid_image_url",
        "The URL of the image is not valid. Send a data URL (data:image/png;base64,…) or a blob URL of the page.",
      );
  }
}

function readDataURL(url: string): Uint8Array<ArrayBuffer> {
  const comma = url.indexOf(",");
  if (comma < 0 || !/;\s*base64\s*$/i.test(url.slice(5, comma))) {
    throw new ImageFault("invalid_image_url", "The data URL of the image is not in base64.");
  }
  // Checked first: a longer text is not decoded at all.
  if (url.length - comma > (MAX_FILE_BYTES * 4) / 3 + 1_024) throw tooLarge();
  let text: string;
  try {
    text = atob(url.slice(comma + 1));
  } catch (cause) {
    throw new ImageFault("invalid_base64_image", "The image is not valid base64.", { cause });
  }
  if (text.length > MAX_FILE_BYTES) throw tooLarge();
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

async function download(url: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const response = await fetch(url, {
      credentials: "omit",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.timeout(DOWNLOAD_MS),
    });
    if (!response.ok || !response.body) throw new Error(`its server answered ${response.status}`);
    return await readUpTo(response.body, MAX_FILE_BYTES);
  } catch (cause) {
    if (cause instanceof ImageFault) throw cause;
    const why = (cause as Error).message;
    throw new ImageFault(
      "failed_to_download_image",
      `The image could not be downloaded: ${why}. Its server must allow other origins (CORS).`,
      { cause },
    );
  }
}

async function readUpTo(body: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: BlobPart[] = [];
  let length = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(pieces).arrayBuffer());
    length += value.byteLength;
    if (length > most) {
      await reader.cancel().catch(() => {});
      throw tooLarge();
    }
    pieces.push(value as Uint8Array<ArrayBuffer>);
  }
}

function tooLarge(): ImageFault {
  const most = MAX_FILE_BYTES / 2 ** 20;
  return new ImageFault("image_file_too_large", `The image has more than ${most} MiB.`);
}
