/** Files in segments: every byte, through breaks, crashes and replacements. */

import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { partKey } from "../../../worker/model-store/cache/part-key.ts";
import { PartialFile } from "../../../worker/model-store/cache/partial-file.ts";
import { findFile } from "../../../worker/model-store/cache/segments.ts";
import type { StoredFile } from "../../../worker/model-store/cache/store-file.ts";
import type { StoreEnvironment } from "../../../worker/model-store/environment.ts";
import { fetchModelFile, type UnstoredFile } from "../../../worker/model-store/fetch-model-file.ts";
import { listEntries } from "../../../worker/model-store/inventory.ts";
import { deleteEntries, verifyEntries } from "../../../worker/model-store/maintenance.ts";
import { FakeCaches } from "../../fakes/fake-caches.ts";
import { fc } from "../../support/random.ts";

const SEGMENT_BYTES = 100;
const CACHE = "infetch/gguf";
const KEY = "https://hub.test/acme/m/resolve/main/m.gguf";

let caches: FakeCaches;
let requests: (string | null)[];
let environment: StoreEnvironment;
/** What the server has. */
let content: Uint8Array<ArrayBuffer>;

function bytesOf(length: number, version = 1): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, at) => (at * 7 + (at >> 8) + version) & 255);
}

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Serves `content` in pieces of 30 bytes, with ranges. */
const serve: typeof fetch = async (_, { headers, signal } = {}) => {
  const range = new Headers(headers).get("range");
  requests.push(range);
  const start = Number(/\d+/.exec(range ?? "0")![0]);
  const whole = content;
  let at = start;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (signal?.aborted) controller.error(signal.reason);
      else if (at < whole.byteLength)
        controller.enqueue(whole.subarray(at, Math.min(at + 30, whole.byteLength)));
      else controller.close();
      at += 30;
    },
  });
  const described = range ? { "content-range": `bytes ${start}-${whole.length - 1}/${whole.length}` } : {};
  return new Response(body, {
    status: range ? 206 : 200,
    headers: { etag: `"${hashOf(whole)}"`, "content-length": String(whole.length - start), ...described },
  });
};

afterEach(() => {
  vi.restoreAllMocks();
});

beforeEach(() => {
  caches = new FakeCaches();
  requests = [];
  content = bytesOf(950);
  environment = {
    fetch: serve,
    caches,
    storage: undefined,
    locks: undefined,
    origin: "https://hub.test",
    timers: { after: () => () => {} },
    segmentBytes: SEGMENT_BYTES,
    now: () => 0,
    random: () => 0,
  };
});

function stored(changes: Partial<StoredFile> = {}): StoredFile {
  const file = { name: "m.gguf", bytes: content.length, sha256: hashOf(content) };
  return { url: KEY, cache: CACHE, key: KEY, file, ...changes };
}

const get = (file = stored()): Promise<Blob | undefined> => fetchModelFile(file, { environment });
const asBytes = async (blob: Blob | undefined): Promise<Uint8Array> =>
  new Uint8Array(await blob!.arrayBuffer());
const partKeys = (): string[] => [...caches.of("infetch/parts").entries.keys()];

/** What is stored is the file, once, and nothing else. */
async function expectStored(): Promise<void> {
  const [entry, ...others] = await listEntries(environment);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ key: KEY, bytes: content.length, isPart: false, sha256: hashOf(content) });
  const sizes = await Promise.all(
    [...caches.of("infetch/parts").entries.values()].map(async (part) => (await part.clone().blob()).size),
  );
  expect(sizes.reduce((sum, one) => sum + one, 0)).toBe(content.length);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(SEGMENT_BYTES);
  // No more segments than the sizes of parts make necessary.
  expect(sizes.length).toBeLessThanOrEqual(2 * Math.ceil(content.length / SEGMENT_BYTES));
}

