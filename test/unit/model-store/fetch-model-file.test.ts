/** Interrupted downloads over real HTTP: what is received, retried and stored. */

import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { forbidden } from "../../../src/protocol/assets/assets.ts";
import { PartialFile } from "../../../worker/model-store/cache/partial-file.ts";
import type { StoredFile } from "../../../worker/model-store/cache/store-file.ts";
import type { StoreEnvironment } from "../../../worker/model-store/environment.ts";
import { fetchModelFile, fetchModelFiles } from "../../../worker/model-store/fetch-model-file.ts";
import { FakeCaches } from "../../fakes/fake-caches.ts";
import { type FlakyServer, type Mishap, startFlakyServer } from "../../support/flaky-server.ts";
import { fc } from "../../support/random.ts";

const BYTES = 300_000;
const content = Uint8Array.from({ length: BYTES }, (_, at) => (at * 7 + (at >> 8)) & 255);
const sha256 = createHash("sha256").update(content).digest("hex");

let server: FlakyServer;
let caches: FakeCaches;
let environment: StoreEnvironment;
/** Delays between attempts, in milliseconds. */
let waits: number[];

beforeAll(async () => {
  server = await startFlakyServer(async (path) =>
    path === "/missing" ? undefined : { bytes: path === "/small" ? content.subarray(0, 10) : content },
  );
});
afterAll(() => server.close());
beforeEach(() => {
  waits = [];
  planned = [];
  caches = new FakeCaches();
  Object.assign(server, { seen: [], mishaps: new Map(), hasRanges: true, etag: '"1"' });
  environment = {
    fetch: breakingFetch,
    caches,
    storage: undefined,
    locks: undefined,
    origin: server.origin,
    timers: {
      after(delayMs, call) {
        // 60 s is the stall timeout: no server here stalls.
        if (delayMs === 60_000) return () => {};
        waits.push(delayMs);
        queueMicrotask(call);
        return () => {};
      },
    },
    now: () => 1_800_000_000_000,
    random: () => 0,
  };
});

function stored(changes: Partial<StoredFile["file"]> = {}, path = "/shard"): StoredFile {
  const file = { name: "shard", bytes: BYTES, sha256, ...changes };
  return { url: server.origin + path, cache: "weights", key: "https://infetch.invalid/m/1/shard", file };
}

const unhashed = (): StoredFile => {
  const { sha256: _, ...file } = stored().file;
  return { ...stored(), file: { ...file, bytes: 0 } };
};

/** Cuts the body in the client, because a server cannot control how many bytes arrive. */
type Cut = { type: "cut"; afterBytes: number };

let planned: (Mishap | Cut)[];

/** Plans the faults of the next requests, in order. */
function happens(...mishaps: (Mishap | Cut)[]): void {
  planned = mishaps;
}

const cut = (afterBytes: number): Cut => ({ type: "cut", afterBytes });

const breakingFetch: typeof fetch = async (...call) => {
  const mishap = planned.shift();
  if (mishap && mishap.type !== "cut") server.mishaps.set("/shard", [mishap]);
  const response = await fetch(...call);
  if (mishap?.type !== "cut") return response;
  const reader = response.body!.getReader();
  let left = mishap.afterBytes;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value } = left > 0 ? await reader.read() : { value: undefined };
        if (value) controller.enqueue(value.subarray(0, left));
        else controller.error(new TypeError("terminated"));
        left -= value?.byteLength ?? 0;
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, response);
};
const ranges = (): (string | undefined)[] => server.seen.map(({ range }) => range);

async function expectWhole(blob: Blob | undefined): Promise<void> {
  expect(Buffer.compare(Buffer.from(await blob!.arrayBuffer()), content)).toBe(0);
  expect(caches.of("infetch/parts").entries.size).toBe(0);
}

