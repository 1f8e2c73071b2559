/** IndexedDB connections that the browser closes: between two uses, and in the middle of a transaction. */

import { forceCloseDatabase, IDBFactory } from "fake-indexeddb";
import "fake-indexeddb/auto";
import { type DBSchema, type IDBPDatabase, unwrap } from "idb";
import { beforeEach, expect, test } from "vitest";
import { Database } from "../../../worker/storage/database.ts";
import type { Transaction } from "../../../worker/storage/transaction.ts";

interface Schema extends DBSchema {
  sums: { key: string; value: number };
}

let database: Database<Schema>;

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  database = new Database<Schema>({
    name: "lost",
    migrations: [({ db }) => void db.createObjectStore("sums")],
    errors: {
      unavailable: (cause) => new Error("unavailable", { cause }),
      blocked: () => new Error("blocked"),
    },
  });
});

/** As the browser does: aborts the open transaction, if any, and dispatches `close`. fake-indexeddb aborts nothing. */
function closeByForce(connection: IDBPDatabase<Schema>, open?: { abort(): void }): void {
  open?.abort();
  forceCloseDatabase(unwrap(connection) as unknown as Parameters<typeof forceCloseDatabase>[0]);
}

const sum = () => database.read(["sums"], (transaction) => transaction.objectStore("sums").get("all"));

/** Adds one to the sum. `attempts` counts runs; `during` runs in the middle of each. */
function addOne(during: (transaction: Transaction<Schema>, attempt: number) => void) {
  let attempts = 0;
  return database.write(["sums"], async (transaction) => {
    attempts += 1;
    const store = transaction.objectStore("sums");
    const before = (await store.get("all")) ?? 0;
    const put = store.put(before + 1, "all");
    put.catch(() => {});
    during(transaction, attempts);
    await put;
    return attempts;
  });
}

test("a connection closed in the middle of a transaction is opened again, and the work is done once", async () => {
  await addOne(() => {});
  const attempts = await addOne((transaction, attempt) => {
    if (attempt === 1) closeByForce(transaction.db, transaction);
  });
  expect(attempts).toBe(2);
  expect(await sum()).toBe(2);
});

test("a connection closed between two uses is opened again", async () => {
  let last: IDBPDatabase<Schema> | undefined;
  await addOne(({ db }) => {
    last = db;
  });
  closeByForce(last!);
  await addOne(() => {});
  expect(await sum()).toBe(2);
});

test("a read is repeated", async () => {
  await addOne(() => {});
  let attempts = 0;
  const found = database.read(["sums"], async (transaction) => {
    attempts += 1;
    const got = transaction.objectStore("sums").get("all");
    got.catch(() => {});
    if (attempts === 1) closeByForce(transaction.db, transaction);
    return got;
  });
  expect(await found).toBe(1);
});

test("a connection that is lost each time ends in `unavailable` after the second attempt", async () => {
  let attempts = 0;
  const failed = addOne((transaction) => {
    attempts += 1;
    closeByForce(transaction.db, transaction);
  });
  await expect(failed).rejects.toThrow("unavailable");
  expect(attempts).toBe(2);
  expect(await sum()).toBeUndefined();
});

test("an error of the work is not repeated", async () => {
  let attempts = 0;
  const failed = addOne(() => {
    attempts += 1;
    throw new RangeError("own");
  });
  await expect(failed).rejects.toThrow(RangeError);
  expect(attempts).toBe(1);
  expect(await sum()).toBeUndefined();
});
