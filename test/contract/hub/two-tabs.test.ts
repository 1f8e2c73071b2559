/** Two tabs with a server each load the same model at once: they share storage and locks. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { placeModelFiles } from "../../../worker/engines/webllm/model-files.ts";
import type { StoreEnvironment } from "../../../worker/model-store/environment.ts";
import { FakeWebLocks } from "../../fakes/fake-web-locks.ts";
import { HUB_CHAT } from "../../support/deployment-app.ts";
import { type HubApp, hubApp } from "../../support/hub-app.ts";
import { mlcFiles, SHARDS, shardOf } from "../../support/hub-files.ts";

let tested: HubApp;
beforeEach(async () => {
  tested = await hubApp();
  tested.environment.locks = new FakeWebLocks();
});
afterEach(() => tested.hub.close());

/** Loads the model as another tab does. @param change of its environment */
async function loadInTab(change: Partial<StoreEnvironment> = {}): Promise<void> {
  const record = tested.services.catalog.base(HUB_CHAT);
  if (record?.kind !== "chat") throw new Error("It is a chat model.");
  await placeModelFiles("test", record.builds.webllm!, () => {}, { ...tested.environment, ...change });
}

/** Holds back the answer to the first request whose address ends so. */
function holdBack(ending: string) {
  let isAsked = (): void => {};
  let release = (): void => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const fetchHeld: typeof fetch = async (address, init) => {
    if (String(address).endsWith(ending)) {
      isAsked();
      await released;
    }
    return fetch(address, init);
  };
  return { asked, release, fetch: fetchHeld };
}

/** Versions of the stored shards, and whether the stored list has their commit. */
async function stored(): Promise<number[]> {
  const { entries } = tested.caches.of("webllm/model");
  const versions: number[] = [];
  for (let at = 0; at < SHARDS; at++) {
    const [, kept] = [...entries].find(([key]) => key.endsWith(`/params_shard_${at}.bin`))!;
    const bytes = Buffer.from(await kept.clone().arrayBuffer());
    versions.push([1, 2, 3].find((version) => Buffer.compare(bytes, shardOf(version, at)) === 0) ?? 0);
  }
  return versions;
}

async function expectIntact(version: number): Promise<void> {
  expect(await stored()).toEqual(Array(SHARDS).fill(version));
  tested.hub.seen = [];
  await loadInTab({
    fetch: async () => {
      throw new TypeError("offline");
    },
  });
  expect(tested.hub.seen).toEqual([]);
}

/** Caches the files of the branch, without a list. */
async function storeWithoutList(): Promise<void> {
  tested.hub.hasApi = false;
  await loadInTab();
  tested.hub.hasApi = true;
  tested.repository.commit(mlcFiles(2));
}

test("both get the commit that the first one found, though the branch moves in between", async () => {
  const held = holdBack("params_shard_3.bin");
  const first = loadInTab({ fetch: held.fetch });
  await held.asked;
  tested.repository.commit(mlcFiles(2));
  const second = loadInTab();
  held.release();
  await Promise.all([first, second]);
  await expectIntact(1);
  const shards = tested.files().filter((path) => path.endsWith(".bin"));
  expect(new Set(shards).size).toBe(shards.length);
});

test("both ask at once: one of them asks the API, and each file is fetched once", async () => {
  await Promise.all([loadInTab(), loadInTab()]);
  const asked = tested.hub.seen.filter(({ host }) => host === "hub").map(({ path }) => path);
  expect(asked.filter((path) => path.includes("/revision/"))).toHaveLength(1);
  expect(asked.filter((path) => path.endsWith("shard_0.bin"))).toHaveLength(1);
  await expectIntact(1);
});

test("both replace files without a list, and the branch moves in between: one commit is stored", async () => {
  await storeWithoutList();
  const held = holdBack("params_shard_3.bin");
  const first = loadInTab({ fetch: held.fetch });
  await held.asked;
  tested.repository.commit(mlcFiles(3));
  await loadInTab({ locks: undefined, fetch: async (address, init) => fetch(address, init) }).catch(() => {});
  held.release();
  await first;
  await expectIntact(3);
});

test("a file that appears later does not replace the commit of a load that is storing files", async () => {
  const held = holdBack("params_shard_3.bin");
  const first = loadInTab({ fetch: held.fetch });
  await held.asked;
  tested.repository.commit({ ...mlcFiles(2), "tokenizer.model": "tokens" });
  // The second tab misses a file of the first commit, which is gone, and finds the current one.
  const gone = loadInTab({
    fetch: async (address, init) =>
      String(address).includes("/resolve/") &&
      String(address).endsWith("shard_5.bin") &&
      !String(address).includes(tested.repository.resolve("main")!.commit)
        ? new Response("", { status: 404 })
        : fetch(address, init),
  });
  held.release();
  await Promise.all([first, gone]);
  const versions = new Set(await stored());
  expect(versions.size).toBe(1);
  await expectIntact([...versions][0]!);
});