describe("a connection that breaks", () => {
  test("goes on where it broke, and asks for the same version", async () => {
    happens(cut(100_000), cut(50_000));
    const seen: number[] = [];
    await expectWhole(await fetchModelFile(stored(), { environment, onLoaded: (bytes) => seen.push(bytes) }));
    expect(ranges()).toEqual([undefined, "bytes=100000-", "bytes=150000-"]);
    expect(server.seen[1]!.ifRange).toBe('"1"');
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.at(-1)).toBe(BYTES);
  });

  test("starts again where the server knows no ranges, and what is counted follows", async () => {
    server.hasRanges = false;
    happens(cut(100_000));
    const seen: number[] = [];
    await expectWhole(await fetchModelFile(stored(), { environment, onLoaded: (bytes) => seen.push(bytes) }));
    expect(seen).toContain(0);
    expect(seen.at(-1)).toBe(BYTES);
  });

  test("starts again where neither a version nor a hash ties the rest to the beginning", async () => {
    server.etag = undefined;
    happens(cut(100_000));
    await expectWhole(
      await fetchModelFile({ ...unhashed(), file: { name: "x", bytes: BYTES } }, { environment }),
    );
    expect(ranges()).toEqual([undefined, undefined]);
  });

  test("starts again where the file has changed meanwhile, also if the server sends a range of it", async () => {
    happens(cut(100_000));
    const other = { ...environment, origin: "https://elsewhere.test" };
    other.fetch = async (...call) => {
      const response = await breakingFetch(...call);
      server.etag = '"2"';
      return response;
    };
    await expectWhole(await fetchModelFile(stored(), { environment: other }));
    expect(ranges()).toEqual([undefined, "bytes=100000-", undefined]);
    // Across origins, `If-Range` would need a CORS preflight.
    expect(server.seen[1]!.ifRange).toBeUndefined();
  });

  test("is given up after five attempts that bring nothing, with growing pauses; the beginning is kept", async () => {
    happens(cut(100_000), ...Array.from({ length: 5 }, () => cut(0)));
    await expect(fetchModelFile(stored(), { environment })).rejects.toMatchObject({
      code: "model_download_failed",
      message: expect.stringContaining("could not be loaded"),
    });
    expect(waits).toEqual([250, 500, 1000, 2000]);
    await expectWhole(await fetchModelFile(stored(), { environment }));
    expect(ranges().at(-1)).toBe("bytes=100000-");
  });

  test("wherever it breaks, the file is whole in the end and no byte before the break is asked for twice", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 90_000 }), { maxLength: 6 }), async (cuts) => {
        caches = new FakeCaches();
        environment.caches = caches;
        server.seen = [];
        happens(...cuts.map(cut));
        await expectWhole(await fetchModelFile(stored(), { environment }));
        let from = 0;
        const wanted = cuts.map((bytes) => {
          from += bytes;
          return from < BYTES ? `bytes=${from}-` : undefined;
        });
        expect(ranges().slice(1)).toEqual(wanted.filter((one) => one !== undefined));
      }),
      { numRuns: 25 },
    );
  });
});

describe("an answer that is an error", () => {
  test.each([
    [408, 250],
    [425, 250],
    [429, 2500],
    [500, 250],
    [503, 250],
  ])("%i is asked again", async (status, wait) => {
    happens({ type: "status", status });
    await expectWhole(await fetchModelFile(stored(), { environment }));
    expect(waits).toEqual([wait]);
  });

  test("what the server asks to wait is waited, and no more than a minute", async () => {
    happens({ type: "status", status: 503, headers: { "retry-after": "7" } });
    await fetchModelFile(stored(), { environment });
    expect(waits).toEqual([7000]);
    caches = new FakeCaches();
    happens({ type: "status", status: 429, headers: { "retry-after": "3600" } });
    await expect(fetchModelFile(stored(), { environment: { ...environment, caches } })).rejects.toThrow(
      /429/,
    );
  });

  test("a failure is asked again at once, although the server says when its window of requests ends", async () => {
    happens({ type: "status", status: 503, headers: { ratelimit: '"resolvers";r=2999;t=300' } });
    await expectWhole(await fetchModelFile(stored(), { environment }));
    expect(waits).toEqual([250]);
  });

  test.each([401, 403, 410])("%i is final", async (status) => {
    happens({ type: "status", status });
    await expect(fetchModelFile(stored(), { environment })).rejects.toThrow(String(status));
    expect(server.seen).toHaveLength(1);
  });

  test("a request blocked by the page's policy is not retried, and its error names the origin to allow", async () => {
    const { url } = stored();
    environment.fetch = async () => {
      forbidden.set(url, "connect-src");
      throw new TypeError("Failed to fetch");
    };
    const message = new RegExp(`${url} .* forbids it \\(connect-src\\): allow ${server.origin}, and`);
    await expect(fetchModelFile(stored(), { environment })).rejects.toThrow(message);
    expect(waits).toEqual([]);
    forbidden.clear();
  });

  test("a missing file is told apart from a failure", async () => {
    expect(await fetchModelFile(stored({}, "/missing"), { environment })).toBeUndefined();
    await expect(fetchModelFiles([stored({}, "/missing")], { environment })).rejects.toThrow(/404/);
  });
});

