/** Answers of servers that are not what they seem: bodies that end early, compressed sizes, Git LFS pointers. */

import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import type { StoredFile } from "../../../worker/model-store/cache/store-file.ts";
import type { StoreEnvironment } from "../../../worker/model-store/environment.ts";
import { fetchModelFile, fetchModelFiles } from "../../../worker/model-store/fetch-model-file.ts";
import { fetchText } from "../../../worker/model-store/fetch-text.ts";
import { inspectFiles } from "../../../worker/model-store/gguf/inspect.ts";
import { FakeCaches } from "../../fakes/fake-caches.ts";
import { storeEnvironment } from "../../support/store-environment.ts";

const content = Buffer.from(Uint8Array.from({ length: 300_000 }, (_, at) => (at * 7 + (at >> 8)) & 255));
const sha256 = createHash("sha256").update(content).digest("hex");

let caches: FakeCaches;
let ranges: (string | undefined)[];
let environment: StoreEnvironment;

beforeEach(() => {
  caches = new FakeCaches();
  ranges = [];
  environment = storeEnvironment(caches, (delayMs) => delayMs >= 30_000);
});

function stored(changes: Partial<StoredFile["file"]> = {}, url = "https://models.test/m.bin"): StoredFile {
  return {
    url,
    cache: "weights",
    key: url,
    file: { name: "m.bin", bytes: content.length, sha256, ...changes },
  };
}

/** @param answer to a request for the bytes from `start` */
function serve(answer: (start: number) => Response): void {
  environment.fetch = async (_, init) => {
    const { range } = init!.headers as Record<string, string>;
    ranges.push(range);
    return answer(Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0));
  };
}

function piece(start: number, bytes: number, headers: Record<string, string> = {}): Response {
  const body = content.subarray(start, start + bytes);
  const range = { "content-range": `bytes ${start}-${start + body.length - 1}/${content.length}` };
  const all = { etag: '"1"', ...(start > 0 ? range : {}), ...headers };
  return new Response(body, { status: start > 0 ? 206 : 200, headers: all });
}

/** The beginning of the file, whose connection is then lost. */
function cut(bytes: number): Response {
  let isSent = false;
  const body = new ReadableStream({
    pull(controller) {
      if (isSent) controller.error(new TypeError("lost"));
      else controller.enqueue(content.subarray(0, bytes));
      isSent = true;
    },
  });
  return new Response(body, { headers: { etag: '"1"' } });
}

describe("a body that ends before the file does", () => {
  test("is a broken connection, which goes on where it broke", async () => {
    serve((start) => piece(start, 120_000));
    const blob = await fetchModelFile(stored(), { environment });
    expect(Buffer.compare(Buffer.from(await blob!.arrayBuffer()), content)).toBe(0);
    expect(ranges).toEqual([undefined, "bytes=120000-", "bytes=240000-"]);
  });

  test("and whose size is unknown continues until the total in Content-Range is reached", async () => {
    serve((start) => (start === 0 ? cut(120_000) : piece(start, 60_000)));
    const { sha256: _, ...file } = stored({ bytes: 0 }).file;
    const blob = await fetchModelFile({ ...stored(), file }, { environment });
    expect(Buffer.compare(Buffer.from(await blob!.arrayBuffer()), content)).toBe(0);
    expect(ranges).toEqual([undefined, "bytes=120000-", "bytes=180000-", "bytes=240000-"]);
  });

  test("is given up when it brings nothing more, and what there is stays", async () => {
    serve((start) => (start === 0 ? piece(0, 120_000) : piece(start, 0)));
    await expect(fetchModelFile(stored(), { environment })).rejects.toThrow(
      "could not be loaded: the connection ended after 120000 of 300000 bytes",
    );
    expect(ranges).toEqual([undefined, ...Array.from({ length: 4 }, () => "bytes=120000-")]);
    expect(caches.of("infetch/parts").entries.size).toBe(1);
  });

  test.each([
    ["content-length", () => piece(0, 120_000, { "content-length": "120000" })],
    [
      "content-range",
      (start: number) =>
        start === 0
          ? piece(0, 60_000)
          : piece(start, 60_000, { "content-range": `bytes ${start}-119999/120000` }),
    ],
  ])("is the file of the server where its %s says so, and not the published one", async (_, answer) => {
    serve(answer);
    await expect(fetchModelFile(stored(), { environment })).rejects.toThrow(/size or hash/);
    expect(ranges.filter((range) => range === undefined)).toHaveLength(2);
    expect(caches.of("infetch/parts").entries.size).toBe(0);
  });
});

test("the size of a compressed answer is not that of the file", async () => {
  const head = Buffer.alloc(100_000);
  head.write("GGUF");
  head.writeUInt32LE(3, 4);
  const zipped = gzipSync(head);
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-encoding": "gzip", "content-length": zipped.length }).end(zipped);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/m.gguf`;
  const file: StoredFile = { url, cache: "weights", key: url, file: { name: "m.gguf", bytes: 0 } };
  const [inspected] = await inspectFiles([file], environment);
  const sizes: number[] = [];
  const [blob] = await fetchModelFiles([inspected!], {
    environment,
    onProgress: (_, totalBytes) => sizes.push(totalBytes),
  });
  expect([blob!.size, sizes.at(-1)]).toEqual([100_000, 100_000]);
  expect(sizes).not.toContain(zipped.length);
  server.close();
});

test.each([["without"], ["with"]])(
  "a Git LFS pointer in place of a file %s a published hash is named, and not kept",
  async (which) => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256}\nsize ${content.length}\n`;
    serve(() => new Response(pointer, { headers: { "content-length": String(pointer.length) } }));
    const { sha256: _, ...unhashed } = stored({ bytes: 0 }).file;
    const file = which === "with" ? stored() : { ...stored(), file: unhashed };
    await expect(fetchModelFile(file, { environment })).rejects.toMatchObject({
      code: "model_download_failed",
      message: expect.stringContaining("the server has a Git LFS pointer in its place"),
    });
    expect(ranges).toHaveLength(1);
    expect(caches.of("weights").entries.size + caches.of("infetch/parts").entries.size).toBe(0);
    serve((start) => piece(start, content.length));
    expect((await fetchModelFile(file, { environment }))?.size).toBe(content.length);
  },
);

test("a hash in capital letters is the same hash, also where the storage is full", async () => {
  serve((start) => piece(start, content.length));
  const file = stored({ sha256: sha256.toUpperCase() });
  await fetchModelFiles([file], { environment });
  environment.storage = { estimate: async () => ({ quota: 300_000, usage: 300_000 }) };
  for (const one of [file, stored()]) expect(await fetchModelFiles([one], { environment })).toHaveLength(1);
  expect(ranges).toHaveLength(1);
});

test.each([
  [
    "https://models.test/m.bin",
    "could not be reached, or this page may not read it (CORS, Content-Security-Policy).",
  ],
  ["https://app.test/m.bin", "could not be reached. Send"],
])("a request to %s that the browser ends without a reason: the server %s", async (url, why) => {
  environment.fetch = () => Promise.reject(new TypeError("Failed to fetch"));
  await expect(fetchModelFile(stored({}, url), { environment })).rejects.toThrow(why);
  await expect(fetchText(url, undefined, environment)).rejects.toThrow(why);
});
