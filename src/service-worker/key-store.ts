/** Stores the key that the service worker lends to requests without one, in its own database. */

import { type IDBPDatabase, openDB } from "idb";

const STORE = "keys";
const LENT = "lent";

/** Runs `work` on an open connection, and closes it whatever happens: an open one blocks the database's deletion. */
async function withDatabase<T>(work: (database: IDBPDatabase) => Promise<T>): Promise<T> {
  const database = await openDB("infetch-service-worker", 1, {
    upgrade: (created) => void created.createObjectStore(STORE),
  });
  try {
    return await work(database);
  } finally {
    database.close();
  }
}

/**
 * Stores the key used for requests of this origin that have none, for this and later visits; undefined removes it.
 * Call it from a page or the service worker. Any script on this origin can then use the key's permissions, even while
 * no page of the app is open. Use a dedicated key with narrow limits from `runtime.keys.create()`; a page's
 * `runtime.apiKey` expires with its page.
 */
export async function lendKey(apiKey: string | undefined): Promise<void> {
  await withDatabase(async (database) => {
    // `localStorage.getItem()` returns null for a missing key.
    if (apiKey == null) await database.delete(STORE, LENT);
    else await database.put(STORE, apiKey, LENT);
  });
}

/** The lent key, if any. */
export function lentKey(): Promise<string | undefined> {
  return withDatabase((database) => database.get(STORE, LENT));
}