describe("a file that is not the published one", () => {
  test("is fetched again once, from its first byte on", async () => {
    happens({ type: "spoil" });
    await expectWhole(await fetchModelFile(stored(), { environment }));
    expect(ranges()).toEqual([undefined, undefined]);
  });

  test("is refused when it comes twice, and nothing of it is kept", async () => {
    happens({ type: "spoil" }, { type: "spoil" });
    await expect(fetchModelFile(stored(), { environment })).rejects.toThrow(/size or hash/);
    expect(caches.of("weights").entries.size + caches.of("infetch/parts").entries.size).toBe(0);
  });

  test("is not read on past its published size, however much the server sends", async () => {
    const piece = new Uint8Array(BYTES / 2);
    const pieces: number[] = [];
    environment.fetch = async () => {
      let sent = 0;
      const pull = (controller: ReadableStreamDefaultController): void => {
        sent++;
        if (sent > 50) controller.error(new Error("read on"));
        else controller.enqueue(piece);
      };
      return new Response(
        new ReadableStream({ pull, cancel: () => void pieces.push(sent) }, { highWaterMark: 0 }),
      );
    };
    await expect(fetchModelFile(stored(), { environment })).rejects.toThrow(/size or hash/);
    // Two tries, each ended by the piece after the last byte.
    expect(pieces).toEqual([3, 3]);
    expect(caches.of("infetch/parts").entries.size).toBe(0);
  });

  test("is fetched again where it went bad in the cache", async () => {
    await fetchModelFile(stored(), { environment });
    caches.of("weights").entries.set(stored().key, new Response("rotten"));
    await expectWhole(await fetchModelFile(stored(), { environment }));
    await fetchModelFile(stored(), { environment });
    expect(server.seen).toHaveLength(2);
  });
});

describe("an abort", () => {
  test("in the middle keeps what has come; the next download goes on from there", async () => {
    const abort = new AbortController();
    const onLoaded = (bytes: number): void => {
      if (bytes > 0) abort.abort(new Error("Enough."));
    };
    await expect(fetchModelFile(stored(), { environment, signal: abort.signal, onLoaded })).rejects.toThrow(
      "Enough.",
    );
    expect(caches.of("weights").entries.size).toBe(0);
    await expectWhole(await fetchModelFile(stored(), { environment }));
    expect(ranges()[1]).toMatch(/^bytes=[1-9]\d*-$/);
  });

  test("leaves what a load of cached files alone does not touch", async () => {
    const parts = await PartialFile.open(await caches.open("infetch/parts"), stored().key);
    await parts.add(content.subarray(0, 100_000));
    await parts.keep();
    const cacheOnly = { ...environment, isCacheOnly: true };
    await expect(fetchModelFile(unhashed(), { environment: cacheOnly })).rejects.toThrow(/it is not cached/);
    expect(caches.of("infetch/parts").entries.size).toBe(1);
  });

  test("in a pause between two attempts ends the pause", async () => {
    const abort = new AbortController();
    happens({ type: "status", status: 503 });
    environment.timers = {
      after: (delayMs) => {
        if (delayMs < 60_000) queueMicrotask(() => abort.abort(new Error("Enough.")));
        return () => {};
      },
    };
    await expect(fetchModelFile(stored(), { environment, signal: abort.signal })).rejects.toThrow("Enough.");
  });

  test("before the start asks nothing", async () => {
    const signal = AbortSignal.abort(new Error("Enough."));
    await expect(fetchModelFile(stored(), { environment, signal })).rejects.toThrow("Enough.");
    expect(server.seen).toHaveLength(0);
  });
});

