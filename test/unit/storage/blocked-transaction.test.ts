/** A transaction that waits for one of another tab: the browser may have suspended that tab in it. */

import { IDBFactory } from "fake-indexeddb";
import "fake-indexeddb/auto";
import type { DBSchema } from "idb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Database } from "../../../worker/storage/database.ts";
import type { Work } from "../../../worker/storage/transaction.ts";

interface Schema extends DBSchema {
  sums: { key: string; value: number };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  globalThis.indexedDB = new IDBFactory();
});
afterEach(() => vi.useRealTimers());

const open = () =>
  new Database<Schema>({
    name: "shared",
    migrations: [({ db }) => void db.createObjectStore("sums")],
    errors: {
      unavailable: (cause) => new Error("unavailable", { cause }),
      blocked: () => new Error("blocked"),
    },
  });

const add: Work<Schema, void> = async (transaction) => {
  const store = transaction.objectStore("sums");
  await store.put(((await store.get("all")) ?? 0) + 1, "all");
};
const sum: Work<Schema, number | undefined> = (transaction) => transaction.objectStore("sums").get("all");

/** A transaction that stays open until `end`. */
async function occupy(database: Database<Schema>): Promise<{ end(): void; ended: Promise<void> }> {
  let isOver = false;
  let begin!: () => void;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const ended = database.write(["sums"], async (transaction) => {
    const store = transaction.objectStore("sums");
    // Requests keep the transaction open.
    while (!isOver) {
      await store.get("all");
      begin();
    }
  });
  await begun;
  return {
    end() {
      isOver = true;
    },
    ended,
  };
}

async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) await vi.advanceTimersByTimeAsync(1_000);
}

test("reads and writes fail after half a minute, are not made later, and succeed once the other tab has ended", async () => {
  const database = open();
  await database.write(["sums"], add);
  const other = await occupy(open());
  const calls = [database.write(["sums"], add), database.read(["sums"], sum)];
  const failed = calls.map((call) => expect(call).rejects.toThrow("blocked"));
  await pass(31);
  await Promise.all(failed);
  other.end();
  await other.ended;
  expect(await database.read(["sums"], sum)).toBe(1);
  await database.write(["sums"], add);
  expect(await database.read(["sums"], sum)).toBe(2);
  expect(vi.getTimerCount()).toBe(0);
});

test("a transaction of the same worker is waited for, however long it is", async () => {
  const database = open();
  const own = await occupy(database);
  const write = database.write(["sums"], add);
  await pass(90);
  own.end();
  await own.ended;
  await write;
  expect(await database.read(["sums"], sum)).toBe(1);
});
