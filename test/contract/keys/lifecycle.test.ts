/** `runtime.keys`: keys survive reloads, and a revocation applies to every tab at once. */

import { afterEach, expect, test, vi } from "vitest";
import type { KeyLimits, KeyRequest } from "../../../src/protocol/rpc/keys.ts";
import { unwrap } from "../../ledger/support/world.ts";
import { CHAT, hello, type KeyedTab, Origin } from "../../support/keyed-app.ts";

afterEach(() => vi.restoreAllMocks());

const statusOf = async (tab: KeyedTab, apiKey: string) => (await tab.send(apiKey, "/v1/models")).status;

/** Every row of every IndexedDB database, as text. */
async function everythingStored(): Promise<string> {
  const texts: string[] = [];
  for (const { name } of await indexedDB.databases()) {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name!);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    for (const store of database.objectStoreNames) {
      const rows = await new Promise((resolve) => {
        const request = database.transaction(store).objectStore(store).getAll();
        request.onsuccess = () => resolve(request.result);
      });
      texts.push(`${name}/${store}: ${JSON.stringify(rows)}`);
    }
    database.close();
  }
  return texts.join("\n");
}

test("a key holds over a reload and in another tab; its secret is nowhere", async () => {
  const origin = new Origin();
  const first = await origin.openTab();
  const { apiKey, key, warning } = await first.create({ name: "phone", account: "family" });
  expect(warning).toBeUndefined();
  expect(key).toMatchObject({ name: "phone", account: "family", stored: true, lastUsedAt: null });
  const other = await origin.openTab();
  expect(await statusOf(other, apiKey)).toBe(200);
  first.die();
  const reloaded = await origin.openTab();
  expect((await reloaded.send(apiKey, CHAT, hello)).status).toBe(200);
  const [listed] = unwrap(await reloaded.keys.list());
  expect(listed).toMatchObject({
    id: key.id,
    createdAt: key.createdAt,
    lastUsedAt: "2026-03-10T12:00:00Z",
    usage: { requestsThisMinute: 2 },
  });
  const [, , secret] = apiKey.split("-");
  const stored = await everythingStored();
  expect(stored).toContain(key.id);
  expect(stored).not.toContain(secret);
  expect(JSON.stringify(listed)).not.toContain(secret);
  expect(JSON.stringify(listed)).not.toContain("hash");
});

test("a revoked key is refused by every tab at once, and is gone with its usage", async () => {
  const origin = new Origin();
  const tabs = [await origin.openTab(), await origin.openTab()];
  const { apiKey, key } = await tabs[0]!.create();
  for (const tab of tabs) expect(await statusOf(tab, apiKey)).toBe(200);
  unwrap(await tabs[1]!.keys.revoke(key.id));
  for (const tab of tabs) expect(await statusOf(tab, apiKey)).toBe(401);
  expect(unwrap(await tabs[0]!.keys.list())).toEqual([]);
  expect(await tabs[0]!.keys.revoke(key.id)).toMatchObject({
    error: { name: "KeyError", code: "key_not_found" },
  });
});

test("a key that is revoked while it is used leaves nothing behind", async () => {
  const origin = new Origin();
  const tab = await origin.openTab();
  const { apiKey, key } = await tab.create();
  const stream = await tab.send(apiKey, CHAT, { ...hello, stream: true });
  unwrap(await tab.keys.revoke(key.id));
  expect(await stream.text()).toContain("[DONE]");
  expect(await everythingStored()).not.toContain(`"access_key":"${key.id}"`);
});

test("a rotated key has a new secret; the old one ends at once, or after its grace", async () => {
  const origin = new Origin();
  const tab = await origin.openTab();
  const { apiKey, key } = await tab.create({ models: ["infetch-tiny"], limits: { requestsPerMinute: 100 } });
  await tab.send(apiKey, CHAT, hello);
  const rotated = unwrap(await tab.keys.rotate(key.id));
  expect(rotated.key).toMatchObject({
    id: key.id,
    models: ["infetch-tiny"],
    usage: { requestsThisMinute: 1 },
  });
  expect(await statusOf(tab, apiKey)).toBe(401);
  expect(await statusOf(tab, rotated.apiKey)).toBe(200);
  const again = unwrap(await tab.keys.rotate(key.id, { graceMs: 60_000 }));
  origin.clock.advance(59_999);
  expect(await statusOf(tab, rotated.apiKey)).toBe(200);
  origin.clock.advance(1);
  expect(await statusOf(tab, rotated.apiKey)).toBe(401);
  expect(await statusOf(tab, again.apiKey)).toBe(200);
  expect(await tab.keys.rotate("nobody")).toMatchObject({ error: { code: "key_not_found" } });
  for (const id of [undefined, null, { id: "any" }]) {
    expect(await tab.keys.revoke(id as never)).toMatchObject({ error: { code: "key_not_found" } });
    expect(await tab.keys.rotate(id as never)).toMatchObject({ error: { code: "key_not_found" } });
  }
  expect(await tab.keys.rotate(key.id, { graceMs: -1 })).toMatchObject({
    error: { code: "invalid_argument" },
  });
});

