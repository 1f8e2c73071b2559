/** Branches, tags and commits of hub models: `<org>/<model>@<revision>`. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { modelsRpc } from "../../../worker/rpc/models.ts";
import { HUB_CHAT } from "../../support/deployment-app.ts";
import { type HubApp, hubApp } from "../../support/hub-app.ts";
import { mlcFiles, shardOf } from "../../support/hub-files.ts";

const REVISION = "release/v2";
const NAMED = `${HUB_CHAT}@${REVISION}`;
let tested: HubApp;
let commit: string;
beforeEach(async () => {
  tested = await hubApp();
  commit = tested.repository.commit(mlcFiles(2), REVISION);
});
afterEach(() => tested.hub.close());

const messages = [{ role: "user", content: "Hello" }];
const firstShard = async (revision: string): Promise<string | undefined> =>
  (
    await tested.caches
      .of("webllm/model")
      .match(`${tested.hub.url}${HUB_CHAT}/resolve/${encodeURIComponent(revision)}/params_shard_0.bin`)
  )?.text();

function models() {
  return modelsRpc({
    catalog: tested.services.catalog,
    environment: tested.environment as never,
    load: async () => {},
    unload: async () => {},
    cancel: () => {},
    retainedTokens: async () => undefined,
    forwarded: [],
    embeddingDevice: "auto",
  });
}

async function cached(): Promise<string[]> {
  const result = await models().cached();
  if (!result.ok) throw new Error(result.error.message);
  return result.value
    .map(({ model }) => model)
    .filter((model) => model !== "mlc-ai/libraries")
    .sort();
}

test("a branch is resolved once to its commit, and its files are cached apart from those of main", async () => {
  expect(await tested.chat(NAMED)).toMatchObject({ status: 200 });
  const ofModel = tested.files().filter((path) => path.startsWith(`/${HUB_CHAT}/`));
  expect(new Set(ofModel.map((path) => path.split("/")[4]))).toEqual(new Set([commit]));
  await tested.page.create({ name: "on-main", model: HUB_CHAT });
  expect((await tested.post("/v1/chat/completions", { model: "on-main", messages })).status).toBe(200);
  expect(await firstShard(REVISION)).toBe(Buffer.from(shardOf(2, 0)).toString());
  expect(await firstShard("main")).toBe(Buffer.from(shardOf(1, 0)).toString());
  tested.repository.commit(mlcFiles(3), REVISION);
  await tested.unload();
  tested.hub.seen = [];
  expect(await tested.chat()).toMatchObject({ status: 200 });
  expect(tested.hub.seen).toEqual([]);
});

test("a commit and a file of it can be named", async () => {
  const gguf = tested.hub.repositories.get("acme/tiny-GGUF")!;
  const first = gguf.resolve("main")!.commit;
  gguf.commit({ "tiny-q4.gguf": "other weights" });
  expect(await tested.chat(`acme/tiny-GGUF@${first}`, "tiny-q4.gguf")).toMatchObject({ status: 200 });
  expect(tested.files().every((path) => path.startsWith(`/acme/tiny-GGUF/resolve/${first}/`))).toBe(true);
});

test("GET /v1/models and runtime.models show the revision; deleting it leaves main", async () => {
  await tested.chat(NAMED);
  await tested.page.create({ name: "on-main", model: HUB_CHAT });
  await tested.post("/v1/chat/completions", { model: "on-main", messages });
  const shown = await (await tested.get("/v1/models/hub-model")).json();
  expect(shown.infetch).toMatchObject({ deployment_of: NAMED, base_model: HUB_CHAT });
  expect((await tested.post("/v1/chat/completions", { model: NAMED, messages })).status).toBe(200);
  expect(await cached()).toEqual(["hub-model", "on-main"]);
  await tested.page.delete("hub-model");
  await tested.page.delete("on-main");
  expect(await cached()).toEqual([HUB_CHAT, NAMED]);
  expect(await models().delete(NAMED)).toMatchObject({ ok: true });
  expect(await cached()).toEqual([HUB_CHAT]);
  expect(await firstShard(REVISION)).toBeUndefined();
});

test("a revision that the repository does not have is a 404 hub_revision_not_found", async () => {
  const { status, error } = await tested.chat(`${HUB_CHAT}@v9`);
  expect([status, error?.code]).toEqual([404, "hub_revision_not_found"]);
  expect(error?.message).toContain("no branch, tag or commit 'v9'");
});

test("a name that cannot be a revision is a 400", async () => {
  const model = `${HUB_CHAT}@../../other`;
  await expect(tested.chat(model)).rejects.toMatchObject({ code: "invalid_value" });
  const response = await tested.post("/v1/chat/completions", { model, messages });
  expect([response.status, (await response.json()).error]).toMatchObject([
    400,
    { code: "invalid_value", param: "model", message: expect.stringMatching(/branch or tag/) },
  ]);
  expect(tested.hub.seen).toEqual([]);
});

test("a file with special characters in its name is fetched and stored under it", async () => {
  const name = "größe 100%/a#1?.gguf";
  tested.hub.repositories.get("acme/tiny-GGUF")!.commit({ [name]: "weights" });
  expect(await tested.chat("acme/tiny-GGUF", name)).toMatchObject({ status: 200 });
  expect(tested.files().at(-1)).toMatch(/\/größe 100%\/a#1\?\.gguf$/);
  const [key] = [...tested.caches.of("infetch/gguf").entries.keys()];
  expect(key).toBe(`${tested.hub.url}acme/tiny-GGUF/resolve/main/gr%C3%B6%C3%9Fe%20100%25/a%231%3F.gguf`);
  expect(await models().verify("hub-model")).toMatchObject({ value: { files: 1, broken: [] } });
});
