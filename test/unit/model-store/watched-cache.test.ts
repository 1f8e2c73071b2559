import { expect, test } from "vitest";
import type { Timers } from "../../../worker/clock.ts";
import { openWatched } from "../../../worker/model-store/cache/watched-cache.ts";
import { StorageCleared } from "../../../worker/storage/storage-watch.ts";

/** Timers that a test runs by hand. */
function manualTimers() {
  const waiting = new Set<() => void>();
  const timers: Timers = {
    after(_, call) {
      waiting.add(call);
      return () => waiting.delete(call);
    },
  };
  const pass = async (seconds = 1): Promise<void> => {
    for (; seconds > 0; seconds--) {
      for (const call of [...waiting]) {
        waiting.delete(call);
        call();
      }
      await new Promise((over) => setTimeout(over));
    }
  };
  return { timers, waiting, pass };
}

const response = () => new Response("x");
const never = new Promise<never>(() => {});

/** A storage with one cache, which has the given calls. */
function storage(cache: object, has: () => Promise<boolean>, open = async () => cache as Cache) {
  return { open, has };
}

test("a put into a cache that was cleared ends with an error", async () => {
  const { timers, waiting, pass } = manualTimers();
  let exists = true;
  const caches = storage({ put: () => never }, async () => exists);
  const put = (await openWatched(caches, "a", timers)).put("key", response());
  const ended = expect(put).rejects.toThrow(StorageCleared);
  await pass();
  expect(waiting.size).toBe(1);
  exists = false;
  await pass();
  await ended;
  expect(waiting.size).toBe(0);
  await expect(openWatched(caches, "a", timers)).resolves.toBeDefined();
});

test("a call ends if the storage does not answer; later ones, of every cache, end at once", async () => {
  const { timers, waiting, pass } = manualTimers();
  const caches = storage({ put: () => never, match: () => never }, () => never);
  const cache = await openWatched(caches, "a", timers);
  const other = await openWatched(caches, "b", timers);
  const ended = expect(cache.put("key", response())).rejects.toThrow(StorageCleared);
  // Until the first check, then its limit.
  await pass(1 + 10);
  await ended;
  await expect(cache.match("key")).rejects.toThrow(StorageCleared);
  await expect(other.match("key")).rejects.toThrow(StorageCleared);
  await expect(openWatched(caches, "c", timers)).rejects.toThrow(StorageCleared);
  expect(waiting.size).toBe(0);
});

test("a cache that does not open ends with an error, and the next one at once", async () => {
  const { timers, waiting, pass } = manualTimers();
  const caches = storage(
    {},
    () => never,
    () => never,
  );
  const ended = expect(openWatched(caches, "a", timers)).rejects.toThrow(StorageCleared);
  await pass(11);
  await ended;
  await expect(openWatched(caches, "a", timers)).rejects.toThrow(StorageCleared);
  expect(waiting.size).toBe(0);
});

test("a storage that answers late is used again", async () => {
  const { timers, waiting, pass } = manualTimers();
  let answer!: () => void;
  const late = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const caches = storage(
    {},
    () => late.then(() => true),
    () => late.then(() => ({}) as Cache),
  );
  const ended = expect(openWatched(caches, "a", timers)).rejects.toThrow(StorageCleared);
  await pass(11);
  await ended;
  await expect(openWatched(caches, "a", timers)).rejects.toThrow(StorageCleared);
  answer();
  await pass();
  await expect(openWatched(caches, "a", timers)).resolves.toBeDefined();
  expect(waiting.size).toBe(0);
});

test("a cache that may not be opened ends with the browser's error, and leaves no timer", async () => {
  const { timers, waiting } = manualTimers();
  const denied = async (): Promise<never> => {
    throw new DOMException("denied", "SecurityError");
  };
  const caches = storage({}, () => never, denied);
  await expect(openWatched(caches, "a", timers)).rejects.toThrow("denied");
  expect(waiting.size).toBe(0);
});

test("a check that outlives its call silences nothing", async () => {
  const { timers, waiting, pass } = manualTimers();
  let finish!: () => void;
  const slow = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const caches = storage({ put: () => slow, match: async () => undefined }, () => never);
  const cache = await openWatched(caches, "a", timers);
  const put = cache.put("key", response());
  await pass();
  finish();
  await put;
  expect(waiting.size).toBe(0);
  await pass(20);
  await expect(cache.match("key")).resolves.toBeUndefined();
});

test("a put that is only slow ends as it does, and leaves no timer", async () => {
  const { timers, waiting, pass } = manualTimers();
  for (const fails of [false, true]) {
    let resolve!: () => void;
    let reject!: (error: Error) => void;
    const promise = new Promise<void>((...settle) => {
      [resolve, reject] = settle;
    });
    const caches = storage({ put: () => promise }, async () => true);
    const put = (await openWatched(caches, "a", timers)).put("key", response());
    const ended = fails ? expect(put).rejects.toThrow("full") : expect(put).resolves.toBeUndefined();
    await pass();
    if (fails) reject(new Error("full"));
    else resolve();
    await ended;
    expect(waiting.size).toBe(0);
  }
});
