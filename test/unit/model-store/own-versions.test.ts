/** An own model whose manifest has changed: the files of its earlier versions. */

import { beforeEach, expect, test } from "vitest";
import { ownFolder } from "../../../worker/engine-api/embedding-folder.ts";
import type { StoreEnvironment } from "../../../worker/model-store/environment.ts";
import { fetchModelFiles } from "../../../worker/model-store/fetch-model-file.ts";
import { withSnapshot } from "../../../worker/model-store/hub/snapshot.ts";
import { listEntries } from "../../../worker/model-store/inventory.ts";
import { FakeCaches } from "../../fakes/fake-caches.ts";
import { storeEnvironment } from "../../support/store-environment.ts";

let caches: FakeCaches;
let environment: StoreEnvironment;

beforeEach(() => {
  caches = new FakeCaches();
  environment = storeEnvironment(caches, (delayMs) => delayMs >= 30_000);
  environment.segmentBytes = 4;
  environment.fetch = async (url) => new Response(`bytes of ${url}`, { headers: { etag: '"1"' } });
});

/** Loads one file of a version of a model, whose cache addresses are under `folder`. */
function load(cache: string, folder: string, fetch = environment.fetch): Promise<Blob[]> {
  const key = `${folder}weights`;
  const file = { url: "https://host.test/m/weights", cache, key, file: { name: "weights", bytes: 0 } };
  return withSnapshot(undefined, { cache, folder }, { ...environment, fetch }, (_, environment) =>
    fetchModelFiles([file], { environment }),
  );
}

const addresses = async () => (await listEntries(environment)).map(({ address }) => address).sort();

test.each([
  ["webllm/model", "resolve/main/"],
  ["infetch/gguf", "resolve/main/"],
  ["infetch/transformers", ""],
])("in %s are deleted once the new version is loaded, in segments and parts, too", async (cache, within) => {
  const [mine, other] = [ownFolder("mine"), ownFolder("mine too")];
  const folderOf = (model: string, version: string) => `${model}${version}/${within}`;
  await load(cache, folderOf(mine, "v1"));
  await load(cache, folderOf(other, "v1"));
  const before = [`${folderOf(mine, "v1")}weights`, `${folderOf(other, "v1")}weights`].sort();
  expect(await addresses()).toEqual(before);
  const failing = async () => new Response("", { status: 410 });
  await expect(load(cache, folderOf(mine, "v2"), failing)).rejects.toThrow();
  expect(await addresses()).toEqual(before);
  await load(cache, folderOf(mine, "v2"));
  const after = [`${folderOf(mine, "v2")}weights`, `${folderOf(other, "v1")}weights`].sort();
  expect(await addresses()).toEqual(after);
  const parts = [...caches.of("infetch/parts").entries.keys()];
  expect(parts.filter((key) => key.includes("v1") && !key.includes("too"))).toEqual([]);
});

test("of models that are no own ones stay", async () => {
  const folders = ["https://infetch.invalid/infetch-tiny-embed", "https://infetch.invalid/acme/embed"];
  for (const folder of folders)
    for (const version of ["1", "2"]) await load("infetch/transformers", `${folder}/${version}/`);
  expect(await addresses()).toHaveLength(4);
});

test("no cache is created for the search", async () => {
  await load("infetch/transformers", `${ownFolder("mine")}v1/`);
  expect(await caches.has("webllm/model")).toBe(false);
});