describe("a file in segments", () => {
  test("is one file: stored, found without a request, listed, verified and deleted", async () => {
    expect(await asBytes(await get())).toEqual(content);
    await expectStored();
    expect(partKeys()).toHaveLength(10);
    expect(await asBytes(await get())).toEqual(content);
    expect(requests).toEqual([null]);
    expect(await verifyEntries(await listEntries(environment), new Map(), environment)).toEqual([]);
    await deleteEntries(await listEntries(environment), environment);
    expect([await listEntries(environment), partKeys()]).toEqual([[], []]);
  });

  test("stays stored where its address has characters that browsers encode in a query", async () => {
    const file = stored({ key: "https://hub.test/acme/m/resolve/main/it's (\u00fc) a!m*~.gguf" });
    expect(await asBytes(await get(file))).toEqual(content);
    expect(await asBytes(await get(file))).toEqual(content);
    expect([requests, partKeys().length]).toEqual([[null], 10]);
  });

  test("with a spoiled segment is found by verification, and removed as a whole", async () => {
    await get();
    const key = partKeys()[3]!;
    caches
      .of("infetch/parts")
      .entries.set(
        key,
        new Response(new Uint8Array(SEGMENT_BYTES), { headers: { "content-length": String(SEGMENT_BYTES) } }),
      );
    expect(await verifyEntries(await listEntries(environment), new Map(), environment)).toEqual([KEY]);
    expect(await listEntries(environment)).toEqual([]);
  });

  test("without one segment is no file; what comes before it is not fetched again", async () => {
    await get();
    await caches.of("infetch/parts").delete(partKeys()[4]!);
    expect(await findFile(stored(), environment)).toBeUndefined();
    expect((await listEntries(environment)).every(({ isPart }) => isPart)).toBe(true);
    expect(await asBytes(await get())).toEqual(content);
    expect(requests).toEqual([null, "bytes=400-"]);
    await expectStored();
  });

  test.each([
    "null",
    "{}",
    "no JSON",
    '{"segments":{}}',
    '{"segments":[]}',
    '{"segments":[null]}',
    '{"segments":[{"key":"not an address","bytes":100}]}',
    '{"segments":[{"key":5,"bytes":100}]}',
  ])("with a spoiled index (%s) is listed and deleted, or fetched again", async (index) => {
    await get();
    const entries = caches.of(CACHE).entries;
    const { headers } = entries.get(KEY)!;
    entries.set(KEY, new Response(index, { headers }));
    const listed = await listEntries(environment);
    expect(listed.find(({ key }) => key === KEY)).toMatchObject({ isPart: true, bytes: 0 });
    expect(await asBytes(await get())).toEqual(content);
    await expectStored();
    entries.set(KEY, new Response(index, { headers }));
    await deleteEntries(await listEntries(environment), environment);
    expect([await listEntries(environment), partKeys()]).toEqual([[], []]);
  });

  test("of unknown hash is hashed as it arrives, also what an earlier download has stored", async () => {
    const file = { ...stored(), file: { name: "m.gguf", bytes: 0 } };
    const abort = new AbortController();
    const onLoaded = (bytes: number): void => {
      if (bytes >= 430) abort.abort(new Error("Enough."));
    };
    const { signal } = abort;
    await expect(fetchModelFile(file, { environment, signal, onLoaded })).rejects.toThrow("Enough.");
    const digest = vi.spyOn(crypto.subtle, "digest");
    expect(await asBytes(await get(file))).toEqual(content);
    expect(requests[1]).toMatch(/^bytes=4[0-9]+-$/);
    expect(digest).not.toHaveBeenCalled();
    await expectStored();
  });

  test("that was stored as one entry before stays one", async () => {
    await get(stored({ cache: "webllm/model" }));
    expect(partKeys()).toEqual([]);
    const entry = caches.of("webllm/model").entries.get(KEY)!;
    caches.of(CACHE).entries.set(KEY, entry);
    expect(await asBytes(await get())).toEqual(content);
    expect(requests).toHaveLength(1);
  });

  test("stays as it is until another version of it is complete", async () => {
    const old = content;
    await get();
    content = bytesOf(700, 2);
    const unstored: UnstoredFile[] = [];
    const storeLater = (one: UnstoredFile) => void unstored.push(one);
    const file = stored();
    expect(await asBytes(await fetchModelFile(file, { environment, storeLater }))).toEqual(content);
    expect(await asBytes(await (await findFile(file, environment))!.blob())).toEqual(old);
    for (const one of unstored) await one.store();
    await expectStored();
    // And by one that needs no segments.
    content = bytesOf(80, 3);
    await get();
    expect(partKeys()).toEqual([]);
    expect(await asBytes(await (await findFile(stored(), environment))!.blob())).toEqual(content);
  });

  test("of two commits that are downloaded at once has the bytes of its hash", async () => {
    const unstored: UnstoredFile[] = [];
    const storeLater = (one: UnstoredFile) => void unstored.push(one);
    const versions = [2, 1].map((version) => bytesOf(950, version));
    for (content of versions) await fetchModelFile(stored(), { environment, storeLater });
    content = versions[0]!;
    await unstored[0]!.store();
    await expectStored();
    expect(await asBytes(await (await findFile(stored(), environment))!.blob())).toEqual(content);
    expect(await unstored[1]!.canStore()).toBe(false);
  });

  test("stays as it is where its next version cannot be stored", async () => {
    const old = content;
    await get();
    content = bytesOf(700, 2);
    caches.failure = new DOMException("full", "QuotaExceededError");
    const next = await fetchModelFile(stored(), { environment, mayStayUnstored: true });
    expect(await asBytes(next)).toEqual(content);
    expect(await asBytes(await (await findFile(stored(), environment))!.blob())).toEqual(old);
  });
});

test("a large file with its published hash recorded is not hashed at every load, but is by verification", async () => {
  const bytes = new Uint8Array(64 * 2 ** 20 + 1);
  const file = { name: "m.gguf", bytes: bytes.length, sha256: hashOf(bytesOf(1)) };
  const headers = { "content-length": String(bytes.length), "x-infetch-sha256": file.sha256 };
  caches.of(CACHE).entries.set(KEY, new Response(bytes, { headers }));
  expect((await get(stored({ file })))!.size).toBe(bytes.length);
  expect(requests).toEqual([]);
  expect(await verifyEntries(await listEntries(environment), new Map(), environment)).toEqual([KEY]);
});

