/** Blob URLs of images in requests, which the page reads. Node has blob URLs, but no FileReader. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withBlobImages } from "../../src/fetch/blob-images.ts";
import { createFetch } from "../../src/fetch/create-fetch.ts";

const MIB = 2 ** 20;
const urls: string[] = [];
/** Bytes of each blob that was read. */
let read: number[];
let fails = false;

class NodeFileReader {
  result: string | undefined;
  error: Error | undefined;
  onload = (): void => {};
  onerror = (): void => {};

  async readAsDataURL(blob: Blob): Promise<void> {
    read.push(blob.size);
    this.error = new Error("The file has changed.");
    if (fails) return this.onerror();
    this.result = `data:${blob.type};base64,${Buffer.from(await blob.arrayBuffer()).toString("base64")}`;
    this.onload();
  }
}

beforeEach(() => {
  read = [];
  fails = false;
  vi.stubGlobal("FileReader", NodeFileReader);
  vi.stubGlobal("location", { href: "https://any.example/" });
});
afterEach(() => {
  vi.unstubAllGlobals();
  for (const url of urls.splice(0)) URL.revokeObjectURL(url);
});

function blobURL(bytes: number): string {
  const url = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: "image/png" }));
  urls.push(url);
  return url;
}

const bodyOf = (images: readonly string[]): string => {
  const content = images.map((url) => ({ type: "image_url", image_url: { url } }));
  return JSON.stringify({ messages: [{ role: "user", content }] });
};
/** The URLs as sent, from their start. */
const sent = async (images: readonly string[]): Promise<string[]> => {
  const [{ content }] = JSON.parse(await withBlobImages(bodyOf(images))).messages;
  return content.map((part: { image_url: { url: string } }) => part.image_url.url.slice(0, 60));
};

test("each use of a blob URL becomes a data URL; the blob is read once", async () => {
  const url = blobURL(3);
  expect(await sent([url, "https://a.example/b.png", url])).toEqual([
    "data:image/png;base64,AAAA",
    "https://a.example/b.png",
    "data:image/png;base64,AAAA",
  ]);
  expect(read).toEqual([3]);
});

test("of more than 32 blob URLs the others stay as they are", async () => {
  const images = Array.from({ length: 34 }, () => blobURL(3));
  expect((await sent(images)).slice(31)).toEqual(["data:image/png;base64,AAAA", ...images.slice(32)]);
  expect(read).toHaveLength(32);
});

test("a blob URL whose uses exceed 256 MiB stays and is not read; a smaller one is", async () => {
  const [large, small] = [blobURL(9 * MIB), blobURL(3)];
  const images = Array<string>(29).fill(large);
  expect(await sent([...images, small])).toEqual([...images, "data:image/png;base64,AAAA"]);
  expect(read).toEqual([3]);
});

test("a blob that cannot be read stays as it is", async () => {
  const url = blobURL(3);
  fails = true;
  expect(await sent([url])).toEqual([url]);
  URL.revokeObjectURL(url);
  expect(await sent([url])).toEqual([url]);
});

test("an aborted call reads no further blob, and rejects with the signal's reason", async () => {
  const send = vi.fn(async () => new Response());
  const infetch = createFetch(new URL("https://any.example/v1"), send, fetch);
  const call = (signal: AbortSignal) =>
    infetch("https://any.example/v1/chat/completions", {
      method: "POST",
      body: bodyOf([blobURL(1), blobURL(2)]),
      signal,
    });
  await expect(call(AbortSignal.abort("before"))).rejects.toBe("before");
  expect(read).toEqual([]);

  const caller = new AbortController();
  const readAsDataURL = vi.spyOn(NodeFileReader.prototype, "readAsDataURL");
  readAsDataURL.mockImplementationOnce(async function (this: NodeFileReader) {
    caller.abort("during");
    this.onerror();
  });
  await expect(call(caller.signal)).rejects.toBe("during");
  expect(readAsDataURL).toHaveBeenCalledOnce();
  expect(send).not.toHaveBeenCalled();
});

test("only image parts are read: not metadata, tools, texts or other fields", async () => {
  const [url, data] = [blobURL(3), "data:image/png;base64,AAAA"];
  const body = (image: string) => ({
    metadata: { url, image_url: url, "#": [{ url }] },
    tools: [{ function: { parameters: { properties: { image_url: { default: url, url } } } } }],
    messages: [
      { content: `\\"image_url": {"url": "${url}"}` },
      {
        content: [
          { type: "text", text: url, url },
          { type: "image_url", image_url: { url: image, detail: url } },
        ],
      },
    ],
    input: [
      { content: [{ type: "input_image", image_url: image }], url },
      { output: [{ type: "input_image", image_url: image }] },
    ],
    seed: 1,
  });
  const text = JSON.stringify(body(url)).replace('"seed":1', '"seed":12345678901234567890');
  const result = await withBlobImages(text);
  expect({ ...JSON.parse(result), seed: 1 }).toEqual(body(data));
  expect(result).toContain("12345678901234567890");
});

test("a body that is no JSON, or nests deeply, stays", async () => {
  const url = blobURL(3);
  for (const body of [`{"url":"${url}`, `]}{"a":"${url}"`, `${"[".repeat(1e6)}"${url}"`])
    expect(await withBlobImages(body)).toBe(body);
  expect(read).toEqual([]);
});
