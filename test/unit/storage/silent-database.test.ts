/** IndexedDB that answers no more, as Chromium's does in a worker if the storage is cleared during a transaction. */

import { IDBFactory } from "fake-indexeddb";
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

test("a transaction that never ends fails once IndexedDB is silent, later ones fail at once, until it answers", async () => {
  expect(await sum()).toBeUndefined();
  let answer!: (all: IDBDatabaseInfo[]) => void;
  indexedDB.databases = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  const ended = expect(database.read(["sums"], () => never)).rejects.toThrow("unavailable");
  await vi.advanceTimersByTimeAsync(12_000);
  await ended;
  expect(vi.getTimerCount()).toBe(0);
  await expect(sum()).rejects.toThrow("unavailable");
  answer([]);
  await vi.advanceTimersByTimeAsync(0);
  expect(await sum()).toBeUndefined();
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