describe("room", () => {
  test("is asked for before the first byte, and the refusal has the numbers", async () => {
    environment.storage = { estimate: async () => ({ quota: 500_000, usage: 200_000 }) };
    await expect(fetchModelFiles([stored()], { environment })).rejects.toMatchObject({
      code: "insufficient_storage",
      message: expect.stringContaining("needs 600 kB of storage, and this browser has only 300 kB left"),
    });
    expect(server.seen).toHaveLength(0);
    environment.storage = { estimate: async () => ({ quota: 900_000, usage: 200_000 }) };
    await expect(fetchModelFiles([stored()], { environment })).resolves.toHaveLength(1);
  });

  const named = (name: string): StoredFile => ({
    ...stored({ name }),
    key: `https://infetch.invalid/m/1/${name}`,
  });

  test("does not count the parts of an earlier download again", async () => {
    const files = [named("a"), named("b")];
    happens(cut(100_000), ...Array.from({ length: 10 }, () => cut(0)));
    await expect(fetchModelFiles(files, { environment })).rejects.toThrow(/could not be loaded/);
    const parts = [...caches.of("infetch/parts").entries.values()];
    const kept = await Promise.all(parts.map(async (part) => (await part.clone().blob()).size));
    expect(kept).toEqual([100_000]);
    planned = [];
    // Two files and the one that is copied from its parts, less the part that is there.
    environment.storage = { estimate: async () => ({ quota: 3 * BYTES, usage: 100_000 }) };
    expect(await fetchModelFiles(files, { environment })).toHaveLength(2);
  });

  test("for one file at a time is enough: fewer are fetched at once", async () => {
    const files = ["a", "b", "c", "d"].map(named);
    let running = 0;
    let most = 0;
    environment.fetch = async (...call) => {
      most = Math.max(most, ++running);
      const response = await fetch(...call);
      const body = await response.arrayBuffer();
      running--;
      return new Response(body, response);
    };
    environment.storage = { estimate: async () => ({ quota: 5 * BYTES, usage: 0 }) };
    expect(await fetchModelFiles(files, { environment })).toHaveLength(4);
    expect(most).toBe(1);
    environment.storage = { estimate: async () => ({ quota: 5 * BYTES - 1, usage: 0 }) };
    caches.of("weights").entries.clear();
    await expect(fetchModelFiles(files, { environment })).rejects.toMatchObject({
      code: "insufficient_storage",
    });
  });

  test("that is gone when the file is stored is told the same way, or lets it pass where it may", async () => {
    caches.failure = new DOMException("full", "QuotaExceededError");
    await expect(fetchModelFile(stored(), { environment })).rejects.toMatchObject({
      code: "insufficient_storage",
    });
    await expectWhole(await fetchModelFile(stored(), { environment, mayStayUnstored: true }));
  });

  test("is not needed where nothing may be stored and nothing must be", async () => {
    environment.caches = undefined;
    happens(cut(100_000));
    await expectWhole(await fetchModelFile(stored(), { environment, mayStayUnstored: true }));
    expect(ranges()[1]).toBe("bytes=100000-");
  });
});

test("several files report one sum, which counts what is there already", async () => {
  await fetchModelFile(stored(), { environment });
  const small = {
    ...stored({ name: "small", bytes: 0 }, "/small"),
    key: "https://infetch.invalid/m/1/small",
  };
  delete small.file.sha256;
  const seen: [number, number][] = [];
  await fetchModelFiles([stored(), small], { environment, onProgress: (...at) => seen.push(at) });
  // Files are fetched at once: either may report first.
  const loaded = seen.map(([bytes]) => bytes);
  expect(loaded).toEqual([...loaded].sort((a, b) => a - b));
  expect(seen.at(-1)).toEqual([BYTES + 10, BYTES + 10]);
});
