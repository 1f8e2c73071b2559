/** Stores the key that the service worker lends to requests without one, in its own database. */

import { type IDBPDatabase, openDB } from "idb";
import { InfetchError } from "../errors.ts";
import { abortable } from "../shared/abortable.ts";

const STORE = "keys";
const LENT = "lent";

/** As for the server's databases; usually it takes milliseconds. */
const LIMIT_MS = 5_000;
const NO_ANSWER = `IndexedDB did not answer within ${LIMIT_MS / 1000} seconds`;

/** Runs `work` on an open connection, and closes it whatever happens: an open one blocks the database's deletion. */
async function withDatabase<T>(work: (database: IDBPDatabase) => Promise<T>): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error(NO_ANSWER)), LIMIT_MS);
  const run = async (): Promise<T> => {
    const database = await openDB("infetch-service-worker", 1, {
      upgrade: (created) => void created.createObjectStore(STORE),
    });
    try {
      late.signal.throwIfAborted();
      return await work(database);
    } finally {
      database.close();
    }
  };
  return abortable(run(), late.signal).finally(() => clearTimeout(timer));
}

/**
 * Stores the key used for requests of this origin that have none, for this and later visits; undefined removes it.
 * Call it from a page or the service worker. Any script on this origin can then use the key's permissions, even while
 * no page of the app is open. Use a dedicated key with narrow limits from `runtime.keys.create()`; a page's
 * `runtime.apiKey` expires with its page.
 *
 * @throws {InfetchError} `keys_unavailable` if IndexedDB fails or does not answer
 */
export async function lendKey(apiKey: string | undefined): Promise<void> {
  const store = async (database: IDBPDatabase): Promise<void> => {
    // `localStorage.getItem()` returns null for a missing key.
    if (apiKey == null) await database.delete(STORE, LENT);
    else await database.put(STORE, apiKey, LENT);
  };
  await withDatabase(store).catch((cause) => {
    const message = `The lent key could not be stored (${cause}). Try again; if it fails again, allow this site to store data in the browser.`;
    throw new InfetchError("keys_unavailable", message, { cause });
  });
}

/** The lent key, if any. */
export function lentKey(): Promise<string | undefined> {
  return withDatabase((database) => database.get(STORE, LENT));
}
