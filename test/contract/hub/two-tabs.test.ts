/** Two tabs with a server each load the same model at once: they share storage and locks. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { fetchGguf } from "../../../worker/engines/llamacpp/model-files.ts";
import { placeModelFiles } from "../../../worker/engines/webllm/load/model-files.ts";
import type { StoreEnvironment } from "../../../worker/model-store/environment.ts";
import { FakeWebLocks } from "../../fakes/fake-web-locks.ts";
import { HUB_CHAT } from "../../support/deployment-app.ts";
import { type HubApp, hubApp, storedShards, TEST_GPU, TEST_LLAMACPP } from "../../support/hub-app.ts";
import { mlcFiles, shardsOf } from "../../support/hub-files.ts";

let tested: HubApp;
beforeEach(async () => {
  tested = await hubApp();
  tested.environment.locks = new FakeWebLocks();
});
afterEach(() => tested.hub.close());

const offline = async (): Promise<never> => {
  throw new TypeError("offline");
};

/** Loads the model as another tab does. @param change of its environment */
async function loadInTab(change: Partial<StoreEnvironment> = {}): Promise<void> {
  const record = tested.services.catalog.base(HUB_CHAT);
  if (record?.kind !== "chat") throw new Error("It is a chat model.");
  await placeModelFiles(TEST_GPU, record.builds.webllm!, () => {}, { ...tested.environment, ...change });
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

async function expectIntact(version: number): Promise<void> {
  expect(await storedShards(tested)).toEqual(shardsOf(version));
  tested.hub.seen = [];
  await loadInTab({ fetch: offline });
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
  // Without locks, as it would wait for the shard that is held back.
  await loadInTab({ locks: undefined });
  held.release();
  await first;
  await expectIntact(3);
});

test("a file of a later commit does not replace the list of a load that is storing files", async () => {
  const gguf = tested.hub.repositories.get("acme/tiny-GGUF")!;
  const loadFile = async (name: string, change: Partial<StoreEnvironment> = {}): Promise<string> => {
    const record = tested.services.catalog.base("acme/tiny-GGUF", name);
    if (record?.kind !== "chat") throw new Error("It is a chat model.");
    const environment = { ...tested.environment, ...change };
    const { parts } = await fetchGguf(TEST_LLAMACPP, record.builds.llamacpp!, () => {}, environment);
    return parts[0]!.text();
  };
  const held = holdBack("tiny-q4.gguf");
  const first = loadFile("tiny-q4.gguf", { fetch: held.fetch });
  await held.asked;
  gguf.commit({ "tiny-q4.gguf": "other weights of four bits", "tiny-q5.gguf": "weights of five bits" });
  expect(await loadFile("tiny-q5.gguf")).toBe("weights of five bits");
  held.release();
  expect(await first).toBe("weights of four bits");
  expect(await loadFile("tiny-q4.gguf", { fetch: offline })).toBe("weights of four bits");
  tested.hub.seen = [];
  expect(await loadFile("tiny-q5.gguf")).toBe("weights of five bits");
  expect(tested.files()).toEqual([]);
  expect(await loadFile("tiny-q5.gguf", { fetch: offline })).toBe("weights of five bits");
});
