/** Files in several cache entries, in each browser; `bench/large-file/main.ts` does the same with more than 2 GB. */

import { afterEach, expect, test } from "vitest";
import { browserEnvironment, type StoreEnvironment } from "../../../worker/model-store/environment.ts";
import { fetchModelFile } from "../../../worker/model-store/fetch-model-file.ts";
import { listEntries } from "../../../worker/model-store/inventory.ts";
import { deleteEntries, verifyEntries } from "../../../worker/model-store/maintenance.ts";

const MEBIBYTE = 2 ** 20;
const BYTES = 20 * MEBIBYTE + 5;
const KEY = "https://infetch.invalid/segments/resolve/main/m.gguf";
const STORED = { url: KEY, cache: "infetch/gguf", key: KEY, file: { name: "m.gguf", bytes: 0 } };

const content = Uint8Array.from({ length: BYTES }, (_, at) => (at * 7 + (at >> 12)) & 255);
let requests = 0;

const environment: StoreEnvironment = {
  ...browserEnvironment(),
  segmentBytes: 8 * MEBIBYTE,
  fetch: async () => {
    requests++;
    return new Response(content, { headers: { "content-length": String(BYTES) } });
  },
};

const ownEntries = async () =>
  (await listEntries(environment)).filter(({ address }) => address.startsWith(KEY));

async function expectContent(blob: Blob | undefined): Promise<void> {
  expect(blob!.size).toBe(BYTES);
  for (const boundary of [0, 8 * MEBIBYTE, 16 * MEBIBYTE, BYTES]) {
    const [from, to] = [Math.max(0, boundary - 1000), boundary + 1000];
    const bytes = new Uint8Array(await blob!.slice(from, to).arrayBuffer());
    expect(bytes).toEqual(content.slice(from, to));
  }
}

afterEach(async () => deleteEntries(await ownEntries(), environment));

test("a file in segments is stored, read in any order, listed, verified and deleted", async () => {
  await expectContent(await fetchModelFile(STORED, { environment }));
  const parts = await caches.open("infetch/parts");
  const keys = (await parts.keys()).map(({ url }) => url).filter((url) => url.includes("segments"));
  const sizes = await Promise.all(keys.map(async (key) => (await (await parts.match(key))!.blob()).size));
  expect(sizes).toEqual([8 * MEBIBYTE, 8 * MEBIBYTE, BYTES - 16 * MEBIBYTE]);
  await expectContent(await fetchModelFile(STORED, { environment }));
  expect(requests).toBe(1);
  expect(await ownEntries()).toMatchObject([{ key: KEY, bytes: BYTES, isPart: false }]);
  expect(await verifyEntries(await ownEntries(), new Map(), environment)).toEqual([]);

  const headers = { "content-length": String(8 * MEBIBYTE) };
  await parts.put(keys[1]!, new Response(new Uint8Array(8 * MEBIBYTE), { headers }));
  expect(await verifyEntries(await ownEntries(), new Map(), environment)).toEqual([KEY]);
  expect(await ownEntries()).toEqual([]);
  expect((await parts.keys()).filter(({ url }) => url.includes("segments"))).toEqual([]);
});
