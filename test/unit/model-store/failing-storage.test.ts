/** A download of which any one call of the browser's storage fails, finds no room, or is never answered. */

import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PARTS_CACHE } from "../../../worker/model-store/cache/part-key.ts";
import { findFile } from "../../../worker/model-store/cache/segments.ts";
import type { StoredFile } from "../../../worker/model-store/cache/store-file.ts";
import type { StoreEnvironment } from "../../../worker/model-store/environment.ts";
import { fetchModelFiles } from "../../../worker/model-store/fetch-model-file.ts";
import { FakeCaches } from "../../fakes/fake-caches.ts";

const content = Uint8Array.from({ length: 450 }, (_, at) => (at * 7) & 255);
const sha256 = createHash("sha256").update(content).digest("hex");
const files: StoredFile[] = ["a", "b"].map((name) => {
  const url = `https://hub.test/${name}.gguf`;
  return { url, key: url, cache: "infetch/gguf", file: { name, bytes: content.length, sha256 } };
});

type Failure = "fails" | "finds no room" | "is never answered";

/** @param failing number of the call that fails; later ones are answered */
function environmentOn(caches: FakeCaches, failing = Number.POSITIVE_INFINITY, failure: Failure = "fails") {
  let calls = 0;
  let isSilent = false;
  const call = <T>(answer: () => Promise<T>, isWrite = false): Promise<T> => {
    const isFailing = ++calls === failing && (isWrite || failure !== "finds no room");
    isSilent ||= isFailing && failure === "is never answered";
    if (isSilent) return new Promise(() => {});
    if (!isFailing) return answer();
    const name = failure === "fails" ? "UnknownError" : "QuotaExceededError";
    return Promise.reject(new DOMException("injected", name));
  };
  const environment: StoreEnvironment = {
    fetch: async (_, init) => {
      const start = Number(/\d+/.exec(new Headers(init?.headers).get("range") ?? "0")![0]);
      const headers = { etag: '"1"', ...(start ? { "content-range": `bytes ${start}-449/450` } : {}) };
      return new Response(content.slice(start), { status: start ? 206 : 200, headers });
    },
    caches: {
      // `has` is what asks whether the storage answers.
      has: (name) => (isSilent ? new Promise(() => {}) : caches.has(name)),
      open: (name) =>
        call(async () => {
          const cache = await caches.open(name);
          return {
            match: (key: string) => call(() => cache.match(key)),
            put: (key: string, response: Response) => call(() => cache.put(key, response), true),
            delete: (key: string) => call(() => cache.delete(key)),
            keys: () => call(() => cache.keys()),
          } as unknown as Cache;
        }),
    },
    storage: { estimate: () => call(async () => ({ quota: 1e6, usage: 0 })) },
    locks: undefined,
    origin: "https://hub.test",
    timers: { after: () => () => {} },
    segmentBytes: 100,
    now: () => 0,
    random: () => 0,
  };
  return { environment, calls: () => calls };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  // Node computes hashes in other threads, which a busy machine delays beyond the clock of the test.
  vi.spyOn(crypto.subtle, "digest").mockImplementation(async (_, data) => {
    const bytes = createHash("sha256")
      .update(new Uint8Array(data as ArrayBuffer))
      .digest();
    return Uint8Array.from(bytes).buffer;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Lets a minute pass at most. */
async function settled(work: Promise<Blob[]>): Promise<Blob[] | Error | "hangs"> {
  let result: Blob[] | Error | "hangs" = "hangs";
  work.then(
    (blobs) => {
      result = blobs;
    },
    (error) => {
      result = error;
    },
  );
  for (let second = 0; result === "hangs" && second < 60; second++) {
    for (let turn = 0; turn < 100; turn++) await new Promise((resume) => setImmediate(resume));
    vi.advanceTimersByTime(1_000);
  }
  return result;
}

async function expectContent(blobs: Blob[] | Error | "hangs", what: string): Promise<void> {
  if (!Array.isArray(blobs)) throw new Error(`${what}: ${blobs}`, { cause: blobs });
  for (const blob of blobs) expect(Buffer.from(await blob.arrayBuffer()).equals(content), what).toBe(true);
}

test.each<Failure>(["fails", "finds no room", "is never answered"])(
  "one call %s: the files arrive or an error, and the next load has them, with nothing left over",
  async (failure) => {
    const fine = environmentOn(new FakeCaches());
    await expectContent(await settled(fetchModelFiles(files, fine)), "without a failure");
    for (let failing = 1; failing <= fine.calls(); failing++) {
      const what = `call ${failing} ${failure}`;
      const caches = new FakeCaches();
      const first = await settled(fetchModelFiles(files, environmentOn(caches, failing, failure)));
      expect(first, what).not.toBe("hangs");
      if (first instanceof Error)
        expect(first.name, what).toMatch(/^(EngineError|TimeoutError|UnknownError)$/);
      else await expectContent(first, what);
      const { environment } = environmentOn(caches);
      await expectContent(await settled(fetchModelFiles(files, { environment })), `after ${what}`);
      const stored = await Promise.all(files.map((file) => findFile(file, environment)));
      const keys = stored.flatMap((file) => file?.segments ?? []).map(({ key }) => key);
      expect([...caches.of(PARTS_CACHE).entries.keys()].sort(), what).toEqual(keys.sort());
    }
  },
);
