/** Corrupted rows of deployments: the models, and the other deployments, are there all the same. */

import { expect, test } from "vitest";
import type { StoredDeployment } from "../../../worker/catalog/deployments/stored-deployment.ts";
import { StorageError } from "../../../worker/storage/storage-error.ts";
import { memoryStore } from "../../fakes/memory-deployments.ts";
import { deploymentApp, HUB_CHAT } from "../../support/deployment-app.ts";

const good: StoredDeployment = {
  name: "good",
  model: "infetch-tiny",
  file: null,
  contextWindow: null,
  engine: null,
  keepLoaded: false,
  created: 1,
};

test.each([
  [{ model: [HUB_CHAT] }],
  [{ model: 7 }],
  [{ model: undefined }],
  [{ file: 5 }],
  [{ file: { toString: 1 } }],
  [{ created: "yesterday" }],
  [{ created: 1e300 }],
  [{ contextWindow: "long" }],
  [{ keepLoaded: "yes" }],
  [{ projector: {} }],
  [{ parallel: 99 }],
])("a deployment with %j is passed over", async (spoiled) => {
  const store = memoryStore();
  await store.put({ ...good, model: HUB_CHAT, ...spoiled, name: "bad" } as never);
  await store.put(good);
  const { get, page } = await deploymentApp({}, store);
  const { data } = await (await get("/v1/models")).json();
  const ids = data.map((model: { id: string }) => model.id);
  expect(ids).toEqual(["infetch-tiny", "plain", "infetch-tiny-embed", "good"]);
  expect(await page.list()).toMatchObject({ ok: true, value: [{ name: "good" }] });
  expect(await page.get("bad")).toMatchObject({ ok: false, error: { code: "deployment_not_found" } });
});

test("a deployment that the database fails to delete stays, and can be deleted later", async () => {
  const { put, ...store } = memoryStore();
  await put(good);
  let fails = true;
  const remove = async (name: string): Promise<void> => {
    if (fails) throw new StorageError("storage_unavailable", "Deployments cannot be stored.");
    return store.delete(name);
  };
  const { page } = await deploymentApp({}, { ...store, put, delete: remove });
  expect(await page.delete("good")).toMatchObject({ ok: false, error: { code: "storage_unavailable" } });
  expect(await page.list()).toMatchObject({ ok: true, value: [{ name: "good" }] });
  fails = false;
  expect(await page.delete("good")).toMatchObject({ ok: true });
  expect([await page.list(), await store.all()]).toEqual([{ ok: true, value: [] }, []]);
});
