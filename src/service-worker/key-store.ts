/** The key that the service worker lends to requests without one: kept in a database of its own. */

import { openDB } from "idb";

const STORE = "keys";
const LENT = "lent";

const open = () =>
  openDB("infetch-service-worker", 1, { upgrade: (database) => void database.createObjectStore(STORE) });

/**
 * Keeps the key that requests of this origin get when they bring none, for this and later visits; undefined takes
 * it back. Call it from a page or from the service worker: whoever can run a script on this origin can use what
 * the key may use, also while no page of the app is looked at. Give it a key of its own, with narrow limits, made
 * with `runtime.keys.create()`; a page's `runtime.apiKey` ends with its page.
 */
export async function lendKey(apiKey: string | undefined): Promise<void> {
  const database = await open();
  await (apiKey === undefined ? database.delete(STORE, LENT) : database.put(STORE, apiKey, LENT));
  database.close();
}

/** The key that is lent, if there is one. */
export async function lentKey(): Promise<string | undefined> {
  const database = await open();
  const apiKey: string | undefined = await database.get(STORE, LENT);
  database.close();
  return apiKey;
}
