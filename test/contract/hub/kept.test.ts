/** What is stored stays usable, also without a network, until what replaces it is complete. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { type HubApp, hubApp, storedShards } from "../../support/hub-app.ts";
import { mlcFiles, shardsOf } from "../../support/hub-files.ts";

const GGUF = "acme/tiny-GGUF";
let tested: HubApp;
beforeEach(async () => {
  tested = await hubApp();
});
afterEach(() => tested.hub.close());

const lists = () => tested.caches.of("infetch/hub").entries;

function goOffline(): void {
  tested.environment.fetch = async () => {
    throw new TypeError("offline");
  };
}

/** Caches the files of the branch, without a list, and moves the branch. */
async function storeWithoutList(): Promise<void> {
  tested.hub.hasApi = false;
  expect(await tested.chat()).toMatchObject({ status: 200 });
  await tested.unload();
  tested.hub.hasApi = true;
  tested.repository.commit(mlcFiles(2));
}

test("a mistyped file name leaves the list of an intact model as it is", async () => {
  const repository = tested.hub.repositories.get(GGUF)!;
  expect(await tested.chat(GGUF, "tiny-q4.gguf")).toMatchObject({ status: 200 });
  const [key, list] = [...lists()][0]!;
  const before = await list.clone().text();
  repository.commit({ "tiny-q4.gguf": "other weights of four bits" });
  await tested.page.delete("hub-model");
  expect((await tested.chat(GGUF, "tiny-q5.gguf")).error?.code).toBe("hub_file_not_found");
  expect(await lists().get(key)!.clone().text()).toBe(before);
  await tested.page.delete("hub-model");
  goOffline();
  expect(await tested.chat(GGUF, "tiny-q4.gguf")).toMatchObject({ status: 200 });
});

test("a library that its host does not have leaves the files and their list as they are", async () => {
  await tested.chat();
  await tested.unload();
  const library = [...tested.caches.of("webllm/wasm").entries][0]!;
  tested.caches.of("webllm/wasm").entries.clear();
  tested.repository.commit(mlcFiles(2));
  tested.hub.faults.set(".wasm", [{ type: "status", status: 404 }]);
  expect((await tested.chat()).status).toBe(502);
  tested.caches.of("webllm/wasm").entries.set(...library);
  goOffline();
  expect(await tested.chat()).toMatchObject({ status: 200 });
  expect(await storedShards(tested)).toEqual(shardsOf(1));
});

test("files that were stored without a list work until those of the commit are complete", async () => {
  await storeWithoutList();
  const config = [...tested.caches.of("webllm/config").entries.values()][0]!;
  const before = await config.clone().text();
  tested.hub.faults.set("shard_5.bin", [{ type: "status", status: 403 }]);
  expect((await tested.chat()).status).toBe(502);
  expect([...lists()]).toEqual([]);
  const online = tested.environment.fetch;
  goOffline();
  expect(await tested.chat()).toMatchObject({ status: 200 });
  expect(await storedShards(tested)).toEqual(shardsOf(1));
  expect(await [...tested.caches.of("webllm/config").entries.values()][0]!.clone().text()).toBe(before);
  await tested.unload();
  tested.environment.fetch = online;
  tested.hub.seen = [];
  expect(await tested.chat()).toMatchObject({ status: 200 });
  expect(await storedShards(tested)).toEqual(shardsOf(2));
  // What arrived in the first attempt is not fetched again.
  expect(tested.files().filter((path) => path.endsWith("shard_0.bin"))).toEqual([]);
  expect(tested.caches.of("infetch/parts").entries.size).toBe(0);
  expect([...lists()]).toHaveLength(1);
});

test("files that are replaced count as missing where storage is short", async () => {
  await storeWithoutList();
  tested.environment.storage = { estimate: async () => ({ quota: 100_000, usage: 0 }) };
  tested.hub.seen = [];
  expect((await tested.chat()).error?.code).toBe("insufficient_storage");
  expect(tested.files().filter((path) => path.endsWith(".bin"))).toEqual([]);
  expect(await storedShards(tested)).toEqual(shardsOf(1));
});
