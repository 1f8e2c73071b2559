/** Deployments of a server whose database could not be read when it started. */

import { IDBFactory } from "fake-indexeddb";
import "fake-indexeddb/auto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openDeploymentStore } from "../../../worker/catalog/deployments/deployment-store.ts";
import { UnreadDeployments } from "../../../worker/catalog/deployments/unread-deployments.ts";
import { type DeploymentApp, deploymentApp } from "../../support/deployment-app.ts";

const NAME = "unread";
const chat = (model: string) => ({ model, messages: [{ role: "user", content: "Hello!" }] });

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});
afterEach(() => vi.restoreAllMocks());

const open = async (): Promise<DeploymentApp> => deploymentApp({}, await openDeploymentStore(NAME));

/** As a browser whose storage fails for a while. */
function denyIndexedDB() {
  return vi.spyOn(indexedDB, "open").mockImplementation(() => {
    throw new DOMException("Internal error.", "UnknownError");
  });
}

async function names({ page }: DeploymentApp): Promise<string[]> {
  const listed = await page.list();
  return listed.ok ? listed.value.map(({ name }) => name) : [listed.error.code];
}

test("what is stored is served and listed as soon as the database can be read", async () => {
  expect(await (await open()).page.create({ name: "kept", model: "infetch-tiny" })).toMatchObject({
    ok: true,
  });
  const denied = denyIndexedDB();
  const app = await open();
  expect((await app.post("/v1/chat/completions", chat("kept"))).status).toBe(404);
  denied.mockRestore();
  expect((await app.post("/v1/chat/completions", chat("kept"))).status).toBe(200);
  expect(await names(app)).toEqual(["kept"]);
});

test("one that is created meanwhile works, says that it is not stored, and is stored once it can be", async () => {
  const denied = denyIndexedDB();
  const app = await open();
  const created = await app.page.create({ name: "early", model: "infetch-tiny" });
  expect(created).toMatchObject({ ok: true, value: { warning: { code: "deployment_not_stored" } } });
  expect((await app.post("/v1/chat/completions", chat("early"))).status).toBe(200);
  expect(await names(app)).toEqual(["early"]);
  denied.mockRestore();
  expect(await names(app)).toEqual(["early"]);
  expect(await names(await open())).toEqual(["early"]);
  const later = await app.page.create({ name: "later", model: "infetch-tiny" });
  expect(later.ok && later.value.warning).toBeUndefined();
  expect(await names(await open())).toEqual(["early", "later"]);
  expect(await app.page.delete("early")).toMatchObject({ ok: true });
  expect(await names(await open())).toEqual(["later"]);
});

test("one that finds no room, or whose database fails, says so by a code, and can be created again", async () => {
  const app = await open();
  const { commit } = IDBTransaction.prototype;
  for (const [name, code] of [
    ["QuotaExceededError", "storage_quota_exceeded"],
    ["UnknownError", "storage_unavailable"],
  ]) {
    IDBTransaction.prototype.commit = function () {
      (this as unknown as { _abort(name: string): void })._abort(name!);
    };
    const failed = await app.page.create({ name: code!, model: "infetch-tiny" });
    expect(failed).toMatchObject({ ok: false, error: { name: "InfetchError", code } });
    IDBTransaction.prototype.commit = commit;
    expect(await app.page.create({ name: code!, model: "infetch-tiny" })).toMatchObject({ ok: true });
  }
});

test("one that is created and deleted meanwhile is not stored", async () => {
  const denied = denyIndexedDB();
  const app = await open();
  await app.page.create({ name: "early", model: "infetch-tiny" });
  expect(await app.page.delete("early")).toMatchObject({ ok: true });
  denied.mockRestore();
  expect(await names(app)).toEqual([]);
  expect(await names(await open())).toEqual([]);
});

test("without a request the database is read again after pauses, until it can be", async () => {
  const due: [number, () => void][] = [];
  const after = (delayMs: number, call: () => void) => {
    due.push([delayMs, call]);
    return () => {};
  };
  let fails = true;
  const database = {
    all: async () => (fails ? Promise.reject(new Error("denied")) : []),
    put: async () => true,
    delete: async () => {},
    watch: () => {},
  };
  const store = new UnreadDeployments(database, { after });
  const onChange = vi.fn(() => store.all());
  store.watch(onChange);
  for (const pauseMs of [2_000, 4_000, 8_000]) {
    const [delayMs, call] = due.pop()!;
    expect(delayMs).toBe(pauseMs);
    call();
    await expect.poll(() => due).toHaveLength(1);
  }
  fails = false;
  due.pop()![1]();
  await expect.poll(() => store.isUnread).toBe(false);
  expect(due).toEqual([]);
});