test("whatever the sizes and breaks, every range reads the same bytes, and the hash is the file's", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: SEGMENT_BYTES + 1, max: 6 * SEGMENT_BYTES }),
      fc.array(fc.integer({ min: 1, max: 250 }), { minLength: 1, maxLength: 12 }),
      fc.array(fc.boolean(), { maxLength: 12 }),
      fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 3, maxLength: 3 }),
      async (length, chunks, breaks, ranges) => {
        const bytes = bytesOf(length);
        const cache = await new FakeCaches().open("parts");
        const open = () => PartialFile.open(cache, KEY, { segmentBytes: SEGMENT_BYTES, isHashed: true });
        let file = await open();
        for (let at = 0, turn = 0; at < length; turn++) {
          const chunk = bytes.subarray(at, at + chunks[turn % chunks.length]!);
          await file.add(chunk);
          at += chunk.byteLength;
          if (!breaks[turn]) continue;
          await file.keep();
          file = await open();
          expect(file.bytes).toBe(at);
          await file.hashStored(new AbortController().signal);
        }
        await file.seal();
        expect(file.sha256).toBe(hashOf(bytes));
        expect(file.segments!.every((segment) => segment.bytes <= SEGMENT_BYTES)).toBe(true);
        expect((await cache.keys()).length).toBe(file.segments!.length);
        const blob = await file.blob();
        for (const [from, span] of ranges) {
          const start = from % length;
          const end = start + (span % (length - start + 1));
          expect(await asBytes(blob.slice(start, end))).toEqual(new Uint8Array(bytes.subarray(start, end)));
        }
      },
    ),
    { numRuns: 60 },
  );
});

test("parts are merged while the download goes on: both exist for one segment at most", async () => {
  const cache = await new FakeCaches().open("parts");
  const file = await PartialFile.open(cache, KEY, { segmentBytes: SEGMENT_BYTES });
  for (let at = 0; at < 950; at += 10) {
    await file.add(bytesOf(10));
    await file.keep();
    const partsOfOneSegment = SEGMENT_BYTES / 10;
    expect((await cache.keys()).length).toBeLessThanOrEqual(at / SEGMENT_BYTES + partsOfOneSegment + 1);
  }
});

/** The caches of a browser that is killed: writes after the first `writes` have no effect. */
function killedAfter(writes: number): StoreEnvironment {
  let left = writes;
  const write = async <T>(call: () => Promise<T>): Promise<T> => {
    if (left-- > 0) return call();
    throw new Error("The browser was killed.");
  };
  const open = async (name: string): Promise<Cache> => {
    const cache = await caches.open(name);
    return {
      match: (key: string) => cache.match(key),
      keys: () => cache.keys(),
      put: (key: string, response: Response) => write(() => cache.put(key, response)),
      delete: (key: string) => write(() => cache.delete(key)),
    } as Cache;
  };
  return { ...environment, caches: { open, has: async () => true } };
}

test.each([false, true])(
  "a browser killed between any two entries leaves no file that is not whole (an older version is there: %s)",
  async (hasOlder) => {
    for (let writes = 0, isOver = false; !isOver; writes++) {
      caches = new FakeCaches();
      environment.caches = caches;
      const older = bytesOf(420, 2);
      content = older;
      if (hasOlder) await get();
      content = bytesOf(450);
      const done = await fetchModelFile(stored(), { environment: killedAfter(writes) }).catch(
        () => undefined,
      );
      const [whole] = (await listEntries(environment)).filter(({ isPart }) => !isPart);
      if (whole) {
        const found = await asBytes(await (await findFile(whole, environment))!.blob());
        expect([hashOf(older), hashOf(content)]).toContain(hashOf(found));
      } else expect(hasOlder).toBe(false);
      expect(await asBytes(await get())).toEqual(content);
      isOver = done !== undefined && (await listEntries(environment)).length === 1;
      expect(writes).toBeLessThan(100);
      await deleteEntries(await listEntries(environment), environment);
      expect([...partKeys(), ...caches.of(CACHE).entries.keys()]).toEqual([]);
    }
  },
);

test.each(["0", "-5", "many"])("a stored part whose size is %s is fetched again", async (size) => {
  const parts = caches.of("infetch/parts");
  const key = partKey(KEY, { hash: hashOf(content) }, 0);
  parts.entries.set(key, new Response("", { headers: { "content-length": size } }));
  let asked = 0;
  const match = parts.match.bind(parts);
  parts.match = (one) => {
    if (++asked > 1_000) throw new Error("It asks for one part without end.");
    return match(one);
  };
  expect(await asBytes(await get())).toEqual(content);
  await expectStored();
});
