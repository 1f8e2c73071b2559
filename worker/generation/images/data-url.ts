/** Decodes data URLs of images, and refuses other URLs. */

import { ImageFault } from "./image-fault.ts";

/** As at OpenAI. */
export const MAX_FILE_BYTES = 20 * 2 ** 20;
const MAX_CHARACTERS = (MAX_FILE_BYTES * 4) / 3 + 1_024;

/** @throws {ImageFault} for a data URL of more than an image may have, before anything copies or decodes it */
export function requireShortURL(url: string): void {
  // Line breaks and percent-encoding make it longer.
  const isLong = url.length > MAX_CHARACTERS && (url.length > 2 * MAX_CHARACTERS || !/[\s%]/.test(url));
  if (isLong) throw tooLarge();
}

/** @throws {ImageFault} for a URL that is no data URL: allowed remote ones are downloaded before */
export function decodeDataURL(sent: string): Uint8Array<ArrayBuffer> {
  requireShortURL(sent);
  const url = sent.trim();
  const [, scheme = ""] = /^([a-z][a-z0-9+.-]*):/i.exec(url) ?? [];
  switch (scheme.toLowerCase()) {
    case "data":
      return decode(url);
    case "http":
    case "https":
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

function decode(url: string): Uint8Array<ArrayBuffer> {
  const comma = url.indexOf(",");
  if (comma < 0 || !/;\s*base64\s*$/i.test(url.slice(5, comma))) {
    throw new ImageFault("invalid_image_url", "The data URL of the image is not in base64.");
  }
  let text = url.slice(comma + 1);
  try {
    // Percent-encoded by clients that escape `+`, `/` and `=` in URLs.
    if (text.includes("%")) text = decodeURIComponent(text);
    text = atob(text);
  } catch (cause) {
    throw new ImageFault("invalid_base64_image", "The image is not valid base64.", { cause });
  }
  if (text.length > MAX_FILE_BYTES) throw tooLarge();
  const bytes = new Uint8Array(text.length);
  // A loop: `Uint8Array.from` makes an array of all characters first, 30 times the file.
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

export function tooLarge(): ImageFault {
  const most = MAX_FILE_BYTES / 2 ** 20;
  return new ImageFault("image_file_too_large", `The image has more than ${most} MiB.`);
}
