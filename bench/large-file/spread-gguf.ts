/** The built-in model as a file of gigabytes: its tensors lie far apart, with zeros between them. */

import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type GgufLayout, layOutGguf } from "../../models/gguf/gguf-file.ts";
import { tinyContents } from "../../test/support/gguf/variants.ts";

const CHUNK_BYTES = 2 ** 20;

/** @param alignment distance of the tensors in bytes, a power of two */
export async function spreadGguf(alignment: number): Promise<GgufLayout> {
  const { metadata, tensors } = await tinyContents("q8_0");
  const aligned = { ...metadata, "general.alignment": { type: "uint32", value: alignment } } as const;
  return layOutGguf(aligned, tensors, alignment);
}

/** The bytes from `start` to `end`. */
export function readLayout({ pieces }: GgufLayout, start: number, end: number): Uint8Array {
  const bytes = new Uint8Array(end - start);
  for (const piece of pieces) {
    const from = Math.max(start, piece.at);
    const to = Math.min(end, piece.at + piece.bytes.byteLength);
    if (from < to) bytes.set(piece.bytes.subarray(from - piece.at, to - piece.at), from - start);
  }
  return bytes;
}

/** Sends the file, or the requested range of it, as it is read by the client. */
export async function sendLayout(
  layout: GgufLayout,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
  const start = Number(first ?? 0);
  const end = Math.min(last ? Number(last) + 1 : layout.bytes, layout.bytes);
  response.writeHead(first === undefined ? 200 : 206, {
    "content-type": "application/octet-stream",
    "content-length": end - start,
    etag: `"${layout.bytes}"`,
    ...(first === undefined ? {} : { "content-range": `bytes ${start}-${end - 1}/${layout.bytes}` }),
  });
  for (let at = start; at < end && !response.destroyed; at += CHUNK_BYTES) {
    if (response.write(readLayout(layout, at, Math.min(at + CHUNK_BYTES, end)))) continue;
    const resumed = new AbortController();
    const { signal } = resumed;
    await Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })]);
    resumed.abort();
  }
  response.end();
}