test.each<[Partial<Record<keyof KeyRequest, unknown>>, string]>([
  [{ name: "" }, "name"],
  [{ name: undefined }, "name"],
  [{ account: "a/b" }, "account"],
  [{ models: "infetch-tiny" }, "models"],
  [{ endpoints: ["chat"] }, "endpoints.0"],
  [{ expiresAt: "tomorrow" }, "expiresAt"],
  [{ expiresAt: "2026-03-10T11:59:59Z" }, "expiresAt"],
  [{ limits: { requestsPerMinute: 0 } }, "limits.requestsPerMinute"],
  [{ limits: { tokensPerDay: 1.5 } }, "limits.tokensPerDay"],
  [{ limits: { usdPerDay: "-1" } }, "limits.usdPerDay"],
  [{ limits: { requestsPerMinut: 5 } as KeyLimits }, "limits"],
])("%j is no key: the error names %s", async (request, field) => {
  const tab = await new Origin().openTab();
  const result = await tab.keys.create({ name: "test", ...request } as KeyRequest);
  expect(result).toMatchObject({
    ok: false,
    error: { name: "KeyError", code: "invalid_argument", message: expect.stringContaining(`'${field}'`) },
  });
  expect(unwrap(await tab.keys.list())).toEqual([]);
});

test.each(["", "x".repeat(101)])("a name that is no name says what one is", async (name) => {
  const tab = await new Origin().openTab();
  const { error } = (await tab.keys.create({ name })) as { error: Error };
  expect(error.message).toBe("'name': expected 1 to 100 characters.");
});

/** Makes IndexedDB throw, as in a browser without storage. */
function denyIndexedDB() {
  return vi.spyOn(indexedDB, "open").mockImplementation(() => {
    throw new DOMException("denied", "SecurityError");
  });
}

test("where IndexedDB is denied a key holds for the session, with its limits, and says so", async () => {
  denyIndexedDB();
  const tab = await new Origin().openTab();
  const { apiKey, key, warning } = await tab.create({ limits: { requestsPerMinute: 2 } });
  expect(warning?.code).toBe("key_not_stored");
  expect(key.stored).toBe(false);
  expect((await tab.send(apiKey, CHAT, hello)).status).toBe(200);
  expect(await statusOf(tab, apiKey)).toBe(200);
  expect(await statusOf(tab, apiKey)).toBe(429);
  expect(unwrap(await tab.keys.list())).toMatchObject([{ id: key.id, usage: { requestsThisMinute: 2 } }]);
  const rotated = unwrap(await tab.keys.rotate(key.id));
  expect(rotated.warning?.code).toBe("key_not_stored");
  expect(await statusOf(tab, apiKey)).toBe(401);
  unwrap(await tab.keys.revoke(key.id));
  expect(unwrap(await tab.keys.list())).toEqual([]);
});

test("while IndexedDB cannot be read, a stored key is a 503, a page's own key works, and then all is well", async () => {
  const origin = new Origin();
  const { apiKey } = await (await origin.openTab()).create();
  const tab = await origin.openTab();
  const denied = denyIndexedDB();
  const refused = await tab.send(apiKey, "/v1/models");
  expect([refused.status, (await refused.json()).error.code]).toEqual([503, "keys_unavailable"]);
  expect(await statusOf(tab, tab.pageKey)).toBe(200);
  denied.mockRestore();
  expect(await statusOf(tab, apiKey)).toBe(200);
});

test("a broken ledger locks nobody out", async () => {
  const origin = new Origin();
  const { apiKey } = await (await origin.openTab()).create({ limits: { usdPerDay: 1 } });
  const open = indexedDB.open.bind(indexedDB);
  vi.spyOn(indexedDB, "open").mockImplementation((name, version) => {
    if (name.endsWith("-ledger")) throw new DOMException("broken", "UnknownError");
    return open(name, version);
  });
  const tab = await origin.openTab();
  expect((await tab.send(apiKey, CHAT, hello)).status).toBe(200);
  expect((await tab.create()).warning).toBeUndefined();
  expect(await tab.keys.create({ name: "x", account: "new" })).toMatchObject({
    error: { name: "KeyError", code: "ledger_unavailable" },
  });
});

test("a database that is deleted in the middle of a session takes its keys with it, and takes new ones", async () => {
  const origin = new Origin();
  const tab = await origin.openTab();
  const { apiKey } = await tab.create();
  const gone = indexedDB.deleteDatabase(`${origin.name}-accounts`);
  await new Promise((resolve) => {
    gone.onsuccess = resolve;
  });
  expect(await statusOf(tab, apiKey)).toBe(401);
  expect(await statusOf(tab, (await tab.create()).apiKey)).toBe(200);
});
