/** Images of other servers (`remoteImages`). */

import { MAX_FILE_BYTES, tooLarge } from "./data-url.ts";
import { ImageFault } from "./image-fault.ts";

const MAX_MS = 30_000;

export function isRemote(url: string): boolean {
  return /^\s*https?:/i.test(url);
}

/**
 * @param withinMs at most 30,000 apply
 * @throws {ImageFault}; the signal's reason
 */
export async function download(
  url: string,
  signal: AbortSignal,
  withinMs = MAX_MS,
): Promise<Uint8Array<ArrayBuffer>> {
  // Not all spaces that `isRemote` skips are skipped by URL parsers: others would make it a relative URL.
  const address = url.trim();
  requireFetchable(address);
  let isAnswered = false;
  try {
    const response = await fetch(address, {
      credentials: "omit",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.any([signal, AbortSignal.timeout(Math.round(Math.min(withinMs, MAX_MS)))]),
    });
    isAnswered = true;
    if (!response.ok || !response.body) {
      // The unread body would hold the connection.
      await response.body?.cancel().catch(() => {});
      throw new Error(`its server answered ${response.status}`);
    }
    return await readUpTo(response.body, MAX_FILE_BYTES);
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof ImageFault) throw cause;
    const { message: why } = cause as Error;
    // Browsers report a CORS refusal as a network error.
    const mayBeRefused = !isAnswered && cause instanceof TypeError;
    const advice = mayBeRefused ? " Its server must allow other origins (CORS)." : "";
    const message = `The image could not be downloaded: ${why}.${advice}`;
    throw new ImageFault("failed_to_download_image", message, { cause });
  }
}

function requireFetchable(address: string): void {
  const message = "The URL of the image is not valid";
  if (!URL.canParse(address)) throw new ImageFault("invalid_image_url", `${message}.`);
  const { username, password } = new URL(address);
  if (username === "" && password === "") return;
  throw new ImageFault("invalid_image_url", `${message}: it must not have a user name or a password.`);
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
