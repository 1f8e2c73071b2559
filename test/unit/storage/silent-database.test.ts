/** IndexedDB that no longer answers, as in a worker of Chromium after the storage is cleared during a transaction. */

import { IDBOpenDBRequest as FDBOpenDBRequest, IDBFactory } from "fake-indexeddb";
import "fake-indexeddb/auto";
import type { DBSchema } from "idb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Database } from "../../../worker/storage/database.ts";

interface Schema extends DBSchema {
  sums: { key: string; value: number };
}

const never = new Promise<never>(() => {});
let database: Database<Schema>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  globalThis.indexedDB = new IDBFactory();
  database = new Database<Schema>({
    name: "silent",
    migrations: [({ db }) => void db.createObjectStore("sums")],
    errors: {
      unavailable: (cause) => new Error("unavailable", { cause }),
      blocked: () => new Error("blocked"),
    },
  });
});
afterEach(() => vi.useRealTimers());

const sum = () => database.read(["sums"], (transaction) => transaction.objectStore("sums").get("all"));

/** Holds back the answers of `indexedDB.databases()` until the returned function is called. */
function silence(): () => Promise<void> {
  const list = indexedDB.databases.bind(indexedDB);
  let speak!: () => void;
  const answered = new Promise<void>((resolve) => {
    speak = resolve;
  });
  indexedDB.databases = () => answered.then(list);
  return async () => {
    speak();
    await vi.advanceTimersByTimeAsync(0);
    await list();
  };
}

test("a transaction that never ends fails once IndexedDB is silent, later ones fail at once, until it answers", async () => {
  expect(await sum()).toBeUndefined();
  const speak = silence();
  const ended = expect(database.read(["sums"], () => never)).rejects.toThrow("unavailable");
  await vi.advanceTimersByTimeAsync(12_000);
  await ended;
  expect(vi.getTimerCount()).toBe(0);
  await expect(sum()).rejects.toThrow("unavailable");
  const open = vi.spyOn(indexedDB, "open");
  await speak();
  expect(await sum()).toBeUndefined();
  // The connection may be lost.
  expect(open).toHaveBeenCalledOnce();
});

test("a write that failed this way is not stored, even if IndexedDB answers again", async () => {
  const speak = silence();
  let goOn!: () => void;
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let begin!: () => void;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const write = database.write(["sums"], async (transaction) => {
    const store = transaction.objectStore("sums");
    await store.put(1, "all");
    begin();
    let isHeld = true;
    void held.then(() => {
      isHeld = false;
    });
    // Requests keep the transaction open.
    while (isHeld) await store.get("all");
  });
  const ended = expect(write).rejects.toThrow("unavailable");
  await begun;
  for (let seconds = 0; seconds < 12; seconds++) await vi.advanceTimersByTimeAsync(1_000);
  await ended;
  goOn();
  await speak();
  expect(await sum()).toBeUndefined();
});

test("an open that never ends is unavailable, not blocked, once IndexedDB is silent", async () => {
  const speak = silence();
  vi.spyOn(indexedDB, "open").mockImplementation(() => new FDBOpenDBRequest() as unknown as IDBOpenDBRequest);
  const first = expect(sum()).rejects.toThrow("blocked");
  await vi.advanceTimersByTimeAsync(12_000);
  await first;
  await expect(sum()).rejects.toThrow("unavailable");
  expect(vi.getTimerCount()).toBe(0);
  await speak();
});

test("a long transaction goes on while IndexedDB answers", async () => {
  let finish!: () => void;
  const long = database.read(["sums"], async (transaction) => {
    const store = transaction.objectStore("sums");
    let isOver = false;
    finish = () => {
      isOver = true;
    };
    // Requests keep the transaction open.
    while (!isOver) await store.get("all");
    return "ended";
  });
  for (let seconds = 0; seconds < 30; seconds++) await vi.advanceTimersByTimeAsync(1_000);
  finish();
  expect(await long).toBe("ended");
  expect(vi.getTimerCount()).toBe(0);
});
