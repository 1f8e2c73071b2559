/** What is read of a model before its download. */

import { expect, test, vi } from "vitest";
import { writeGguf } from "../../../../models/gguf/gguf-file.ts";
import { inspectFiles } from "../../../../worker/model-store/gguf/inspect.ts";

const MEBIBYTE = 2 ** 20;
const words = Array.from({ length: 200_000 }, (_, at) => `word${at}`);
const metadata = writeGguf(
  {
    "general.architecture": { type: "string", value: "llama" },
    "tokenizer.ggml.tokens": { type: "array", of: "string", values: words },
    "tokenizer.chat_template": { type: "string", value: "{{ messages }}" },
  },
  [],
);
const file = (name: string, bytes: number) => ({
  url: `https://host.test/${name}`,
  cache: "infetch/gguf",
  key: `https://host.test/${name}`,
  file: { name, bytes },
});

/** A server of files of 2 GB that begin with the metadata, in pieces of 64 KiB. */
function host(description = metadata, honoursRanges = true) {
  const asked: string[] = [];
  let sent = 0;
  const fetch = async (url: string | URL | Request, init?: RequestInit) => {
    asked.push(`${url} ${new Headers(init?.headers).get("range")}`);
    let at = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = new Uint8Array(65_536);
        piece.set(description.subarray(at, at + piece.byteLength));
        at += piece.byteLength;
        sent += piece.byteLength;
        controller.enqueue(piece);
      },
    });
    const size = 2 ** 31;
    return honoursRanges
      ? new Response(body, { status: 206, headers: { "content-range": `bytes 0-65535/${size}` } })
      : new Response(body, { headers: { "content-length": String(size) } });
  };
  return { environment: { fetch, caches: undefined, now: () => 0 }, asked, sent: () => sent };
}

test.each([true, false])(
  "all metadata of the first file is read, and little more (ranges: %s)",
  async (honours) => {
    const { environment, asked, sent } = host(metadata, honours);
    let template: unknown;
    const files = await inspectFiles([file("a.gguf", 0), file("b.gguf", 0)], environment, (values) => {
      template = values.get("tokenizer.chat_template");
    });
    expect(template).toBe("{{ messages }}");
    expect(files.map((one) => one.file.bytes)).toEqual([2 ** 31, 2 ** 31]);
    expect(asked).toHaveLength(2);
    expect(metadata.byteLength).toBeGreaterThan(2 * MEBIBYTE);
    expect(sent()).toBeLessThan(2 * metadata.byteLength + MEBIBYTE);
  },
);

test("metadata without an end is refused before the download", async () => {
  const endless = new Uint8Array(70 * MEBIBYTE);
  const claims = writeGguf({ text: { type: "string", value: "" } }, []);
  endless.set(claims);
  // The length of the text: 1 GB.
  const at = Buffer.from(claims).indexOf("text") + 8;
  new DataView(endless.buffer).setBigUint64(at, 2n ** 30n, true);
  const { environment, sent } = host(endless);
  const seen: unknown[] = [];
  const inspecting = inspectFiles([file("a.gguf", 0)], environment, (values) => seen.push(values));
  await expect(inspecting).rejects.toMatchObject({ code: "model_load_failed" });
  expect(seen).toEqual([]);
  expect(sent()).toBeLessThan(66 * MEBIBYTE);
});

test("small files of known size are not asked about, large ones are", async () => {
  const { environment, asked } = host();
  await inspectFiles([file("small.gguf", MEBIBYTE)], environment);
  expect(asked).toEqual([]);
  const [large] = await inspectFiles([file("large.gguf", 2 ** 30)], environment);
  expect(asked).toHaveLength(1);
  expect(large!.file.bytes).toBe(2 ** 30);
});

test("a server that cannot be reached leaves it to the download to say so", async () => {
  const files = [file("a.gguf", 0)];
  const environment = {
    fetch: () => Promise.reject(new TypeError("offline")),
    caches: undefined,
    now: () => 0,
  };
  expect(await inspectFiles(files, environment)).toEqual(files);
});

test("a limit whose body fails as it is left is waited for all the same", async () => {
  const cancel = () => Promise.reject(new TypeError("The connection was lost."));
  const answers = [
    new Response(new ReadableStream({ cancel }), { status: 429 }),
    new Response("", { status: 404 }),
  ];
  const note = vi.fn();
  const environment = {
    fetch: async () => answers.shift()!,
    caches: undefined,
    now: () => 0,
    limits: { ready: async () => {}, note },
  };
  const files = [file("a.gguf", 0)];
  expect(await inspectFiles(files, environment)).toEqual(files);
  expect(note).toHaveBeenCalledOnce();
});

test.each([
  ["an HTML page", "<!doctype html>", { "content-type": "text/html" }],
  [
    "a Git LFS pointer",
    `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 7\n`,
    {},
  ],
])("%s in its place is left to the download, which names it", async (_, text, headers) => {
  const answer = new Response(text, { headers: { ...headers, "content-length": String(text.length) } });
  const files = [file("a.gguf", 2 ** 30)];
  const environment = { fetch: async () => answer, caches: undefined, now: () => 0 };
  expect(await inspectFiles(files, environment)).toEqual(files);
});

test("a file that is no GGUF is refused with its address, without the query", async () => {
  const { environment } = host(new TextEncoder().encode("PK"));
  await expect(inspectFiles([file("a.gguf?signature=1", 0)], environment)).rejects.toMatchObject({
    code: "model_load_failed",
    message:
      "The file https://host.test/a.gguf is not a usable GGUF model: it does not start with the letters GGUF.",
  });
});

test("another text as short as a Git LFS pointer is refused, so that it is not stored as the file", async () => {
  const text = JSON.stringify({ error: { message: "We are back soon.", details: "x".repeat(150) } });
  const answer = new Response(text, { headers: { "content-length": String(text.length) } });
  const environment = { fetch: async () => answer, caches: undefined, now: () => 0 };
  await expect(inspectFiles([file("a.gguf", 0)], environment)).rejects.toMatchObject({
    code: "model_load_failed",
    message: expect.stringContaining("does not start with the letters GGUF"),
  });
});

test("what is read is not taken from the browser's HTTP cache", async () => {
  const { environment } = host(metadata, true);
  const modes: unknown[] = [];
  const fetch: typeof environment.fetch = (address, init) => {
    modes.push(init?.cache);
    return environment.fetch(address, init);
  };
  await inspectFiles([file("a.gguf", 0)], { ...environment, fetch });
  expect(modes).toEqual(["no-store"]);
});
